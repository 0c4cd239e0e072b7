#!/bin/sh
# Lets libcamera itself judge the tuning files that wbcal writes: its modules load them, and what
# they then make of frames must be the gains, color matrices and black levels of the file, and the
# gains that they set against shading must be those of the profile's flat field.
#
#   LIBCAMERA=<source tree that is built in build/> WBCAL=<program> judge.sh
#   judge.sh <source tree or its build folder> <program>
#
# CHART=FILE@LIGHT adds a profile from this photograph of a chart. KEEP=1 keeps the files.
# Ends with 0 only if all holds. Needs g++ with C++20, and Python with PyYAML, as libcamera does.
# To build libcamera for it (with libpisp in subprojects/, or without the two rpi/pisp):
#
#   meson setup build -Dpipelines=rpi/vc4,rpi/pisp,rkisp1,simple \
#     -Dipas=rpi/vc4,rpi/pisp,rkisp1,simple -Dtest=false -Ddocumentation=disabled \
#     -Dgstreamer=disabled -Dcam=disabled -Dqcam=disabled     # after 0.7.2: softisp for the last
#   ninja -C build
set -u
tree=${1:-${LIBCAMERA:-}}
wbcal=${2:-${WBCAL:-wbcal}}
[ -n "$tree" ] || { echo "Name libcamera's source tree: LIBCAMERA=<folder> $0" >&2; exit 64; }
tree=$(cd "$tree" && pwd) || exit 66
[ -e "$tree/build/build.ninja" ] || [ ! -e "$tree/build.ninja" ] || tree=$(dirname "$tree")
build=$tree/build
[ -e "$build/src/libcamera/libcamera.so" ] || {
  echo "libcamera is not built in $build; the head of $0 says how." >&2; exit 66; }
command -v "$wbcal" > /dev/null || { echo "There is no program $wbcal." >&2; exit 66; }
wbcal=$(realpath "$(command -v "$wbcal")")
here=$(cd "$(dirname "$0")" && pwd)
python=
for candidate in python3 /usr/bin/python3; do
  [ -n "$python" ] || ! "$candidate" -c 'import yaml' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || { echo "Python has no PyYAML (Debian: python3-yaml)." >&2; exit 69; }

