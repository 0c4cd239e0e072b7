extension ProbedCamera {
  /// Makes the gray card as neutral as the controls can, and leaves them there.
  ///
  /// Works like `Camera.balanceOnCard()` in fewer steps, because the laws predict the settings;
  /// another measurement corrects their error.
  ///
  /// - Parameter progress: A closure that is called before each step.
  /// - Throws: `CameraError.cardUnreadable` if the estimate is refused; the previous settings are
  ///   restored.
  public func balanceOnCard(
    progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> CardBalance {
    try await camera.restoringOnFailure(decidesBalance: true) { camera async throws(CameraError) in
      try await camera.balancedCard(laws: laws, for: .setting, progress)
    }
  }
}
