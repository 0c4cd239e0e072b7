/// Whose module this is.
public let owner = "neighbor"