work=$(mktemp -d) || exit 73
[ -n "${KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
cd "$work" || exit 73
faults=0
say() { printf '%-6s %-8s %s\n' "$@"; }
fault() { say FAULT "$1" "$2"; faults=$((faults + 1)); }

pisp=$tree/subprojects/libpisp/src
pisp_flags=
[ ! -e "$build/src/ipa/rpi/pisp/ipa_rpi_pisp.so" ] || pisp_flags="-DHAVE_PISP -I$pisp \
  -I$pisp/libpisp -I$build/subprojects/libpisp/src -L$build/subprojects/libpisp/src -lpisp \
  -Wl,-rpath,$build/subprojects/libpisp/src"
# shellcheck disable=SC2086
g++ -std=c++20 -O1 -w -DLIBCAMERA_BASE_PRIVATE -include "$build/config.h" \
  -I"$tree/include" -I"$build/include" "$here/judge.cpp" -o judge \
  -L"$build/src/libcamera" -L"$build/src/libcamera/base" -lcamera -lcamera-base -ldl -pthread \
  -Wl,-rpath,"$build/src/libcamera:$build/src/libcamera/base" $pisp_flags || {
  echo "The judge cannot be compiled against $tree." >&2; exit 70; }

cat > compare.py <<'PYTHON'
"""compare.py TUNING ANSWERS [gray-world]: whether the answers are what the file says."""
import sys, yaml

def entries(file):
    data = yaml.safe_load(open(file))
    algorithms = data.get("algorithms") or [{k: v} for k, v in data.items()]
    return {k: v or {} for a in algorithms for k, v in a.items()}

def at(points, kelvin):
    points = sorted(points)
    for (t0, low), (t1, high) in zip(points, points[1:]):
        if t0 <= kelvin <= t1:
            part = (kelvin - t0) / (t1 - t0)
            return [a + (b - a) * part for a, b in zip(low, high)]
    return points[0][1] if kelvin < points[0][0] else points[-1][1]

def read(file):
    found = entries(file)
    pi = "rpi.awb" in found
    if pi:
        n = [float(x) for x in found["rpi.awb"]["ct_curve"]]
        curve = [(n[i], n[i + 1:i + 3]) for i in range(0, len(n), 3)]
    else:
        curve = [(float(g["ct"]), [float(x) for x in g["gains"]])
                 for g in found["Awb"].get("colourGains", [])]
    ccms = found.get("rpi.ccm" if pi else "Ccm", {}).get("ccms", [])
    matrices = [(float(m["ct"]), [float(x) for x in m["ccm"]]) for m in ccms]
    black = (found.get("rpi.black_level", {}).get("black_level") if pi else
             found.get("BlackLevel", {}).get("blackLevel",
                                             found.get("BlackLevelCorrection", {}).get("R")))
    # The software ISP counts black in 8 bits.
    return pi, curve, matrices, black, 255 if "BlackLevel" in found else 0

def gains(pi, curve, kelvin):
    return [1 / x for x in at(curve, kelvin)] if pi else at(curve, kelvin)

if sys.argv[1] == "ratios":  # R/G and B/G of gray at a temperature
    pi, curve, *_ = read(sys.argv[2])
    print(*(1 / x for x in gains(pi, curve, float(sys.argv[3]))))
    sys.exit()
pi, curve, matrices, black, step = read(sys.argv[1])
gray_world = "gray-world" in sys.argv
temperatures, misses = set(), []
for line in open(sys.argv[2]):
    head, rest = line.split(" gains ")
    (asked, told), (g, rest) = map(float, head.split()), rest.split(" matrix")
    m, levels = ([float(x) for x in part.split()] for part in rest.split(" black"))
    g = [float(x) for x in g.split()]
    temperatures.add(told)
    low, high = (min(curve)[0], max(curve)[0]) if curve else (0, 1e6)
    limited = min(max(asked, low), high)
    if not gray_world and abs(told / limited - 1) > 0.02 and told != asked:
        misses.append(f"at {asked:.0f} K it tells of {told:.0f} K")
    if not gray_world:
        for a, b in zip(g, gains(pi, curve, told)):
            if abs(a / b - 1) > 0.01: misses.append(f"gain {a} and not {b:.4f} at {told:.0f} K")
    if matrices:
        expected = at(matrices, told)
        if len(m) != 9 or any(abs(a - b) > 0.004 for a, b in zip(m, expected)):
            misses.append(f"matrix {m} and not {expected} at {told:.0f} K")
    if black is not None and not levels: misses.append("no black level")
    if black is not None and any(not 0 <= black - x <= step for x in levels):
        misses.append(f"black {levels} and not {black}")
if len(temperatures) < 3: misses.append(f"only the temperatures {temperatures}")
for miss in misses[:3]: print("      ", miss)
sys.exit(bool(misses))
PYTHON

# module PLATFORM: prints the name of its module.
module() {
  case $1 in
    vc4 | pisp) echo "$build/src/ipa/rpi/$1/ipa_rpi_$1.so" ;;
    rkisp1) echo "$build/src/ipa/rkisp1/ipa_rkisp1.so" ;;
    softisp) echo "$soft" ;;
  esac
}

# loads PLATFORM FILE [more of judge's words]: whether the module takes the file.
loads() {
  : > objections
  module=$(module "$1")
  file=$2
  shift 2
  LIBCAMERA_LOG_LEVELS='*:DEBUG' LIBCAMERA_LOG_NO_COLOR=1 timeout 60 \
    ./judge "$module" "$file" imx219 "$@" > answers 2> log
  status=$?
  case $status in
    0) verdict='loads with an objection' ;;
    1) verdict='is refused' ;;
    *) verdict="stops the program (status $status)" ;;
  esac
  return $status
}

