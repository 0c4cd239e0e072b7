import CameraControl

let error = CameraError.notFound("usb-Acme_Cam")
precondition("\(error)".contains("usb-Acme_Cam"))
