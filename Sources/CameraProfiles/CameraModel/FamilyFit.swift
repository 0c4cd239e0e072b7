internal import ColorScience
internal import WhiteBalance

/// The most probable parameters of one family, found by Levenberg–Marquardt steps. The curvature at
/// the optimum (Laplace's approximation) gives their uncertainty and the family's evidence.
///
/// Source: K. Levenberg 1944 and D. W. Marquardt 1963 for the steps; D. J. C. MacKay, *Bayesian
/// Interpolation*, 1992, for the evidence and the number of parameters that the observations
/// determine.
struct FamilyFit {
  let model: ForwardModel
  private(set) var parameters: [Double]
  /// The free parameters' covariance, row by row.
  private(set) var covariance: [Double] = []
  /// The sum of squared residuals, each divided by its standard deviation, and the number of
  /// residuals.
  private(set) var squares = 0.0
  private(set) var count = 0
  /// The effective number of parameters that the observations determine rather than the prior.
  private(set) var decided = 0.0
  /// The logarithm of the probability of the observations, up to a constant that is the same for
  /// all families.
  private(set) var evidence = -Double.infinity
  private(set) var floor = LookTable.leastFloor

  /// Fits from a start.
  ///
  /// - Parameter isFar: `true` if the start is a guess. The fit then first ignores the effect of
  ///   noise on the tone curve, which distorts the path to the optimum.
  init(
    _ model: ForwardModel, _ looks: LookTable, from start: [Double], isFar: Bool, effort: Effort
  ) {
    self.model = model
    parameters = start
    let free = Set(model.free)
    for place in start.indices where !free.contains(place) { parameters[place] = model.mean[place] }
    floor = looks.floor
    var steps = FamilySteps(model, looks)
    if isFar {
      steps.prediction.noiseShare = 0
      steps.descend(&parameters, effort)
      steps.prediction.noiseShare = 1
    }
    steps.descend(&parameters, effort)
    finish(steps)
  }

  /// The number of steps that a fit may take, and the gain of a step that ends it.
  enum Effort {
    /// For the parameters and their errors.
    case usual
    /// For choosing one of many starts.
    case brief
    /// For comparing explanations by their evidence, which differs little between them.
    case careful

    fileprivate var rounds: Int { self == .brief ? 6 : 60 }

    /// The gain below which a step counts as short, at a cost.
    fileprivate func leastGain(_ cost: Double) -> Double {
      (self == .careful ? 0.1 : 1) * (0.01 + 3e-4 * cost)
    }
  }

  private mutating func finish(_ steps: FamilySteps) {
    let cost = steps.cost
    guard cost.isFinite,
      let curvature = CholeskyFactor(size: model.free.count, rows: steps.curvature)
    else { return }
    covariance = curvature.inverse.flatMap(\.self)
    var known = 0.0
    for place in covariance.indices { known += covariance[place] * model.precision[place] }
    squares = steps.squares
    count = steps.weights.reduce(into: 0) { $0 += $1 > 0 ? 1 : 0 }
    decided = Double(model.free.count) - known
    evidence =
      0.5 * (model.logDeterminant - curvature.logDeterminant - cost)
      + steps.weights.reduce(0.0) { $0 + ($1 > 0 ? logarithm($1) : 0) }
  }

  /// The squared residuals per degree of freedom; 1 if residuals are as large as stated.
  var misfit: Double { squares / max(Double(count) - decided, 3) }

  /// The factor of the covariance where residuals are larger than noise. If the error floor was
  /// raised, the factor is 4 (twice the error), since the residuals are then systematic.
  var looseness: Double { max(1, misfit) * (floor > LookTable.leastFloor ? 4 : 1) }

  /// The value of a function of the parameters and its derivatives by the free ones, row by row.
  func differentiate(
    _ function: ([Double]) -> [Double]
  ) -> (values: [Double], derivatives: [[Double]]) {
    let values = function(parameters)
    var changed = parameters
    let derivatives = model.free.map { place in
      changed[place] += 1e-5
      defer { changed[place] = parameters[place] }
      return zip(function(changed), values).map { ($0 - $1) / 1e-5 }
    }
    return (values, derivatives)
  }
}

/// The state that the steps of a fit share: the prediction, and the equations of the next step.
struct FamilySteps {
  var prediction: ModelPrediction
  private let model: ForwardModel
  private let codes: [Double]
  /// The reciprocals of the codes' standard deviations; 0 for codes that are not used.
  let weights: [Double]
  private(set) var curvature: [Double]
  private var gradient: [Double]
  private(set) var squares = 0.0
  /// The cost of the parameters at which `descend` has ended; the curvature is that there.
  private(set) var cost = Double.infinity
  /// The derivatives by each parameter, divided by the codes' standard deviations, in vectors of
  /// four; zeros fill the last vector, and the last row if the number of parameters is odd.
  private var scaled: [SIMD4<Double>]
  private let vectors: Int
  private var distances: [Double]

