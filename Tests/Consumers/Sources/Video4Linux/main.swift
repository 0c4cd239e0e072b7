import Video4Linux

for camera in await VideoDevice.connected() { print(camera.identity.id) }
