/// The package to which this module belongs.
public let owner = "neighbor"
