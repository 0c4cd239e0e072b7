#!/usr/bin/env python3
"""Changes one token of the modules that compute at a time, and asks whether a test notices.

Which tokens, and into what, follows from the seed and the text around them, so that an edit elsewhere
leaves the other mutations as they are. One program holds nearly all mutations, of which the environment
chooses one; what cannot be chosen so, such as the index of a tuple, is built one by one. What was found is
kept in a log, from which a run goes on; with --retry survivors are tried again, as after a new test. A
mutation that does not compile does not count. Run in the repository's root.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

MODULES = ["ColorScience", "WhiteBalance", "CalibrationTargets"]
OTHERS = ["CWbcalFrameKernels", "CWbcalMeasuredSpectra", "SimulatedScenes", "WbcalFoundation", "WhiteBalanceTestSupport"]
# Tables: numbers, written by programs.
DATA = {
    "DaylightComponents", "PlanckianLocusTable", "PublicCameras", "PublicLamps",
    "StandardIlluminantSpectra", "StandardObserver1931", "StandardObserver1964",
}
EQUIVALENT = pathlib.Path("Tests/Mutation/equivalent.txt")

TOKEN = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)"
    r'|(?P<string>"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*")'
    # Assertions are not compiled where modules are optimized, as here.
    r"|(?P<line>^[ \t]*(?:import|#if|#elseif|@available|assert\()[^\n]*)"
    r"|(?P<number>\b(?:0x[0-9A-Fa-f_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d+)?)\b)"
    r"|(?P<word>[A-Za-z_$][A-Za-z_0-9]*)"
    r"|(?P<operator>[-+*/%<>=!&|^~?.]+)",
    re.MULTILINE | re.DOTALL)

BINARY = {
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"],
    "<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="],
    "&": ["|"], "|": ["&"], "<<": [">>"], ">>": ["<<"],
}
WORDS = {
    "true": ["false"], "false": ["true"], "min": ["max"], "max": ["min"],
    "break": ["continue"], "continue": ["break"],
}


def digit(text):
    """Each way to move one of a number's leading four significant digits by one."""
    if text.startswith("0x"):
        return [hex(int(text.replace("_", ""), 16) + 1)]
    significand = re.match(r"[\d_.]+", text).group()
    places = [i for i, c in enumerate(significand) if c.isdigit()]
    leading = [i for i in places if significand[i] != "0"] or places[-1:]
    places = [i for i in places if i >= leading[0]][:4]
    changed = []
    for i in places:
        for step in (1, -1):
            value = int(text[i]) + step
            if 0 <= value <= 9:
                changed.append(text[:i] + str(value) + text[i + 1:])
    return changed


def changes(kind, token, before, after):
    """What a token may become."""
    spaced = before.isspace() and after.isspace()
    if kind == "number":
        return digit(token)
    if kind == "word":
        return WORDS.get(token, []) if before != "`" else []
    if token in ("..<", "..."):
        return ["..." if token == "..<" else "..<"] if not after.isspace() and after not in ")]" else []
    if spaced:
        return BINARY.get(token, [])
    if token in ("!", "-", "~") and not after.isspace() and (before.isspace() or before in "(["):
        return [""]
    return []


def sites(seed):
    """All mutations, in the order in which the seed draws them."""
    found = []
    for module in MODULES:
        for path in sorted(pathlib.Path("Sources", module).rglob("*.swift")):
            if path.stem in DATA:
                continue
            text = path.read_text()
            seen = {}
            for match in TOKEN.finditer(text):
                kind, token = match.lastgroup, match.group()
                if kind in ("comment", "string", "line"):
                    continue
                start, end = match.span()
                # The size of an inline array is a type.
                if kind == "number" and text[end:end + 4] == " of ":
                    continue
                first = text.rfind("\n", 0, start) + 1
                line = text[first:(text + "\n").find("\n", start)].strip()
                for new in changes(kind, token, text[start - 1:start] or "\n", text[end:end + 1] or "\n"):
                    about = (line, start - first, new)
                    seen[about] = seen.get(about, 0) + 1
                    key = f"{path}: {line} [{start - first}] {new} #{seen[about]}"
                    draw = hashlib.sha256(f"{seed} {key}".encode()).hexdigest()
                    found.append({
                        "key": key, "draw": draw, "path": str(path), "start": start, "end": end,
                        "line": text.count("\n", 0, start) + 1, "old": token, "new": new})
    # One mutation of a token is enough: numbers would outweigh all else.
    tokens = {}
    for site in sorted(found, key=lambda site: site["draw"]):
        tokens.setdefault((site["path"], site["start"]), site)
    return list(tokens.values())


