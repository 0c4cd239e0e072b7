import CWbcalVideo4Linux

/// The entities of a media device, such as a sensor and an image processor, and their links, as the
/// kernel describes them.
struct MediaGraph {
  struct Entity {
    var id: UInt32
    var name: String
    var function: UInt32
  }

  /// A device file for one or more entities.
  struct Interface {
    var id: UInt32
    var type: UInt32
    var node: DeviceNumber
  }

  /// A connector of an entity.
  struct Pad {
    var id: UInt32
    var entity: UInt32
    /// The number of the pad among those of its entity; `nil` if the kernel is too old to state it.
    var index: UInt32?
  }

  /// A link from pad to pad, from a device file to its entity, or from a sensor to its lens.
  struct Link {
    var source: UInt32
    var sink: UInt32
    var flags: UInt32
  }

  var entities: [Entity] = []
  var interfaces: [Interface] = []
  var pads: [Pad] = []
  var links: [Link] = []

  /// An entity that a video node's pictures pass, and that has a device file of its own.
  struct Subdevice: Hashable {
    var name: String
    var node: DeviceNumber
    /// The pad at which the pictures leave it, if it is known.
    var pad: UInt32?
    var isSensor: Bool
  }

  /// Returns the sub-devices whose pictures come to a video node, those nearest the sensor first;
  /// `nil` if the node belongs to another media device.
  func subdevices(upstreamOf node: DeviceNumber) -> [Subdevice]? {
    let own = interfaces.filter { $0.type == MEDIA_INTF_T_V4L_VIDEO.bits && $0.node == node }
    guard !own.isEmpty else { return nil }
    var passed: [(entity: UInt32, pad: UInt32?, distance: Int)] = links.compactMap { link in
      link.type == MEDIA_LNK_FL_INTERFACE_LINK && own.contains { $0.id == link.source }
        ? (link.sink, nil, 0) : nil
    }
    var next = 0
    while next < passed.count {
      let (entity, _, distance) = passed[next]
      next += 1
      let found =
        sources(of: entity).map { ($0.entity, $0.index, distance + 1) }
        // A lens is as far away as its sensor.
        + lenses(of: entity).map { ($0, nil, distance) }
      for one in found where !passed.contains(where: { $0.entity == one.0 }) { passed.append(one) }
    }
    // Entities at the same distance stay in the order in which they were found.
    return passed.enumerated().sorted {
      ($1.element.distance, $0.offset) < ($0.element.distance, $1.offset)
    }.compactMap { subdevice($0.element.entity, pad: $0.element.pad) }
  }

  /// Returns the pads of other entities from which pictures now come to an entity.
  private func sources(of entity: UInt32) -> [Pad] {
    let sinks = pads.filter { $0.entity == entity }.map(\.id)
    return links.compactMap { link in
      guard link.type == MEDIA_LNK_FL_DATA_LINK, link.flags & MEDIA_LNK_FL_ENABLED.bits != 0,
        sinks.contains(link.sink)
      else { return nil }
      return pads.first { $0.id == link.source }
    }
  }

  private func lenses(of entity: UInt32) -> [UInt32] {
    links.filter { $0.type == MEDIA_LNK_FL_ANCILLARY_LINK && $0.source == entity }.map(\.sink)
  }

  private func subdevice(_ id: UInt32, pad: UInt32?) -> Subdevice? {
    let files = links.filter { $0.type == MEDIA_LNK_FL_INTERFACE_LINK && $0.sink == id }
    guard let entity = entities.first(where: { $0.id == id }),
      let file = interfaces.first(where: { interface in
        interface.type == MEDIA_INTF_T_V4L_SUBDEV.bits
          && files.contains { $0.source == interface.id }
      })
    else { return nil }
    return Subdevice(
      name: entity.name, node: file.node, pad: pad,
      isSensor: entity.function == MEDIA_ENT_F_CAM_SENSOR.bits)
  }
}

extension MediaGraph.Link {
  /// The bits of the flags that distinguish the kinds of links.
  var type: Int32 { Int32(bitPattern: flags & (0xF << 28)) }
}
