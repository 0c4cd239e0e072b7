// The C math functions are all that this module takes from outside the standard library.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#elseif canImport(ucrt)
  import ucrt
#elseif canImport(WASILibc)
  import WASILibc
#else
  // Embedded Swift has no module for them: the program links its own C library.
  @_silgen_name("exp") private func exp(_ x: Double) -> Double
  @_silgen_name("expm1") private func expm1(_ x: Double) -> Double
  @_silgen_name("pow") private func pow(_ x: Double, _ y: Double) -> Double
  @_silgen_name("log") private func log(_ x: Double) -> Double
#endif

@inline(__always) package func exponential(_ x: Double) -> Double { exp(x) }
@inline(__always) package func exponentialMinusOne(_ x: Double) -> Double { expm1(x) }
@inline(__always) package func power(_ x: Double, _ y: Double) -> Double { pow(x, y) }
@inline(__always) package func logarithm(_ x: Double) -> Double { log(x) }