def label(site):
    return f"{site['path']}:{site['line']}: {site['old']} -> {site['new'] or 'nothing'}"


# Precedence of the operators that choose between two.
PRECEDENCE = {
    "+": "Addition", "-": "Addition", "|": "Addition", "*": "Multiplication", "/": "Multiplication",
    "%": "Multiplication", "&": "Multiplication", "<<": "BitwiseShift", ">>": "BitwiseShift",
    "&&": "LogicalConjunction", "||": "LogicalDisjunction",
    "+=": "Assignment", "-=": "Assignment", "*=": "Assignment", "/=": "Assignment",
}


def operands(old):
    """Generic parameters, and the types of the operands, of an operator and of what it may become."""
    if old in ("&&", "||"):
        return [("", "@autoclosure () -> Bool", "@autoclosure () -> Bool", "Bool")]
    if old in ("<", "<=", ">", ">="):
        return [("<T: Comparable>", "T", "T", "Bool")]
    if old in ("==", "!="):
        return [("<T: Equatable>", "T", "T", "Bool"), ("<T>", "T?", "_OptionalNilComparisonType", "Bool")]
    whole = [("<T: BinaryInteger>", "T", "T", "T")]
    if old in ("%", "&", "|", "<<", ">>"):
        return whole
    vector = "<T: SIMD>", "T where T.Scalar: FloatingPoint"
    types = whole + [("<T: FloatingPoint>", "T", "T", "T")]
    # The compiler prefers these, which keeps it fast.
    types += [("", kind, kind, kind) for kind in ("Double", "Int")]
    types.append((vector[0], "T", "T", vector[1]))
    if old[0] in "*/":
        types.append((vector[0], "T", "T.Scalar", vector[1]))
    if old in "*/":
        types.append((vector[0], "T.Scalar", "T", vector[1]))
    return types


def switch(index, site, text):
    """What stands in place of a token if the environment chooses, its end, and what declares it; `None`
    where the token is not that of a value."""
    old, new, start, end = site["old"], site["new"], site["start"], site["end"]
    before, after = text[start - 1:start], text[end:end + 1]
    chosen = f"mutant == {index}"
    name = old + "".join("†‡"[int(bit)] for bit in f"{index:b}")
    if old[0].isdigit():
        # The index of a tuple.
        return None if before == "." else (f"({chosen} ? {new} : {old})", "")
    if old in ("true", "false"):
        return f"({chosen} ? {new} : {old})", ""
    if old in ("break", "continue"):
        return f"if {chosen} {{ {new} }} else {{ {old} }}", ""
    if old in ("min", "max"):
        if before == "." or after != "(":
            return None
        name = f"{old}{index}"
        return name, (
            f"@usableFromInline func {name}<T: Comparable>(_ a: T, _ b: T) -> T "
            f"{{ {chosen} ? {new}(a, b) : {old}(a, b) }}\n")
    if not new:
        generic, kind = ("", "Bool") if old == "!" else ("<T: SignedNumeric>", "T")
        return name, (
            f"prefix operator {name}\n"
            f"@usableFromInline prefix func {name}{generic}(a: {kind}) -> {kind} {{ {chosen} ? a : {old}a }}\n")
    if old not in BINARY:
        return None
    declared = f"infix operator {name}: {PRECEDENCE.get(old, 'Comparison')}Precedence\n"
    for generic, left, right, result in operands(old):
        if old in ("+=", "-=", "*=", "/="):
            declared += (
                f"@usableFromInline func {name}{generic}(a: inout {left}, b: {right}){result[len(left):]} "
                f"{{ if {chosen} {{ a {new} b }} else {{ a {old} b }} }}\n")
            continue
        call = "()" if "->" in left else ""
        declared += (
            f"@usableFromInline func {name}{generic}(a: {left}, b: {right}) -> {result} "
            f"{{ {chosen} ? a{call} {new} b{call} : a{call} {old} b{call} }}\n")
    return name, declared


