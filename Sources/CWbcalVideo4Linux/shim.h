#include <errno.h>
#include <linux/media.h>
#include <linux/v4l2-subdev.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>

// The numbers of requests are macros that do not import into Swift.
#define CV4L_REQUEST(name) static const unsigned long CV4L_##name = VIDIOC_##name
CV4L_REQUEST(QUERYCAP);
CV4L_REQUEST(ENUM_FMT);
CV4L_REQUEST(ENUM_FRAMESIZES);
CV4L_REQUEST(ENUM_FRAMEINTERVALS);
CV4L_REQUEST(S_FMT);
CV4L_REQUEST(G_PARM);
CV4L_REQUEST(S_PARM);
CV4L_REQUEST(REQBUFS);
CV4L_REQUEST(QUERYBUF);
CV4L_REQUEST(QBUF);
CV4L_REQUEST(DQBUF);
CV4L_REQUEST(STREAMON);
CV4L_REQUEST(STREAMOFF);
CV4L_REQUEST(QUERY_EXT_CTRL);
CV4L_REQUEST(QUERYMENU);
CV4L_REQUEST(G_CTRL);
CV4L_REQUEST(S_CTRL);
CV4L_REQUEST(G_EXT_CTRLS);
CV4L_REQUEST(S_EXT_CTRLS);
CV4L_REQUEST(TRY_EXT_CTRLS);
CV4L_REQUEST(SUBSCRIBE_EVENT);
CV4L_REQUEST(DQEVENT);
CV4L_REQUEST(SUBDEV_G_FMT);
static const unsigned long CV4L_MEDIA_DEVICE_INFO = MEDIA_IOC_DEVICE_INFO;
static const unsigned long CV4L_MEDIA_G_TOPOLOGY = MEDIA_IOC_G_TOPOLOGY;

// Calls ioctl as a function of fixed arguments, and returns zero or more, or the negative number of
// an error. A signal does not end it.
static inline int cv4l_ioctl(int descriptor, unsigned long request, void *argument) {
  int result;
  do result = ioctl(descriptor, request, argument);
  while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : result;
}
