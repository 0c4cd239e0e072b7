extension ProbedCamera {
  /// Makes the gray card neutral as nearly as the controls can, and leaves them there.
  ///
  /// As `Camera.neutralizeCard()`, in fewer steps, for the laws tell where to go; whatever they are
  /// off by, another look corrects.
  ///
  /// - Parameter progress: called before each step.
  /// - Throws: `CameraError.nothingToSee` where the estimate is refused; the camera is as before
  ///   then.
  public func neutralizeCard(
    progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> NeutralizedCard {
    try await camera.restoringOnFailure(decidesBalance: true) { camera async throws(CameraError) in
      try await camera.balancedCard(laws: laws, for: .setting, progress)
    }
  }
}