class Switched:
    """A program with many mutations, of which the environment chooses one."""

    def __init__(self, folder, mutations):
        self.tree = Tree(folder)
        self.sites = {site["key"]: (index, site) for index, site in enumerate(mutations)}
        while not self.build():
            wrong = self.unfit()
            if not wrong:
                sys.exit("the tree itself does not build:\n" + self.tree.output)
            for key in wrong:
                del self.sites[key]
        if reason := self.tree.fails(".", 3600):
            sys.exit("a test of the tree itself fails: " + reason)

    def build(self):
        declared = {module: "" for module in MODULES}
        texts = {}
        for key, (index, site) in sorted(self.sites.items(), key=lambda item: -item[1][1]["start"]):
            path = site["path"]
            text = texts.setdefault(path, pathlib.Path(path).read_text())
            if switched := switch(index, site, text):
                texts[path] = text[:site["start"]] + switched[0] + text[site["end"]:]
                declared[pathlib.Path(path).parts[1]] += switched[1]
            else:
                del self.sites[key]
        for path in {str(p) for module in MODULES for p in pathlib.Path("Sources", module).rglob("*.swift")}:
            self.tree.write(path, texts.get(path, pathlib.Path(path).read_text()))
        for module in MODULES:
            self.tree.write(f"Sources/{module}/Mutant.swift", SWITCH + declared[module])
        return self.tree.build()

    def unfit(self):
        """The mutations at which the compiler finds errors."""
        wrong = set()
        for path, line in re.findall(r"(Sources/\S+\.swift):(\d+):\d+: error:", self.tree.output):
            # An expression of many lines is reported at its first.
            near = [(abs(int(line) - site["line"]), key) for key, (_, site) in self.sites.items() if site["path"] == path]
            least = min(near, default=(0, None))[0]
            wrong.update(key for distance, key in near if distance == least)
        return wrong

    def attempt(self, site):
        index, _ = self.sites[site["key"]]
        return self.tree.outcome(site, {"MUTANT": str(index)})


SWITCH = """internal import Glibc
@usableFromInline let mutant = unsafe getenv("MUTANT").flatMap { unsafe Int(String(cString: $0)) } ?? -1
"""


class Single:
    """A program with one mutation at a time."""

    def __init__(self, folder):
        self.tree = Tree(folder)

    def attempt(self, site):
        text = pathlib.Path(site["path"]).read_text()
        self.tree.write(site["path"], text[:site["start"]] + site["new"] + text[site["end"]:])
        try:
            return self.tree.outcome(site) if self.tree.build() else ("broken", None)
        finally:
            self.tree.write(site["path"], text)


