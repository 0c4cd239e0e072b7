// Where Foundation comes in parts, its essentials are all that is used: what knows the world's
// languages would take a third of the time in which the program starts, and most of its size where
// it stands alone.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#endif