# takes PLATFORM FILE [...]: whether it does, and no algorithm goes on without what the file says.
takes() {
  # Of each table for rkisp1, libcamera warns that it cannot resample it.
  loads "$@" && ! grep -v "Tabular LSC data doesn't support resampling" log |
    grep -E ' (ERROR|FATAL) | WARN .*(Alsc|Lsc)|Failed to parse|falling back|mis-configured|'\
'No algorithm found' > objections
}

why() { { cat objections; grep -E ' (ERROR|FATAL) |^judge: ' log; } | uniq |
  sed 's/^\[[^]]*\] \[[0-9]*\]//; s/^/       /' | head -n 4; }

# judged PLATFORM FILE WHAT: the file is taken, and frames are treated as it says.
judged() {
  light=
  [ "$1" = pisp ] || light=$($python compare.py ratios "$2" 3500 2>/dev/null)
  temperatures='2000 2700 3150 4000 4321 5500 7000 9000'
  # shellcheck disable=SC2086
  if ! takes "$1" "$2" $temperatures ${light:+auto 3500 $light}; then
    fault "$1" "$3: $verdict"
    why
  elif result=$($python compare.py "$2" answers $([ "$1" != softisp ] || echo "$world") 2>&1); then
    say ok "$1" "$3: loads, and frames are treated as it says"
  else
    fault "$1" "$3: loads, but frames are treated otherwise"
    echo "$result"
  fi
}

# evened PLATFORM FILE WHAT [crop]: the file is taken, and its gains against shading are those of
# lens.json.
evened() {
  platform=$1 tuning=$2 what=$3
  shift 3
  if ! takes "$platform" plain.$kind 5000 || ! mv answers plain-answers ||
    ! takes "$platform" "$tuning" 5000 shading "$@"; then
    fault "$platform" "$what: $verdict"
    why
  elif result=$($python "$here/shading.py" "$platform" lens.json plain-answers answers "$@" 2>&1)
  then
    say ok "$platform" "$what: $result"
  else
    fault "$platform" "$what: shading is treated otherwise"
    echo "       $result"
  fi
}

# writes PLATFORM SOURCE FILE [more of wbcal's words]: whether wbcal writes a tuning file.
writes() {
  source=$2 result=$3
  target="--platform $1"
  shift 3
  case "$result $*" in *json*--into*) target= ;; esac # that file says for which it is
  # shellcheck disable=SC2086
  "$wbcal" profile export "$source" --libcamera "$result" $target "$@" > said 2>&1 ||
    { fault "$platform" "wbcal does not write $result: $(head -n 1 said)"; return 1; }
}

soft=
for candidate in simple/ipa_soft_simple softisp/ipa_softisp; do
  [ ! -e "$build/src/ipa/$candidate.so" ] || soft=$build/src/ipa/$candidate.so
done
world=
[ ! -d "$tree/src/ipa/simple" ] || world=gray-world
echo "libcamera $(git -C "$tree" describe --tags 2>/dev/null), wbcal $("$wbcal" --version)"

camera=simulated:seed=2,size=640x480
{ "$wbcal" set --device $camera --gains 1,1,1 &&
    "$wbcal" bracket --device "$camera,target=chart,light=D65" --count 1 -o chart.tiff &&
    "$wbcal" calibrate --chart chart.tiff@D65 -o chart.json; } > said 2>&1 ||
  { cat said >&2; echo "wbcal makes no profile of the simulated chart." >&2; exit 70; }
profiles=chart
if [ -n "${CHART:-}" ]; then
  if "$wbcal" calibrate --chart "$CHART" -o photograph.json > said 2>&1; then
    profiles="chart photograph"
  else
    fault - "wbcal makes no profile of $CHART: $(cat said)"
  fi
fi

