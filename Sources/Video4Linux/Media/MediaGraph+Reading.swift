import CWbcalVideo4Linux
import CameraControl
import Glibc

extension MediaGraph {
  /// Reads the graph of an open media device: MEDIA_IOC_DEVICE_INFO and MEDIA_IOC_G_TOPOLOGY.
  init(_ handle: any DeviceHandle, path: String) throws(CameraError) {
    var info = media_device_info()
    try CameraError.check(
      handle.perform(CV4L_MEDIA_DEVICE_INFO, on: &info), "MEDIA_IOC_DEVICE_INFO", path)
    let topology = try Topology(handle, path)
    entities = topology.entities.map {
      Entity(id: $0.id, name: text(of: $0.name), function: $0.function)
    }
    interfaces = topology.interfaces.map {
      let node = $0.devnode
      return Interface(
        id: $0.id, type: $0.intf_type, node: DeviceNumber(major: node.major, minor: node.minor))
    }
    // Linux 4.19 added the number of a pad.
    let hasIndices = info.media_version >= 4 << 16 | 19 << 8
    pads = topology.pads.map {
      Pad(id: $0.id, entity: $0.entity_id, index: hasIndices ? $0.index : nil)
    }
    links = topology.links.map { Link(source: $0.source_id, sink: $0.sink_id, flags: $0.flags) }
  }

  /// The kernel's arrays.
  private struct Topology {
    var entities: [media_v2_entity] = []
    var interfaces: [media_v2_interface] = []
    var pads: [media_v2_pad] = []
    var links: [media_v2_link] = []

    /// Requests the lengths of the arrays and then the arrays, which may have become longer
    /// meanwhile.
    init(_ handle: any DeviceHandle, _ path: String) throws(CameraError) {
      var result: CInt = 0
      for _ in 0..<4 {
        var lengths = media_v2_topology()
        try CameraError.check(
          handle.perform(CV4L_MEDIA_G_TOPOLOGY, on: &lengths), "MEDIA_IOC_G_TOPOLOGY", path)
        entities = .init(repeating: .init(), count: Int(lengths.num_entities))
        interfaces = .init(repeating: .init(), count: Int(lengths.num_interfaces))
        pads = .init(repeating: .init(), count: Int(lengths.num_pads))
        links = .init(repeating: .init(), count: Int(lengths.num_links))
        result = fill(handle)
        if result != -ENOSPC { break }
      }
      try CameraError.check(result, "MEDIA_IOC_G_TOPOLOGY", path)
    }

    private mutating func fill(_ handle: any DeviceHandle) -> CInt {
      var topology = media_v2_topology()
      topology.num_entities = UInt32(entities.count)
      topology.num_interfaces = UInt32(interfaces.count)
      topology.num_pads = UInt32(pads.count)
      topology.num_links = UInt32(links.count)
      return unsafe entities.withUnsafeMutableBytes { entities in
        unsafe interfaces.withUnsafeMutableBytes { interfaces in
          unsafe pads.withUnsafeMutableBytes { pads in
            unsafe links.withUnsafeMutableBytes { links in
              topology.ptr_entities = unsafe entities.address
              topology.ptr_interfaces = unsafe interfaces.address
              topology.ptr_pads = unsafe pads.address
              topology.ptr_links = unsafe links.address
              return handle.perform(CV4L_MEDIA_G_TOPOLOGY, on: &topology)
            }
          }
        }
      }
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// The address as the kernel expects it in a structure.
  fileprivate var address: UInt64 { UInt64(UInt(bitPattern: baseAddress)) }
}
