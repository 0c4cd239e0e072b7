/// The bytes of a captured picture.
public final class PictureBuffer: @unchecked Sendable {
  // Only the pool writes it, and only while no caller has a reference to the buffer.
  private var storage: [UInt8]

  init(capacity: Int) {
    storage = []
    storage.reserveCapacity(capacity)
  }

  /// The bytes.
  public var bytes: [UInt8] { storage }

  func fill(_ bytes: Span<UInt8>) {
    storage.removeAll(keepingCapacity: true)
    unsafe bytes.withUnsafeBufferPointer { unsafe storage.append(contentsOf: $0) }
  }
}

/// The buffers of the pictures of a camera's brackets. A buffer is used again when the caller that
/// got it has released it.
actor PicturePool {
  private var buffers: [PictureBuffer] = []

  /// Indicates whether a buffer is in use.
  var isLent: Bool { buffers.indices.contains { !isKnownUniquelyReferenced(&buffers[$0]) } }

  /// Allocates a number of buffers of a size; a smaller number than before releases memory.
  func prepare(_ count: Int, capacity: Int) {
    buffers = (0..<count).map { _ in PictureBuffer(capacity: capacity) }
  }

  /// Returns a buffer that is not in use.
  func spare() -> PictureBuffer {
    if let free = buffers.indices.first(where: { isKnownUniquelyReferenced(&buffers[$0]) }) {
      return buffers[free]
    }
    let new = PictureBuffer(capacity: 0)
    buffers.append(new)
    return new
  }

  var count: Int { buffers.count }
}