class Tree:
    """A copy of what is mutated and of its tests, built step by step."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        parts = [f"Sources/{name}" for name in MODULES + OTHERS]
        parts += [f"Tests/{name}Tests" for name in MODULES]
        parts += [f"Calibration/{name}" for name in ("CameraSensitivities", "Illuminants", "Reference")]
        names = {"Package.swift": pathlib.Path("Tests/Mutation/Package.swift")}
        for part in parts:
            names.update({str(p): p for p in pathlib.Path(part).rglob("*") if p.is_file()})
        for name, source in names.items():
            target = self.folder / name
            if not target.exists() or target.read_bytes() != source.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        for part in parts:
            for path in (self.folder / part).rglob("*"):
                if path.is_file() and str(path.relative_to(self.folder)) not in names:
                    path.unlink()

    def write(self, path, text):
        (self.folder / path).write_text(text)

    def build(self):
        done = subprocess.run(
            ["swift", "build", "--build-tests", "-q"], cwd=self.folder, capture_output=True, text=True)
        self.output = done.stdout + done.stderr
        return done.returncode == 0

    def outcome(self, site, environment={}):
        for pattern in patterns(site["path"]):
            if reason := self.fails(pattern, 600, environment):
                return "caught", reason
        return "survived", None

    def fails(self, pattern, limit, environment={}):
        """What fails first of the tests that match; `None` where all pass."""
        tests = next((self.folder / ".build/debug").glob("*.xctest"))
        command = [str(tests.resolve()), "--testing-library", "swift-testing", "--filter", pattern,
                   # It compares with what was once computed, so it would notice nearly everything.
                   "--skip", "CalibrationStabilityTests"]
        run = subprocess.Popen(
            ["timeout", "--kill-after=5", str(limit)] + command, cwd=self.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, **environment, "SWIFT_BACKTRACE": "enable=no"}, start_new_session=True)
        reason = None
        for line in run.stdout:
            if "recorded an issue" in line or "Fatal error" in line:
                reason = re.sub(r"^\W+", "", line.strip())[:300]
                run.send_signal(signal.SIGTERM)
                break
        status = run.wait()
        # With 69 it says that the pattern matches no test.
        if reason is None and status not in (0, 69):
            reason = "no answer in time" if status == 124 else f"status {status}"
        return reason


def patterns(path):
    """Which tests to run, those named like the file first."""
    module = pathlib.Path(path).parts[1]
    stem = re.split(r"[+.]", pathlib.Path(path).name)[0]
    yield f"{stem}\\w*Tests"
    # Those of the modules that do not import it cannot notice.
    yield from (f"^{name}Tests\\." for name in MODULES[MODULES.index(module):])


def equivalents():
    if not EQUIVALENT.exists():
        return set()
    lines = EQUIVALENT.read_text().splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="mutations that compile")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=pathlib.Path, default=".build/mutants")
    parser.add_argument("--retry", action="store_true", help="try survivors again")
    parser.add_argument("--limit", type=float, default=95, help="percent to be caught, or the run fails")
    options = parser.parse_args()

    log = options.folder / f"log-{options.seed}.jsonl"
    log.parent.mkdir(parents=True, exist_ok=True)
    known = {}
    if log.exists():
        for line in log.read_text().splitlines():
            entry = json.loads(line)
            known[entry["key"]] = entry
    same = equivalents()
    drawn = sites(options.seed)

    def is_open(site):
        entry = known.get(site["key"])
        return site["key"] not in same and (
            entry is None or options.retry and entry["outcome"] == "survived")

    # Some will not compile, or change nothing.
    first = [site for site in drawn[:options.count * 5 // 4] if is_open(site)]
    switched = Switched(options.folder / "switched", first) if first else None
    single = None
    counted, survivors, equal = 0, [], 0
    for site in drawn:
        if counted == options.count:
            break
        if site["key"] in same:
            equal += 1
            continue
        if is_open(site):
            began = time.time()
            if switched and site["key"] in switched.sites:
                outcome, reason = switched.attempt(site)
            else:
                single = single or Single(options.folder / "single")
                outcome, reason = single.attempt(site)
            entry = {"key": site["key"], "outcome": outcome, "reason": reason,
                     "seconds": round(time.time() - began)}
            known[site["key"]] = entry
            with log.open("a") as file:
                file.write(json.dumps(entry) + "\n")
            print(f"{outcome:9} {entry['seconds']:4} s  {label(site)}", flush=True)
        if known[site["key"]]["outcome"] == "broken":
            continue
        counted += 1
        if known[site["key"]]["outcome"] == "survived":
            survivors.append(site)
    for site in survivors:
        print(f"survived: {label(site)}\n  {site['key']}")
    share = 100 * (counted - len(survivors)) / max(counted, 1)
    print(f"{counted} mutations, {counted - len(survivors)} caught: {share:.1f} %"
          f" ({equal} more change nothing, see {EQUIVALENT})")
    sys.exit(share < options.limit)


main()
