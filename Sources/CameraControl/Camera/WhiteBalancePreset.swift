/// A light of the menu `ControlID.whiteBalancePreset`; each raw value is the control's value.
///
/// Source: V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE and its temperatures in the Linux kernel's
/// documentation.
public enum WhiteBalancePreset: Int, CaseIterable, Hashable, Sendable {
  /// No light is chosen; other controls decide.
  case manual = 0
  /// The camera decides.
  case automatic
  /// 2500…3500 K.
  case incandescent
  /// 4000…5000 K.
  case fluorescent
  /// Fluorescent light of another kind.
  case fluorescentH
  /// About 5000 K.
  case horizon
  /// 5000…6500 K.
  case daylight
  /// 5000…5500 K.
  case flash
  /// 6500…8000 K.
  case cloudy
  /// 9000…10 000 K.
  case shade
}
