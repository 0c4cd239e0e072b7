// If Foundation is split into modules, only its essentials are used: the internationalization
// module would take a third of the program's start-up time, and most of its size if it is
// statically linked.
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
