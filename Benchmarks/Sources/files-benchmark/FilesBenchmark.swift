import Foundation

/// Compares the time in which wbcal, whose path is the first argument, estimates from raw
/// photographs with that in which the program of the second argument opens and unpacks them with
/// LibRaw. The third argument is the number of photographs.
@main struct FilesBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments
    let (wbcal, peer) = (arguments[1], arguments[2])
    let count = arguments.count > 3 ? Int(arguments[3])! : 200
    let processors = ProcessInfo.processInfo.activeProcessorCount
    let rounds = 3
    /// The number of distinct files; the others are hard links to them, so that the disk is not
    /// measured.
    let distinct = min(count, 8)

    func median(_ values: [Double]) -> String {
      String(format: "%.2f", values.sorted()[values.count / 2])
    }

    func row(_ ours: [Double], _ theirs: [Double]) -> String {
      "\(median(ours)) | \(median(theirs)) | \(median(zip(ours, theirs).map { $0 / $1 }))"
    }

    print(
      """
      # Estimates from raw photographs

      `make bench-files`: \(count) DNG files of 6000×4000 pixels and 14 bits (\(distinct) different ones) on \
      \(processors) processors; `wbcal estimate --json` beside a program that only has LibRaw open and unpack \
      the files in as many processes. Medians of \(rounds) rounds in turn.

      | Compression | wbcal, s | LibRaw, s | ratio | processors' time: wbcal, s | LibRaw, s | ratio | \
      wbcal's memory, MiB |
      |---|---|---|---|---|---|---|---|
      """)
    for (name, compression) in [
      ("none", RawPhotographWriter.Compression.none), ("lossless JPEG", .losslessJPEG),
    ] {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(at: folder) }
      let files = (0..<count).map { folder.appending(path: "\($0).dng") }
      let writer = RawPhotographWriter(width: 6000, height: 4000, compression: compression)
      for (index, file) in files.enumerated() {
        if index < distinct {
          try writer.write(to: file, seed: UInt64(index))
        } else {
          try FileManager.default.linkItem(at: files[index % distinct], to: file)
        }
      }
      let paths = files.map(\.path)
      _ = Run(peer, ["\(processors)"] + paths.prefix(distinct))
      var ours: [Run] = []
      var theirs: [Run] = []
      for _ in 0..<rounds {
        ours.append(Run(wbcal, ["estimate", "--json"] + paths))
        theirs.append(Run(peer, ["\(processors)"] + paths))
      }
      print(
        "| \(name) | \(row(ours.map { $0.wall }, theirs.map { $0.wall }))"
          + " | \(row(ours.map { $0.processor }, theirs.map { $0.processor }))"
          + " | \(median(ours.map { $0.memory })) |")
    }
  }
}
