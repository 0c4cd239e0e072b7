import WbcalArguments
import WbcalImageFiles

/// The pictures that a command reads one by one: names on the command line or in standard input.
struct PictureList: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Pictures; - for names from standard input, one per line or each ended by NUL; /dev/stdin "
        + "for one picture from it."), completion: .file())
  var file: [String] = []

  /// Reads the pictures on all processors, and passes the results to `show` in their order.
  ///
  /// - Parameter show: prints a result; returns the exit code if it is refused.
  /// - Throws: the exit code of the first picture that was refused.
  func forEach<Reading: Sendable>(
    read: @escaping @Sendable (_ path: String, inout ImageFileReader) throws -> Reading,
    show: (_ path: String, Result<Reading, Failure>) throws -> ExitCode?
  ) throws {
    var code: ExitCode?
    var done = 0
    let total = file.contains("-") ? "" : " of \(file.count)"
    let work = OrderedWork(nextInput: names()) {
      var reader = ImageFileReader()
      return { name in
        Result {
          if let problem = name.problem { throw problem }
          return try read(name.path, &reader)
        }.mapError { Failure($0, about: name.path) }
      }
    }
    Progress.shared.show("0\(total) pictures done")
    try work.forEach { name, result in
      let refused = try show(name.path, result)
      code = code ?? refused
      done += 1
      Progress.shared.show("\(done)\(total) pictures done")
    }
    if done == 0 {
      throw Failure.noInput("standard input contains no file names")
    }
    if let code { throw code }
  }

  /// Returns a function that returns the names in turn; `-` stands for those in standard input.
  private func names() -> () -> ListedName? {
    var arguments = file.makeIterator()
    var list: NameList?
    return {
      while true {
        if let name = list?.next() { return name }
        list = nil
        guard let name = arguments.next() else { return nil }
        if name != "-" { return ListedName(path: name) }
        list = NameList()
      }
    }
  }
}
