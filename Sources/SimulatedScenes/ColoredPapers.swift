internal import WbcalFoundation

/// The reflectances of the papers around the gray card: a smooth peak each, or its complement.
package let coloredPapers: [@Sendable (Double) -> Double] =
  [(450, 40), (480, 30), (520, 35), (550, 40), (580, 30), (610, 45), (650, 40)].map {
    peak, spread in { 0.05 + 0.5 * exp(-pow(($0 - peak) / spread, 2) / 2) }
  }
  + [(460, 45), (540, 40), (600, 60)].map { dip, spread in
    { 0.45 - 0.4 * exp(-pow(($0 - dip) / spread, 2) / 2) }
  }
