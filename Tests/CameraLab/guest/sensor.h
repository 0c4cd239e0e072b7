// Controls of a sensor of raw pictures for the virtual camera vimc, and their effect on its frames;
// make-vimc.sh includes this file in the driver's source.

// 640 pixels and the blanking at this rate take 20 us, and 2000 lines 40 ms.
#define LAB_PIXEL_RATE 82000000
#define LAB_HBLANK 1000
#define LAB_HEIGHT 480

static const char *const lab_patterns[] = {"Disabled", "Color Bars"};

static s32 lab_value(struct v4l2_ctrl_handler *handler, u32 id) {
  struct v4l2_ctrl *ctrl = v4l2_ctrl_find(handler, id);
  return ctrl ? v4l2_ctrl_g_ctrl(ctrl) : 0;
}

static int lab_set(struct v4l2_ctrl *ctrl) {
  // An exposure ends with its frame.
  if (ctrl->id == V4L2_CID_VBLANK && ctrl->priv)
    __v4l2_ctrl_modify_range(ctrl->priv, 4, LAB_HEIGHT + ctrl->val - 4, 1, 1000);
  return 0;
}

static const struct v4l2_ctrl_ops lab_ops = {.s_ctrl = lab_set};

static void lab_add_controls(struct v4l2_ctrl_handler *handler) {
  struct v4l2_ctrl *exposure, *ctrl;
  exposure = v4l2_ctrl_new_std(handler, &lab_ops, V4L2_CID_EXPOSURE, 4, 1996, 1, 1000);
  v4l2_ctrl_new_std(handler, &lab_ops, V4L2_CID_ANALOGUE_GAIN, 0, 232, 1, 0);
  ctrl = v4l2_ctrl_new_std(handler, &lab_ops, V4L2_CID_VBLANK, 4, 60000, 1, 1520);
  if (ctrl) ctrl->priv = exposure;
  ctrl = v4l2_ctrl_new_std(handler, &lab_ops, V4L2_CID_HBLANK, LAB_HBLANK, LAB_HBLANK, 1, LAB_HBLANK);
  if (ctrl) ctrl->flags |= V4L2_CTRL_FLAG_READ_ONLY;
  v4l2_ctrl_new_std(handler, &lab_ops, V4L2_CID_PIXEL_RATE, LAB_PIXEL_RATE, LAB_PIXEL_RATE, 1,
                    LAB_PIXEL_RATE);
  v4l2_ctrl_new_std_menu_items(handler, &lab_ops, V4L2_CID_TEST_PATTERN, 1, 0, 0, lab_patterns);
}

// Makes a frame a white surface, whose light is proportional to the exposure in lines and to the
// gain 256 / (256 - v); with the test pattern, it stays as it is.
static void lab_expose(struct v4l2_ctrl_handler *handler, u8 *frame, unsigned int size) {
  s32 light = lab_value(handler, V4L2_CID_EXPOSURE) * 128 / 1000;
  unsigned int i;
  if (lab_value(handler, V4L2_CID_TEST_PATTERN)) return;
  light = light * 256 / (256 - lab_value(handler, V4L2_CID_ANALOGUE_GAIN));
  for (i = 0; i < size; i++) frame[i] = light > 255 ? 255 : light;
}
