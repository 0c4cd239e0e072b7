// capture DEVICE SECONDS: captures frames in a simple loop of poll and dequeue, and prints a line
// for each frame and for the reason why it ended.
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

static const char *reason(int failed) { return failed ? strerror(errno) : "ok"; }

static int request(int device, unsigned count) {
  struct v4l2_requestbuffers buffers = {
      .count = count, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
  if (ioctl(device, VIDIOC_REQBUFS, &buffers)) return -1;
  for (unsigned i = 0; i < buffers.count; i++) {
    struct v4l2_buffer buffer = {.index = i, .type = buffers.type, .memory = buffers.memory};
    ioctl(device, VIDIOC_QUERYBUF, &buffer);
    mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, device, buffer.m.offset);
    ioctl(device, VIDIOC_QBUF, &buffer);
  }
  return 0;
}

static void stream(int device, int seconds) {
  time_t end = time(NULL) + seconds;
  while (time(NULL) < end) {
    struct pollfd wait = {device, POLLIN | POLLPRI, 0};
    if (!poll(&wait, 1, 1000)) {
      puts("nothing for 1 s");
      return;
    }
    struct v4l2_buffer buffer = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (ioctl(device, VIDIOC_DQBUF, &buffer)) {
      printf("dequeue: %s, poll %#x\n", strerror(errno), (unsigned)wait.revents);
      return;
    }
    printf("frame %u bytes=%u%s\n", buffer.sequence, buffer.bytesused,
           buffer.flags & V4L2_BUF_FLAG_ERROR ? " error" : "");
    if (ioctl(device, VIDIOC_QBUF, &buffer)) {
      printf("queue: %s\n", strerror(errno));
      return;
    }
  }
}

int main(int count, char **words) {
  if (count != 3) return 64;
  int device = open(words[1], O_RDWR | O_NONBLOCK), type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  if (device < 0) {
    printf("open: %s\n", strerror(errno));
    return 1;
  }
  if (request(device, 4) || ioctl(device, VIDIOC_STREAMON, &type)) {
    printf("stream on: %s\n", strerror(errno));
    return 1;
  }
  stream(device, atoi(words[2]));
  struct v4l2_control red = {.id = V4L2_CID_RED_BALANCE};
  printf("read control: %s\n", reason(ioctl(device, VIDIOC_G_CTRL, &red)));
  printf("stream off: %s\n", reason(ioctl(device, VIDIOC_STREAMOFF, &type)));
  return 0;
}
