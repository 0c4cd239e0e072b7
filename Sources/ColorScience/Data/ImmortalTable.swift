/// A table of numbers that is computed once and lives as long as the program.
///
/// An array would check bounds and count references at each of the dozen accesses of a conversion,
/// which would take half of its time. Callers stay in range; debug builds check it.
@safe struct ImmortalTable<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  fileprivate let base: UnsafePointer<Element>
  fileprivate let count: Int

  init(_ elements: [Element]) {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
    unsafe memory.initialize(from: elements, count: elements.count)
    unsafe base = UnsafePointer(memory)
    count = elements.count
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    assert(index >= 0 && index < count)
    return unsafe base[index]
  }
}

extension ImmortalTable where Element: SIMDScalar {
  /// The elements at `index` and `index + 1`.
  @inline(__always)
  func pair(at index: Int) -> SIMD2<Element> {
    assert(index >= 0 && index + 1 < count)
    return unsafe UnsafeRawPointer(base + index).loadUnaligned(as: SIMD2<Element>.self)
  }
}
