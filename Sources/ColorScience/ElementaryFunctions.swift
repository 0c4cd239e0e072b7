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
#endif

@inline(__always) package func exponential(_ x: Double) -> Double { exp(x) }
@inline(__always) package func exponentialMinusOne(_ x: Double) -> Double { expm1(x) }
@inline(__always) package func power(_ x: Double, _ y: Double) -> Double { pow(x, y) }
@inline(__always) package func logarithm(_ x: Double) -> Double { log(x) }
