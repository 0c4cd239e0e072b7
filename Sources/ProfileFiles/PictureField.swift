/// The fields that describe a picture in a DNG file and its exposure, by their tags in TIFF, Exif
/// and DNG.
enum PictureField: UInt16, TIFFTag {
  case newSubfileType = 254
  case imageWidth = 256
  case imageLength = 257
  case bitsPerSample = 258
  case compression = 259
  case photometricInterpretation = 262
  case stripOffsets = 273
  case orientation = 274
  case samplesPerPixel = 277
  case rowsPerStrip = 278
  case stripByteCounts = 279
  case planarConfiguration = 284
  case subIFDs = 330
  case cfaRepeatPatternDim = 33421
  case cfaPattern = 33422
  case exposureTime = 33434
  case exifIFD = 34665
  case photographicSensitivity = 34855
  case exifVersion = 36864
  case dateTimeOriginal = 36867
  case dngVersion = 50706
  case dngBackwardVersion = 50707
  case blackLevelRepeatDim = 50713
  case blackLevel = 50714
  case whiteLevel = 50717
  case defaultCropOrigin = 50719
  case defaultCropSize = 50720
  case opcodeList2 = 51009
  case noiseProfile = 51041
}