# A lens that loses up to 38 % of the light, and up to 15 % of one color more than of another.
$python - <<'PYTHON'
import array, random
width, height, noise = 640, 480, random.Random(1)
codes = array.array("H")
for row in range(height):
    for column in range(width):
        x, y = 2 * (column + 0.5) / width - 1.05, 0.75 * (2 * (row + 0.5) / height - 0.96)
        far = (x * x + y * y) / 1.5625
        color = {(0, 0): -0.1, (1, 1): 0.12}.get((row % 2, column % 2), 0)
        light = 1500 * (1 - 0.35 * far) * (1 + color * (far + 0.3 * x))
        codes.append(round(256 + light + noise.gauss(0, 8)))
codes.tofile(open("white.raw", "wb"))
PYTHON
{ "$wbcal" calibrate --shot rgb:0.5,1,0.7@D65 --shot rgb:0.9,1,0.35@A -o gray.json &&
    "$wbcal" calibrate --profile gray.json --flat white.raw --raw 640x480:RG12 --black 256 \
      -o lens.json; } > said 2>&1 ||
  { cat said >&2; echo "wbcal makes no flat field of the simulated lens." >&2; exit 70; }

count=0
for platform in vc4 pisp rkisp1 softisp; do
  case $platform in
    vc4 | pisp) data=$tree/src/ipa/rpi/$platform/data/imx219.json kind=json ;;
    rkisp1) data=$tree/src/ipa/rkisp1/data/imx258.yaml kind=yaml ;;
    softisp) data=$(dirname "$soft" | sed "s|/build/|/|")/data/uncalibrated.yaml kind=yaml ;;
  esac
  module=$(module $platform)
  [ -e "${module:-/none}" ] || { say none $platform "this libcamera has no such module"; continue; }
  count=$((count + 1))

  # What is known: a file of libcamera's own is taken, and damaged ones are not.
  if loads $platform "$data"; then
    say ok $platform "control: libcamera's own ${data##*/} loads"
  else
    fault $platform "control: libcamera's own ${data##*/} $verdict"
    why
  fi
  writes $platform chart.json new.$kind --black 64:10 || continue
  $python - new.$kind $platform <<'PYTHON'
import copy, json, sys, yaml
name, platform = sys.argv[1:]
kind = name.rsplit(".")[-1]
data = yaml.safe_load(open(name))
def write(name, change):
    new = copy.deepcopy(data)
    found = {k: v for a in new["algorithms"] for k, v in a.items()}
    change(new, found.get("rpi.awb") or found.get("Awb"), found.get("rpi.ccm") or found["Ccm"])
    # JSON is YAML.
    json.dump(new, open(name + "." + kind, "w"), indent=1)
write("short-matrix", lambda file, awb, ccm: ccm["ccms"][3]["ccm"].pop())
def short(file, awb, ccm):
    (awb.get("ct_curve") or awb["colourGains"][2]["gains"]).pop()
write("short-curve", short)
write("no-algorithms", lambda file, awb, ccm: file.pop("algorithms"))
def other(file, awb, ccm):
    for m in ccm["ccms"]: m["ccm"][0] += 0.02
