import WbcalArguments

/// Writes the manual page, for developers and packagers of the tool.
struct Manual: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "generate-manual", abstract: "Write the manual page.", shouldDisplay: false)

  func execute() async throws {
    var output = StandardOutput()
    try output.write(
      Wbcal.manualPage(
        description: Self.description,
        sections: [
          ManualSection(
            "EXIT STATUS",
            terms: ExitCode.meanings.map { ("\($0.code.rawValue)", $0.meaning) }),
          ManualSection("FILES", terms: Self.files),
          ManualSection("ENVIRONMENT", terms: Self.environment),
          ManualSection(
            "EXAMPLES", text: "A first session, with the simulated camera:\n\n\(Wbcal.example)"),
        ]))
    try output.flush()
  }

  private static let description = """
    wbcal measures a camera's response to known lights and the laws of its controls, sets a \
    temperature and tint, and verifies in the picture that they are set. It also measures pictures \
    and converts numbers without a camera.

    \(Wbcal.terms)

    Results go to standard output, everything else to standard error.
    """

  private static let files = [
    (
      "/var/lib/wbcal",
      "The settings of cameras, for the restore command: one JSON file per camera."
    ),
    ("$XDG_STATE_HOME/wbcal, ~/.local/state/wbcal", "The same, for users who may not write there."),
    (
      "90-wbcal.rules, wbcal-restore@.service",
      "The udev rule and the systemd unit that restore the setting of a camera that is plugged in "
        + "back."
    ),
  ]

  private static let environment = [
    ("WBCAL_STATE", "The folder in which settings are kept, instead of those named above."),
    ("XDG_STATE_HOME", "The parent of the user's folder of settings; ~/.local/state by default."),
    (
      "XDG_RUNTIME_DIR",
      "The parent of the folder in which the simulated camera keeps its settings between commands; "
        + "without it they are in a folder for temporary files."
    ),
    ("WBCAL_LIGHT", "Set for the command of calibrate --change-light: the light to switch on."),
  ]
}
