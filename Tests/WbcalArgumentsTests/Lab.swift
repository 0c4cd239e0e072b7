import Testing
import WbcalArguments

/// A command tree with an argument of every kind.
struct Lab: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Develops film.",
    discussion: """
      Examples:
        lab develop roll.raw
        lab mix --ratio 3
      """,
    version: "lab 1.2",
    subcommands: [Develop.self, Mix.self, Scan.self, Fail.self, Secret.self])
}

struct Shared: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Say more.") var verbose = false
  @Option(name: .shortAndLong, help: "How many jobs to run.") var jobs = 2

  func validate() throws {
    guard jobs > 0 else { throw ValidationError("There must be a job.") }
  }
}

struct Develop: AsyncParsableCommand {
  enum Process: String, CaseIterable, ExpressibleByArgument {
    case color = "c41"
    case slide = "e6"
  }

  static let configuration = CommandConfiguration(
    abstract: "Develops rolls.", discussion: "Rolls are raw files.")

  @OptionGroup var shared: Shared
  @Option(name: .shortAndLong, help: "The chemical process.") var process = Process.color
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Where to write.", valueName: "file"),
    completion: .file(extensions: ["tif", "dng"]))
  var output: String?
  @Option(name: .customLong("push-stops"), help: "Push by stops.") var stops: Double?
  @Option(name: .shortAndLong, help: "A tag; may be repeated.") var tag: [String] = []
  @Argument(help: "The first roll.", completion: .file()) var roll: String
  @Argument(help: "More rolls.", completion: .file()) var others: [String] = []

  var untouched = 7
}

struct Mix: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Mixes chemicals.")

  @Option(
    help: ArgumentHelp(
      "Parts of water to one part of developer, which must never be stronger than the label says.",
      valueName: "parts"))
  var ratio: Int
  @Option(transform: { try Celsius($0) }) var temperature = Celsius(degrees: 20)
  @Argument var agent: String
  @Argument var note: String?

  struct Celsius: CustomStringConvertible {
    struct NoUnit: Error, CustomStringConvertible { let description = "needs a C at its end" }
    var degrees: Int
    var description: String { "\(degrees)C" }

    init(degrees: Int) { self.degrees = degrees }

    init(_ word: String) throws {
      guard word.last == "C", let degrees = Int(word.dropLast()) else { throw NoUnit() }
      self.degrees = degrees
    }
  }
}

struct Scan: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Scans film.", subcommands: [Strip.self, Sheet.self])

  struct Strip: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Scans a strip.")
  }

  struct Sheet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Scans a sheet.")
    @Option(name: .shortAndLong) var pages = 1
    @Argument var frames: [Int] = []

    func run() async throws {
      await Task.yield()
      print("pages \(pages) frames \(frames)")
    }
  }
}

struct Fail: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Fails.")
  struct Broken: Error, CustomStringConvertible { let description = "The tank leaks." }

  @Argument var how: String

  func run() throws {
    switch how {
    case "error": throw Broken()
    case "code": throw ExitCode(3)
    case "usage": throw ValidationError("Not like this.")
    default: print("worked")
    }
  }
}

struct Secret: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Hidden.", shouldDisplay: false)
}

extension AsyncParsableCommand {
  /// Parses arguments that select the command of this type.
  static func parse(_ arguments: [String]) throws -> Self {
    try #require(try parseAsRoot(arguments) as? Self)
  }
}

/// Returns the text that a process with the root command would print, and its exit status.
func outcome(_ arguments: String...) -> (text: String, code: Int32) { outcome(arguments) }

func outcome(_ arguments: [String]) -> (text: String, code: Int32) {
  do {
    _ = try Lab.parseAsRoot(arguments)
    return ("", 0)
  } catch {
    return (Lab.fullMessage(for: error, columns: 80), Lab.exitCode(for: error).rawValue)
  }
}

/// Returns the help screen of a command that is its own root.
func help(of command: any AsyncParsableCommand.Type) -> String {
  do {
    return "\(try command.parseAsRoot(["--help"]))"
  } catch {
    return command.fullMessage(for: error, columns: 80)
  }
}
