#if ICC
internal import CWbcalLittleCMS
internal import ColorScience

/// A context of Little CMS for reading or writing one profile, with the errors that it logs.
@safe final class LittleCMSSession {
  // The log is a separate class because the error handler is a C function that receives only the
  // context's user data.
  private final class Log { var messages: [String] = [] }
  private let log = Log()
  let context: OpaquePointer

  init() throws(ICCProfileError) {
    let data = unsafe Unmanaged.passUnretained(log).toOpaque()
    guard let context = unsafe cmsCreateContext(nil, data) else {
      throw .littleCMS("out of memory")
    }
    unsafe self.context = context
    unsafe cmsSetLogErrorHandlerTHR(context) { context, _, text in
      guard let text = unsafe text, let data = unsafe cmsGetContextUserData(context) else { return }
      let log = unsafe Unmanaged<Log>.fromOpaque(data).takeUnretainedValue()
      unsafe log.messages.append(String(cString: text))
    }
  }

  deinit { unsafe cmsDeleteContext(context) }

  var messages: [String] { log.messages }

  /// The first error, which causes the others.
  var failure: ICCProfileError { .littleCMS(messages.first ?? "no reason was stated") }

  /// Opens the profile in a file's bytes; the caller closes it.
  func open(_ bytes: [UInt8]) -> cmsHPROFILE? {
    guard let count = UInt32(exactly: bytes.count), count > 0 else { return nil }
    return unsafe cmsOpenProfileFromMemTHR(context, bytes, count)
  }

  /// Opens a file's profile of red, green and blue and returns the value that `read` obtains from
  /// it; `nil` for other files, and if reading fails.
  static func reading<Value>(
    _ bytes: [UInt8], _ read: (LittleCMSSession, cmsHPROFILE) -> Value?
  ) -> Value? {
    guard let session = try? LittleCMSSession(), let profile = unsafe session.open(bytes) else {
      return nil
    }
    defer { unsafe cmsCloseProfile(profile) }
    guard unsafe cmsGetColorSpace(profile) == cmsSigRgbData else { return nil }
    let value = unsafe read(session, profile)
    return session.messages.isEmpty ? value : nil
  }

  /// Returns a profile as a file.
  func bytes(of profile: cmsHPROFILE) throws(ICCProfileError) -> [UInt8] {
    var count: UInt32 = 0
    guard messages.isEmpty, unsafe cmsSaveProfileToMem(profile, nil, &count) != 0 else {
      throw failure
    }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    guard unsafe cmsSaveProfileToMem(profile, &bytes, &count) != 0 else { throw failure }
    return bytes
  }

  // If a function of Little CMS fails, it logs an error; callers check the log once, at the end.

  func write(_ vector: SIMD3<Double>, to profile: cmsHPROFILE, _ tag: cmsTagSignature) {
    var value = cmsCIEXYZ(X: vector.x, Y: vector.y, Z: vector.z)
    unsafe cmsWriteTag(profile, tag, &value)
  }

  func write(_ matrix: Matrix3x3, to profile: cmsHPROFILE, _ tag: cmsTagSignature) {
    var values = matrix.elements
    unsafe cmsWriteTag(profile, tag, &values)
  }

  func write(text: String, to profile: cmsHPROFILE, _ tag: cmsTagSignature) {
    let ascii = String(
      String.UnicodeScalarView(text.unicodeScalars.map { (" "..."~").contains($0) ? $0 : "?" }))
    guard let value = unsafe cmsMLUalloc(context, 1) else { return }
    defer { unsafe cmsMLUfree(value) }
    unsafe cmsMLUsetASCII(value, "en", "US", ascii)
    unsafe cmsWriteTag(profile, tag, UnsafeRawPointer(value))
  }

  func writeLinearCurve(to profile: cmsHPROFILE, _ tags: [cmsTagSignature]) {
    guard let curve = unsafe cmsBuildGamma(context, 1) else { return }
    defer { unsafe cmsFreeToneCurve(curve) }
    for tag in tags { unsafe cmsWriteTag(profile, tag, UnsafeRawPointer(curve)) }
  }

  /// Writes a table of version 2 from red, green and blue to CIELAB.
  ///
  /// The nodes are equally spaced in cube roots, in which CIELAB is nearly linear.
  func writeTable(to profile: cmsHPROFILE, _ color: (LinearRGB) -> LabColor) {
    let count = 33
    let channel = (0..<count).map { index in
      let root = Double(index) / Double(count - 1)
      return root * root * root
    }
    var table = [UInt16](repeating: 0, count: 3 * count * count * count)
    for node in 0..<count * count * count {
      let lab = color(
        LinearRGB(
          red: channel[node / (count * count)], green: channel[node / count % count],
          blue: channel[node % count]))
      var value = cmsCIELab(L: lab.l, a: lab.a, b: lab.b)
      unsafe table.withUnsafeMutableBufferPointer { codes in
        unsafe cmsFloat2LabEncodedV2(codes.baseAddress! + 3 * node, &value)
      }
    }
    guard let pipeline = unsafe cmsPipelineAlloc(context, 3, 3) else { return }
    defer { unsafe cmsPipelineFree(pipeline) }
    guard let root = unsafe cmsBuildGamma(context, 1 / 3.0) else { return }
    defer { unsafe cmsFreeToneCurve(root) }
    let curves = unsafe [Optional(root), root, root]
    unsafe cmsPipelineInsertStage(
      pipeline, cmsAT_END, cmsStageAllocToneCurves(context, 3, curves))
    unsafe cmsPipelineInsertStage(
      pipeline, cmsAT_END, cmsStageAllocCLut16bit(context, UInt32(count), 3, 3, table))
    unsafe cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(context, 3, nil))
    unsafe cmsWriteTag(profile, cmsSigAToB0Tag, UnsafeRawPointer(pipeline))
  }

  func vector(of profile: cmsHPROFILE, _ tag: cmsTagSignature) -> SIMD3<Double>? {
    guard let data = unsafe cmsReadTag(profile, tag) else { return nil }
    let value = unsafe data.load(as: cmsCIEXYZ.self)
    return SIMD3(value.X, value.Y, value.Z)
  }
}
#endif
