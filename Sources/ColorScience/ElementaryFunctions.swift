// The C math functions are the module's only dependency outside the standard library.
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
@_silgen_name("cbrt") private func cbrt(_ x: Double) -> Double
@_silgen_name("sin") private func sin(_ x: Double) -> Double
@_silgen_name("cos") private func cos(_ x: Double) -> Double
@_silgen_name("atan2") private func atan2(_ y: Double, _ x: Double) -> Double
#endif

@inline(__always) package func exponential(_ x: Double) -> Double { exp(x) }
@inline(__always) package func exponentialMinusOne(_ x: Double) -> Double { expm1(x) }
@inline(__always) package func power(_ x: Double, _ y: Double) -> Double { pow(x, y) }
@inline(__always) package func logarithm(_ x: Double) -> Double { log(x) }
@inline(__always) package func cubeRoot(_ x: Double) -> Double { cbrt(x) }
@inline(__always) package func sine(_ x: Double) -> Double { sin(x) }
@inline(__always) package func cosine(_ x: Double) -> Double { cos(x) }
/// The angle of the point (x, y) from the x axis, −π…π.
@inline(__always) package func arctangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
