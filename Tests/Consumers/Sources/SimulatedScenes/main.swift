import SimulatedScenes

let lamp = MeasuredLamp(named: "FL11")!
let response = MeasuredSensor.all[0].response(to: lamp.spectrum)
precondition(response.red > 0 && response.green > 0 && response.blue > 0)
