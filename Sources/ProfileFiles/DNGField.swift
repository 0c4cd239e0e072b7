/// The DNG fields that describe a camera's color, by their TIFF tags.
enum DNGField: UInt16, TIFFTag {
  case make = 271
  case model = 272
  case uniqueCameraModel = 50708
  case cameraSerialNumber = 50735
  case colorMatrix1 = 50721
  case colorMatrix2 = 50722
  case cameraCalibration1 = 50723
  case cameraCalibration2 = 50724
  case analogBalance = 50727
  case asShotNeutral = 50728
  case asShotWhiteXY = 50729
  case calibrationIlluminant1 = 50778
  case calibrationIlluminant2 = 50779
  case cameraCalibrationSignature = 50931
  case profileCalibrationSignature = 50932
  case profileName = 50936
  case profileHueSatMapDims = 50937
  case profileHueSatMapData1 = 50938
  case profileHueSatMapData2 = 50939
  case profileToneCurve = 50940
  case profileCopyright = 50942
  case forwardMatrix1 = 50964
  case forwardMatrix2 = 50965
  case profileLookTableData = 50982
  case calibrationIlluminant3 = 52529
  case cameraCalibration3 = 52530
  case colorMatrix3 = 52531
  case forwardMatrix3 = 52532
  case illuminantData1 = 52533
  case illuminantData2 = 52534
  case illuminantData3 = 52535
  case profileHueSatMapData3 = 52537

  static let colorMatrices = [colorMatrix1, colorMatrix2, colorMatrix3]
  static let forwardMatrices = [forwardMatrix1, forwardMatrix2, forwardMatrix3]
  static let cameraCalibrations = [cameraCalibration1, cameraCalibration2, cameraCalibration3]
  static let calibrationIlluminants = [
    calibrationIlluminant1, calibrationIlluminant2, calibrationIlluminant3,
  ]
  static let hueSatMaps = [
    profileHueSatMapData1, profileHueSatMapData2, profileHueSatMapData3,
  ]
  /// The fields that give surfaces their look, which a camera model does not use.
  static let looks =
    forwardMatrices + hueSatMaps + [profileLookTableData, profileToneCurve]
  static let illuminantData = [illuminantData1, illuminantData2, illuminantData3]
}
