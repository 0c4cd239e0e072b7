/// The bytes of a picture that was taken.
public final class PictureBuffer: @unchecked Sendable {
  // Written by the pool alone, while nobody else holds the buffer.
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

/// The buffers of a camera's brackets, which are lent to who asked for the pictures.
actor PicturePool {
  private var buffers: [PictureBuffer] = []

  /// Whether somebody keeps a buffer.
  var isLent: Bool { buffers.indices.contains { !isKnownUniquelyReferenced(&buffers[$0]) } }

  /// Makes so many buffers of a size; fewer give memory back.
  func prepare(_ count: Int, capacity: Int) {
    buffers = (0..<count).map { _ in PictureBuffer(capacity: capacity) }
  }

  /// A buffer that nobody holds.
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
