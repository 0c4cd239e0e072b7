// Imports every product together with another package whose targets have plain names.
import ArgumentParser
import CFrameKernels
import CLibRaw
import CLittleCMS
import CMeasuredSpectra
import CSPNG
import CTIFF
import CTurboJPEG
import CVideo4Linux
import CalibrationTargets
import CameraControl
import CameraProfiles
import CameraTestSupport
import ColorScience
import GenICam
import ICCProfiles
import ImageFiles
import ProfileFiles
import Reports
import SimulatedCamera
import SimulatedScenes
import Video4Linux
import WhiteBalance
import WhiteBalanceTestSupport
import calibration_study
import camera_probe

let owners = [
  ArgumentParser.owner, CFrameKernels.owner, CLibRaw.owner, CLittleCMS.owner,
  CMeasuredSpectra.owner, CSPNG.owner, CTIFF.owner, CTurboJPEG.owner, CVideo4Linux.owner,
  ImageFiles.owner, Reports.owner, calibration_study.owner, camera_probe.owner,
]
precondition(owners.allSatisfy { $0 == "neighbor" })
precondition(TemperatureAndTint(Chromaticity(x: 0.3127, y: 0.3290)) != nil)