write("other-matrix", other)
PYTHON
  for damage in short-matrix short-curve no-algorithms; do
    if ! takes $platform $damage.$kind; then
      say ok $platform "control: a damaged file ($damage) $verdict:$(why | head -n 1 | cut -c7-110)"
    elif [ "$damage,$platform,$world" = short-curve,softisp,gray-world ]; then
      say note $platform "this version of Awb reads no curve: every picture's mean is gray to it"
    else
      fault $platform "control: a damaged file ($damage) loads"
    fi
  done
  gray=$([ $platform != softisp ] || echo "$world")
  if takes $platform other-matrix.$kind 2700 4000 5500 &&
    $python compare.py other-matrix.$kind answers $gray > said &&
    ! $python compare.py new.$kind answers $gray > said
  then
    say ok $platform "control: a file with other matrices is told from this one"
  else
    fault $platform "control: a file with other matrices is not told from this one"
  fi

  # What is judged.
  for profile in $profiles; do
    if writes $platform $profile.json new.$kind --black 64:10; then
      judged $platform new.$kind "new file of the $profile, with black level"
    fi
    if writes $platform $profile.json bare.$kind; then
      judged $platform bare.$kind "new file of the $profile, without black level"
    fi
    if writes $platform $profile.json into.$kind --black 60:10 --into "$data"; then
      judged $platform into.$kind "the $profile into libcamera's ${data##*/}"
      writes $platform $profile.json again.$kind --black 64:10 --into new.$kind &&
        judged $platform again.$kind "the $profile into a file of wbcal's own"
    fi
  done
  if [ $platform != softisp ] && writes $platform gray.json plain.$kind &&
    writes $platform lens.json flat.$kind
  then
    evened $platform flat.$kind "new file of a flat field"
    # Over a part of the sensor, libcamera stretches rkisp1's tables of the whole.
    [ $platform = rkisp1 ] || evened $platform flat.$kind "the same in a part of the sensor" crop
    if writes $platform lens.json flat-into.$kind --into "$data"; then
      evened $platform flat-into.$kind "the flat field into libcamera's ${data##*/}"
    fi
    $python - flat.$kind <<'PYTHON'
import copy, json, sys, yaml
kind = sys.argv[1].rsplit(".")[-1]
data = yaml.safe_load(open(sys.argv[1]))
def write(name, change):
    new = copy.deepcopy(data)
    found = {k: v for a in new["algorithms"] for k, v in a.items()}
    lens = found.get("rpi.alsc") or found["LensShadingCorrection"]["sets"][0]
    red, blue = ("calibrations_Cr", "calibrations_Cb") if "rpi.alsc" in found else ("r", "b")
    change(lens, red, blue)
    json.dump(new, open(name + "." + kind, "w"), indent=1)
def tables(lens):
    for value in lens.values():
        if isinstance(value, list): yield value[0]["table"] if isinstance(value[0], dict) else value
def exchange(lens, red, blue): lens[red], lens[blue] = lens[blue], lens[red]
def rows(change):
    def of_all(lens, *_):
        for table in tables(lens):
            columns = {192: 16, 1024: 32, 289: 17}[len(table)]
            for i in range(0, len(table), columns):
                table[i:i + columns] = change(table[i:i + columns])
    return of_all
write("exchanged-shading", exchange)
write("mirrored-shading", rows(lambda row: row[::-1]))
# By half a cell, as if the values were for the cells' edges; up to 0.7.1, rkisp1's are integers.
write("shifted-shading", rows(lambda row: [
    type(a)((a + b) / 2) for a, b in zip(row, row[1:] + row[-1:])]))
write("short-shading", lambda lens, *_: next(tables(lens)).pop())
PYTHON
    takes $platform plain.$kind 5000 && mv answers plain-answers
    for damage in exchanged mirrored shifted; do
      if takes $platform $damage-shading.$kind 5000 shading && ! result=$($python \
        "$here/shading.py" $platform lens.json plain-answers answers 2>&1)
      then
        say ok $platform "control: $damage shading is noticed: $result"
      else
        fault $platform "control: $damage shading is not noticed"
      fi
    done
    if takes $platform short-shading.$kind; then
      fault $platform "control: a table of shading that is too short loads"
    else
      say ok $platform "control: a table of shading that is too short $verdict"
    fi
  fi
  refused= tunings=0
  for name in $("$wbcal" profile import --list); do
    writes $platform "$name" curve.$kind || continue
    tunings=$((tunings + 1))
    takes $platform curve.$kind 4000 || refused="$refused $name"
  done
  if [ -z "$refused" ]; then
    say ok $platform "new files of $tunings shipped curves, without matrices: load"
  else
    fault $platform "new files of shipped curves do not load:$refused"
    why
  fi
done

[ $count -gt 0 ] || { echo "None of the modules is built in $build." >&2; exit 66; }
if [ $faults -gt 0 ]; then
  echo "$faults faults: this libcamera does not take all of wbcal's tuning files."
  exit 1
fi
echo "libcamera takes all of wbcal's tuning files."
