import ProfileFiles

precondition(LibcameraTuning(named: "imx219") != nil)
