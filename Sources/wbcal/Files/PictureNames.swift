import WbcalFoundation
import WbcalSystem

/// Returns the files that match a name with `*`, such as those of a bracket, in the order of their
/// names. A name without `*`, or of a file that exists, stands for itself.
///
/// - Throws: `Failure` with `noInput` if no file matches.
func pictureFiles(named name: String) throws -> [String] {
  let slash = name.lastIndex(of: "/")
  let pattern = name[(slash.map { name.index(after: $0) } ?? name.startIndex)...]
  let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
  guard parts.count > 1, unsafe access(name.systemName, F_OK) != 0 else { return [name] }
  let folder = slash.map { String(name[...$0]) } ?? ""
  let all = try? FileManager.default.contentsOfDirectory(
    atPath: (folder.isEmpty ? "." : folder).located)
  let found = (all ?? []).filter { matches($0[...], parts) && !$0.hasPrefix(".") }.sorted()
  guard !found.isEmpty else {
    throw Failure.noInput("no picture matches \(name)")
  }
  return found.map { folder + $0 }
}

/// Indicates whether a name consists of the parts, with anything between them.
private func matches(_ name: Substring, _ parts: [Substring]) -> Bool {
  guard let first = parts.first, let last = parts.last, name.hasPrefix(first) else { return false }
  var rest = name.dropFirst(first.count)
  for part in parts.dropFirst().dropLast() where !part.isEmpty {
    guard let range = rest.firstRange(of: part) else { return false }
    rest = rest[range.upperBound...]
  }
  return rest.hasSuffix(last)
}
