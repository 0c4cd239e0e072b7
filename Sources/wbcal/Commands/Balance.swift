import CameraProfiles
import Synchronization
import WbcalArguments
import WbcalFoundation
import WbcalImageFiles
import WbcalSystem
import WhiteBalance

struct Balance: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Apply gains to pictures, so that a gray card in them becomes neutral.",
    discussion: """
      The gains are those of --gains, or of the gray card in each picture, or of the
      card in another picture (--like), from the same camera under the same light, or
      those that a --profile has for a --light. They multiply linear values. The
      transfer function is that of --transfer, or else of the ICC profile, or else of
      the file, or else sRGB.

      Gains are scaled so that the smallest is 1: white stays white, and samples that
      would exceed white are clipped and counted on standard error. With
      --preserve-highlights the largest gain is 1 and nothing is clipped; the picture
      becomes darker. In both cases a sample that is already at white stays there.
      JSON also has them with green 1.

      The file keeps its format, bit depth, alpha, ICC profile, orientation and
      resolution. JPEG files are compressed again (quality 95, no chroma
      subsampling); palettes become RGB, transparent colors alpha, and only the first
      page of a TIFF file is written. The format of raw photographs cannot be written:
      develop them with the gains that wbcal estimate prints, or with --to srgb, or
      write them with --to dng.

      Exif, XMP and IPTC data are kept, also in another format, and with them the
      position (GPS), names and the camera's serial number; --no-metadata omits them.
      Those of raw photographs are read if the file has the structure of TIFF (DNG,
      NEF, CR2, ARW, PEF). Data that would be wrong are changed: size, orientation and
      color space with --to srgb. Thumbnails, which have the old colors, are omitted.
      Damaged data, and data for which a format has no room, are omitted with a
      remark. Maker's notes are kept where their offsets stay valid.

      A profile with a flat field also corrects the shading of the lens, in pictures
      of the size of its own; then it needs no --light. Do not balance a picture with
      it twice: the file does not state that its shading was corrected.

      With --to srgb the colors of the profile's camera under the light are applied as
      well (with a root polynomial for a calibrated camera, else a matrix), and
      surfaces look as they do under D65: an upright picture in sRGB with 16 bits in
      .png, .tiff and .ppm, and 8 in .jpg. Raw photographs and raw frames become half
      as wide and high, with one pixel for each cell of the filter. Highlights stay
      neutral, and colors beyond sRGB are clipped to it and counted.

      With --to dng the codes of a raw photograph or of a raw frame stay as they are,
      and the file states the gains as its white (AsShotNeutral), from which raw
      converters start. It has the color matrices of the --profile, or else those of
      the photograph, if that is a DNG file, and the gains of the profile's flat field
      (OpcodeList2), which converters apply. With --light, also together with
      --like or --gains, the matrix of a camera that was calibrated under lights of
      known spectrum is that for the light; otherwise many converters use the one for
      D65 under every light. With --glare the black levels of red, green and blue
      include the light that lay on the whole chart of 'wbcal calibrate --chart', as
      in pictures taken with the exposure, lens and light of the chart's.

      Several pictures are written to a folder, each under its own name; with --to
      srgb, those whose format cannot be written become .png, and with --to dng all
      become .dng. If a picture fails, the error is printed, and the others are still
      written; the exit code is that of the first error.

      Common gains fit one light only. The motifs of successive pictures, and their
      exposures and times where files state them, show whether the light has changed;
      wbcal names the pictures that need a card of their own, with its certainty.
      Motifs differ like lights, so that a small change remains unnoticed. --report
      writes a page with a row for each picture.

        wbcal balance shot.png --region 796,908,36,36 -o balanced.png
        wbcal balance shot.tif --like card.tif -o balanced.tif
        wbcal balance day/*.jpg --like card.jpg --region 796,908,36,36 -o balanced/
        wbcal balance day/*.dng --like day/card.dng --to dng --report day.html -o raw/
        wbcal balance shot.jpg --gains 1.4,1,1.9 --preserve-highlights -o balanced.jpg
        wbcal balance frame.raw --raw 1920x1080:RG10 --black 64 -o balanced.raw
        wbcal balance shot.dng --profile desk.json --light LED-B3 --to srgb -o a.png
        wbcal balance shot.png --profile flat.json --region 796,908,36,36 -o even.png
        wbcal balance day/*.nef --like card.nef --profile d.json --to dng -o raw/
      """)

  /// A color space, or a kind of raw file, in which pictures are written.
  enum Target: String, CaseIterable, ExpressibleByArgument { case srgb, dng }

  @Argument(help: "The pictures; - for one from standard input.", completion: .file())
  var file: [String] = []
  @Option(
    name: .shortAndLong,
    help: "The picture to write, - for standard output, or the folder for several.",
    completion: .file())
  var output: String
  @Option(
    help: ArgumentHelp("The gains, red, green and blue.", valueName: "R,G,B"), transform: parseGains
  )
  var gains: Gains?
  @Option(
    help: ArgumentHelp(
      "Another picture, whose --region shows the gray card.", valueName: "picture"),
    completion: .file())
  var like: String?
  @Option(help: ArgumentHelp(ProfileSource.help), completion: .profile) var profile: String?
  @Option(help: "With --profile: the light on the scene, as for 'wbcal calibrate'.")
  var light: String?
  @Option(
    help: ArgumentHelp(
      "srgb converts the colors of the profile's camera to that color space; dng writes raw "
        + "pictures with their white balance."))
  var to: Target?
  @Flag(help: "With --to dng: state the glare of the profile's chart as black.") var glare = false
  @OptionGroup var picture: PictureOptions
  @Flag(help: "Use the profile even for a picture of another camera.") var anyCamera = false
  @Option(
    help: ArgumentHelp(
      "A page to write with the light of each picture, if all get the same gains.",
      valueName: "page.html"), completion: .file())
  var report: String?
  @Flag(help: "Darken the picture instead of clipping.") var preserveHighlights = false
  @Flag(
    help: ArgumentHelp(
      "Leave out Exif, XMP and IPTC data and texts, such as the place, except for what is needed to "
        + "display the picture."))
  var noMetadata = false
  @Flag(help: "Write the result as JSON.") var json = false

  func validate() throws {
    try forbid(file.isEmpty, "name a picture, or - for one from standard input.")
    try forbid(gains != nil && like != nil, "--gains and --like cannot be combined.")
    if to == .srgb {
      try forbid((profile == nil) != (light == nil), "--profile and --light require each other.")
    } else {
      try forbid(light != nil && profile == nil, "--light requires --profile.")
      try forbid(
        to == nil && light != nil && (gains != nil || like != nil),
        "--light and \(gains == nil ? "--like" : "--gains") cannot be combined.")
    }
    try forbid(to == .srgb && profile == nil, "--to srgb requires --profile and --light.")
    try forbid(anyCamera && profile == nil, "--any-camera requires --profile.")
    try forbid(
      glare && (to != .dng || profile == nil), "--glare requires --to dng and --profile.")
    try forbid(
      light != nil && like == nil && picture.card.region != nil,
      "--region and --profile cannot be combined without --like, the picture of the gray card.")
    try forbid(
      gains != nil && picture.card.region != nil,
      "--region, for a gray card, and --gains cannot be combined.")
    try forbid(
      file.count > 1 && !isFolder,
      "several pictures require a folder: --output \(shown(output)) is not one; end it in /.")
    try forbid(
      file.contains("-") && (file.count > 1 || isFolder),
      "- is one picture from standard input: give it alone, and a file as --output.")
    try forbid(
      report != nil && gains == nil && like == nil && light == nil,
      "--report requires gains for all pictures: --like, --gains or --light.")
    try forbid(report == "-", "--report writes a file, not to standard output.")
    try forbid(json && output == "-", "--json and the picture cannot both go to standard output.")
  }

  /// `true` if pictures are written to a folder, under their own names.
  private var isFolder: Bool {
    if output.hasSuffix("/") { return true }
    var status = stat()
    return unsafe stat(output.systemName, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  func execute() async throws {
    let jobs = try jobs()
    try refuse(
      outputs: jobs.map(\.output) + [report].compactMap(\.self),
      over: file + [like, profile].compactMap(\.self))
    if let report {
      let page = URL(filePath: report).standardizedFileURL
      try forbid(
        jobs.contains { URL(filePath: $0.output).standardizedFileURL == page },
        "\(shown(report)) is also a picture's name: give the page another.")
    }
    for job in jobs where to != nil && job.output != "-" {
      if to == .dng {
        try forbid(
          !DNGCamera.isNamed(job.output),
          "\(job.output) would be a DNG file: use a name that ends in .dng.")
        continue
      }
      try forbid(
        [nil, .raw].contains(ImageFormat(promisedBy: job.output)),
        "\(job.output) is not a name for a picture: end it in .png, .tiff, .jpg or .ppm.")
    }
    let camera = try profile.map { try ProfileSource(argument: $0) }
    try forbid(
      to == nil && light == nil && camera?.profile.flatFields.isEmpty == true,
      "--profile requires --light or --to, or a flat field in the profile ('wbcal calibrate "
        + "--flat').")
    let balance = try PictureBalance(self, camera)
    try makeFolder()
    if jobs.count == 1 {
      let done = try balance.balanced(jobs[0])
      try show(done)
      var series = BalancedSeries(card: balance.cardSeen)
      if let seen = done.seen { series.add(seen) }
      return try show(series)
    }
    try await balanceAll(jobs, balance)
  }

  /// Creates the folder for the pictures, unless it exists.
  private func makeFolder() throws {
    guard isFolder, unsafe mkdir(output.systemName, 0o777) != 0, errno != EEXIST else { return }
    var failure = Failure("create", output, errno: errno)
    failure.code = failure.code == .noInput ? .inputOutput : failure.code
    throw failure
  }

  /// Returns each picture with its output path.
  private func jobs() throws -> [PictureBalance.Job] {
    guard isFolder else { return file.map { .init(file: $0, output: output) } }
    var sources: [String: String] = [:]
    return try file.map { path in
      let url = URL(filePath: path)
      let isWritten = to == nil || ImageFormat(promisedBy: path).map { $0 != .raw } == true
      let ending: String? = to == .dng ? "dng" : isWritten ? nil : "png"
      let name = ending.map { url.deletingPathExtension().appendingPathExtension($0) } ?? url
      let target = URL(filePath: output).appending(path: name.lastPathComponent).relativePath
      if let other = sources.updateValue(path, forKey: target) {
        throw ValidationError(
          "\(shown(other)) and \(shown(path)) would both become \(shown(target)).")
      }
      return .init(file: path, output: target)
    }
  }

  /// Balances pictures on all processors. After a signal, the pictures that were begun are
  /// finished.
  private func balanceAll(_ jobs: [PictureBalance.Job], _ balance: PictureBalance) async throws {
    try balance.requireCard()
    let interrupts = await Interrupts.begin()
    let isStopped = Mutex(false)
    interrupts.act { isStopped.withLock { $0 = true } }
    var next = jobs.makeIterator()
    let work = OrderedWork(nextInput: { isStopped.withLock(\.self) ? nil : next.next() }) {
      { (job: PictureBalance.Job) in Result { try balance.balanced(job) } }
    }
    var series = BalancedSeries(card: balance.cardSeen)
    var code: ExitCode?
    var done = 0
    Progress.shared.show("0 of \(jobs.count) pictures done")
    let result = Result {
      try work.forEach { job, result in
        do {
          let picture = try result.get()
          try show(picture, name: job.file)
          if let seen = picture.seen { series.add(seen) }
        } catch {
          if error is ExitCode { throw error }
          let failure = Failure(error, about: job.file)
          series.add(failed: job.file, failure.message)
          complain(failure.message)
          if json { try printJSON(failure, of: ["file": job.file]) }
          code = code ?? failure.code
        }
        done += 1
        Progress.shared.show("\(done) of \(jobs.count) pictures done")
      }
    }
    if let signal = interrupts.end() {
      complain("interrupted: \(done) of \(jobs.count) pictures are done")
      throw ExitCode(128 + signal)
    }
    try result.get()
    try show(series)
    if let code { throw code }
  }

  /// States the light of the pictures, and writes the page.
  private func show(_ series: BalancedSeries) throws {
    guard let findings = series.findings() else {
      if let report { remark("\(report) was not written: there are too few pictures to compare") }
      return
    }
    for text in findings.remarks { remark(text) }
    if json { try printJSON(findings.record) }
    guard let report else { return }
    let source = like.map { "those of the card in \($0)" } ?? light.map { "for \($0)" } ?? "given"
    try replaceFile(report, with: Array(findings.page(gains: source).utf8))
    if !json, output != "-" { try StandardOutput.line("wrote \(report)") }
  }

  private func show(_ done: PictureBalance.Done, name: String? = nil) throws {
    for text in done.remarks { remark(name.map { "\(shown($0)): \(text)" } ?? text) }
    if json {
      switch done.record {
      case .balance(let record): try printJSON(record)
      case .development(let record): try printJSON(record)
      case .dng(let record): try printJSON(record)
      }
    } else if output != "-" {
      try StandardOutput.line(done.line)
    }
  }
}