  init(_ model: ForwardModel, _ looks: LookTable) {
    self.model = model
    prediction = ModelPrediction(model, looks)
    codes = looks.codes
    let floor = looks.floor * looks.floor
    weights = zip(looks.variances, looks.isUsed).map { $1 ? 1 / ($0 + floor).squareRoot() : 0 }
    let free = model.free.count
    curvature = [Double](repeating: 0, count: free * free)
    gradient = [Double](repeating: 0, count: free)
    distances = gradient
    vectors = (codes.count + 3) / 4
    scaled = [SIMD4<Double>](repeating: .zero, count: (free + free % 2) * vectors)
  }

  /// Steps downhill until no step lowers the cost enough.
  mutating func descend(_ parameters: inout [Double], _ effort: FamilyFit.Effort) {
    var damping = 1e-3
    var short = 0
    cost = linearize(parameters)
    let free = model.free
    var next = parameters
    for _ in 0..<effort.rounds {
      var lower: Double?
      for _ in 0..<8 {
        var equations = curvature
        for index in free.indices { equations[index * free.count + index] *= 1 + damping }
        if let factor = CholeskyFactor(size: free.count, rows: equations) {
          let step = factor.solve(gradient)
          for (index, place) in free.enumerated() {
            next[place] = parameters[place] + min(max(step[index], -1.5), 1.5)
          }
          let there = cost(at: next)
          if there <= cost {
            lower = there
            break
          }
        }
        damping *= 5
      }
      guard let lower else { return }
      let gain = cost - lower
      (cost, damping) = (lower, damping / 5)
      for place in free { parameters[place] = next[place] }
      cost = linearize(parameters)
      // Valleys are long: one short step does not mean that the optimum is reached.
      short = gain < effort.leastGain(cost) ? short + 1 : 0
      if short == 3 { return }
    }
  }

  /// The cost of parameters: the squares of residuals plus those of distances from the prior.
  private mutating func cost(at parameters: [Double]) -> Double {
    prediction.predict(parameters)
    return residualSquares() + priorSquares(parameters)
  }

  private func residualSquares() -> Double {
    var sum = 0.0
    for row in codes.indices {
      let residual = (codes[row] - prediction.codes[row]) * weights[row]
      sum += residual * residual
    }
    return sum
  }

  private mutating func priorSquares(_ parameters: [Double]) -> Double {
    let count = model.free.count
    for (index, place) in model.free.enumerated() {
      distances[index] = parameters[place] - model.mean[place]
    }
    var sum = 0.0
    for (row, own) in distances.enumerated() {
      var pull = own * model.precision[row * count + row]
      for column in model.correlated[row] {
        pull += model.precision[row * count + column] * distances[column]
      }
      sum += own * pull
    }
    return sum
  }

  /// Fills the curvature and the gradient, and returns the cost.
  private mutating func linearize(_ parameters: [Double]) -> Double {
    prediction.differentiate(parameters)
    setScaled()
    squares = residualSquares()
    let prior = priorSquares(parameters)
    setCurvature()
    setGradient()
    return squares + prior
  }

  private mutating func setScaled() {
    let rows = codes.count
    for index in 0..<model.free.count {
      let first = index * rows
      for vector in 0..<vectors {
        let row = 4 * vector
        func element(_ lane: Int) -> Double {
          row + lane < rows
            ? prediction.jacobian[first + row + lane] * weights[row + lane] : 0
        }
        scaled[index * vectors + vector] = SIMD4(element(0), element(1), element(2), element(3))
      }
    }
  }

  /// Sets the curvature: the products of all pairs of derivatives, and the prior's precision. Two
  /// rows at a time are multiplied by two, so that each vector is read half as often.
  private mutating func setCurvature() {
    let count = model.free.count
    func set(_ i: Int, _ j: Int, _ product: SIMD4<Double>) {
      guard i < count, j <= i else { return }
      let sum = product.sum() + model.precision[i * count + j]
      curvature[i * count + j] = sum
      curvature[j * count + i] = sum
    }
    for i in stride(from: 0, to: count, by: 2) {
      for j in stride(from: 0, through: i, by: 2) {
        var (first, second) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        var (third, fourth) = (first, first)
        let (a, b) = (i * vectors, j * vectors)
        for vector in 0..<vectors {
          let (upper, lower) = (scaled[a + vector], scaled[a + vectors + vector])
          let (left, right) = (scaled[b + vector], scaled[b + vectors + vector])
          first += upper * left
          second += upper * right
          third += lower * left
          fourth += lower * right
        }
        set(i, j, first)
        set(i, j + 1, second)
        set(i + 1, j, third)
        set(i + 1, j + 1, fourth)
      }
    }
  }

  /// Sets the gradient: the pull of the residuals and of the prior on each parameter.
  private mutating func setGradient() {
    let (count, rows) = (model.free.count, codes.count)
    for i in 0..<count {
      var pull = 0.0
      for row in 0..<rows {
        let weight = weights[row]
        pull +=
          prediction.jacobian[i * rows + row] * weight * weight
          * (codes[row] - prediction.codes[row])
      }
      for j in 0..<count { pull -= model.precision[i * count + j] * distances[j] }
      gradient[i] = pull
    }
  }
}
