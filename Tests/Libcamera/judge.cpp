// Loads a tuning file in one of libcamera's IPA modules, starts the module, and prints what its
// algorithms make of the file.
//
//   judge MODULE.so TUNING SENSOR [KELVIN ...] [auto KELVIN RED BLUE] [shading] [crop]
//
// For each KELVIN a frame is asked to be balanced for it, and for `auto` 200 frames show gray whose
// R/G and B/G are RED and BLUE. Each line of the answer is what the module says of a frame: the
// temperature that was asked for, that of the metadata, gains, matrix and black levels. `shading`
// adds a line for each point of the grid of gains that the module has set for the hardware: its
// place, as shares of the sensor's sides, and the gains of red, of green in rows of red and of
// blue, and of blue. `crop` reads out a part of the sensor instead of all of it.
// Ends with 0 if the module took the file. What its algorithms object to is in libcamera's log.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <new>

#include <linux/bcm2835-isp.h>
#include <linux/rkisp1-config.h>
#include <linux/v4l2-controls.h>
#include <linux/videodev2.h>

#include <libcamera/base/shared_fd.h>
#include <libcamera/control_ids.h>
#include <libcamera/controls.h>
#include <libcamera/ipa/ipa_interface.h>
#include <libcamera/ipa/raspberrypi_ipa_interface.h>
#include <libcamera/ipa/rkisp1_ipa_interface.h>
#include "libcamera/internal/software_isp/debayer_params.h"
#include "libcamera/internal/software_isp/swisp_stats.h"
#if __has_include(<libcamera/ipa/softisp_ipa_interface.h>)
#include <libcamera/ipa/softisp_ipa_interface.h>
using SoftInterface = libcamera::ipa::softisp::IPASoftIspInterface;
#else  // up to 0.7.2
#include <libcamera/ipa/soft_ipa_interface.h>
using SoftInterface = libcamera::ipa::soft::IPASoftInterface;
#endif
#ifdef HAVE_PISP
#include <libpisp/backend/backend.hpp>
#include <libpisp/frontend/frontend.hpp>
#endif

using namespace libcamera;

// Memory that is shared with the module as a buffer of the kernel's would be.
struct Memory {
  explicit Memory(size_t size) : size(size) {
    int file = memfd_create("judge", 0);
    if (file < 0 || ftruncate(file, size)) std::abort();
    data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    fd = SharedFD(std::move(file));
  }
  template <typename T> T *as() { return static_cast<T *>(data); }
  IPABuffer buffer(uint32_t id) const {
    return {id, {{.fd = fd, .offset = 0, .length = static_cast<unsigned>(size)}}};
  }
  size_t size;
  void *data;
  SharedFD fd;
};

static ControlInfoMap controlMap(std::initializer_list<std::array<int, 4>> entries) {
  static std::deque<ControlId> ids;
  static std::deque<ControlIdMap> idMaps;
  ControlInfoMap::Map map;
  ControlIdMap &idMap = idMaps.emplace_back();
  for (auto [id, least, greatest, usual] : entries) {
    idMap[id] = &ids.emplace_back(id, "control" + std::to_string(id), "v4l2",
                                  ControlTypeInteger32, ControlId::Direction::In);
    map.emplace(idMap[id], ControlInfo(least, greatest, usual));
  }
  return ControlInfoMap(std::move(map), idMap);
}

static const ControlInfoMap sensorControls = controlMap({
    {V4L2_CID_EXPOSURE, 4, 1759, 1600}, {V4L2_CID_ANALOGUE_GAIN, 0, 232, 0},
    {V4L2_CID_VBLANK, 32, 60000, 531}, {V4L2_CID_HBLANK, 1808, 31128, 1808}});

static ControlList sensorValues() {
  ControlList list(sensorControls);
  for (auto &[id, info] : sensorControls) list.set(id->id(), info.def());
  return list;
}

// The sensor, the part of it that is read out, and the frame: the cells of each ISP's grid of gains
// are whole pixels of it.
static constexpr Size sensor{3840, 2880}, frameSize{1920, 1440};
static Rectangle part{sensor};

static IPACameraSensorInfo sensorInfo(const char *model) {
  return {model, 10, 0, sensor, part, frameSize, 182400000, 3728, 33048, 1971, 65535};
}

static std::function<void()> printShading;  // of a module that has set gains against it

// Prints the gains at a place in shares of the frame's sides.
static void printGains(double x, double y, double red, double redGreen, double blueGreen,
                       double blue) {
  printf("shading %.6f %.6f %.6f %.6f %.6f %.6f\n", (part.x + x * part.width) / sensor.width,
         (part.y + y * part.height) / sensor.height, red, redGreen, blueGreen, blue);
}

// What is asked of a frame, and what it shows: gray with these R/G and B/G.
struct Frame {
  bool automatic;
  int kelvin;
  double red, blue;

  ControlList request() const {
    ControlList list(controls::controls);
    list.set(controls::AwbEnable, automatic);
    if (!automatic) list.set(controls::ColourTemperature, kelvin);
    return list;
  }
};

using Ready = void (*)(const ControlList &);
static std::function<void(const Frame &)> run;  // of a module that has taken the file
static uint32_t number = 0;

// What the module did to the last frame.
static float lastGains[2] = {1, 1}, lastMatrix[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static int loadSoft(IPAInterface *module, const IPASettings &settings, Ready ready) {
  auto *ipa = static_cast<SoftInterface *>(module);
  static Memory stats(sizeof(SwIspStats)), params(sizeof(DebayerParams));
  static ControlInfoMap answer;
  bool matrices = false;
  if (int error = ipa->init(settings, stats.fd, params.fd, sensorInfo(settings.sensorModel.c_str()),
                            sensorControls, &answer, &matrices))
    return error;
  ipa->metadataReady.connect(ipa, [ready](uint32_t, const ControlList &list) { ready(list); });
  if (int error = ipa->configure({sensorControls})) return error;
  ipa->start();
  run = [ipa](const Frame &frame) {
    constexpr uint64_t pixels = 64000, black = 16, green = 100;
    auto sum = [](double level) { return static_cast<uint64_t>(pixels * (black + level)); };
    const uint64_t r = sum(green * frame.red), g = sum(green), b = sum(green * frame.blue);
    auto fill = [&](auto *seen) {  // a template, for earlier versions
      seen->yHistogram.fill(pixels / SwIspStats::kYHistogramSize);
      if constexpr (requires { seen->valid; }) seen->valid = true;
      if constexpr (requires { seen->sum_; })
        seen->sum_.r() = r, seen->sum_.g() = g, seen->sum_.b() = b;
      else
        seen->sumR_ = r, seen->sumG_ = g, seen->sumB_ = b;
    };
    fill(stats.as<SwIspStats>());
    ipa->queueRequest(number, frame.request());
    ipa->computeParams(number);
    ipa->processStats(number++, 1, sensorValues());
  };
  return 0;
}

// Remembers the gains of the parameters for the kernel, if this frame's have any.
static void findShading(rkisp1_ext_params_cfg *params) {
  for (uint32_t place = 0; place + sizeof(rkisp1_ext_params_block_header) <= params->data_size;) {
    auto *block = reinterpret_cast<rkisp1_ext_params_lsc_config *>(params->data + place);
    const bool on = !(block->header.flags & RKISP1_EXT_PARAMS_FL_BLOCK_DISABLE);
    if (block->header.type == RKISP1_EXT_PARAMS_BLOCK_TYPE_LSC && on)
      printShading = [lens = block->config] {
        constexpr int cells = RKISP1_CIF_ISP_LSC_SAMPLES_MAX - 1;
        auto size = [](const uint16_t *table, int cell) {  // the second half mirrors the first
          return cell < cells ? table[std::min(cell, cells - 1 - cell)] : 0;
        };
        for (int row = 0, y = 0; row <= cells; y += size(lens.y_size_tbl, row++))
          for (int column = 0, x = 0; column <= cells; x += size(lens.x_size_tbl, column++))
            printGains(x / double(frameSize.width), y / double(frameSize.height),
                       lens.r_data_tbl[row][column] / 1024.0,
                       lens.gr_data_tbl[row][column] / 1024.0,
                       lens.gb_data_tbl[row][column] / 1024.0,
                       lens.b_data_tbl[row][column] / 1024.0);
      };
    place += block->header.size;
  }
}

template <typename T>  // the interface, which has no `blocks` in earlier versions
static int loadRkISP1(T *ipa, const IPASettings &settings, Ready ready) {
  static ControlInfoMap answer;
  const uint32_t revision = RKISP1_V10, blocks = ~0u;
  const auto info = sensorInfo(settings.sensorModel.c_str());
  int error;
  if constexpr (requires { ipa->init(settings, revision, blocks, info, sensorControls, &answer); })
    error = ipa->init(settings, revision, blocks, info, sensorControls, &answer);
  else
    error = ipa->init(settings, revision, info, sensorControls, &answer);
  if (error) return error;
  ipa->metadataReady.connect(ipa, [ready](uint32_t, const ControlList &list) { ready(list); });
  ipa::rkisp1::IPAConfigInfo config(info, sensorControls, V4L2_META_FMT_RK_ISP1_EXT_PARAMS);
  if ((error = ipa->configure(config, {}, &answer))) return error;
  static Memory params(sizeof(rkisp1_ext_params_cfg)), stats(sizeof(rkisp1_stat_buffer));
  ipa->mapBuffers({params.buffer(1), stats.buffer(2)});
  ipa->start();
  run = [ipa](const Frame &frame) {
    ipa->queueRequest(number, frame.request());
    ipa->computeParams(number, 1);
    findShading(params.as<rkisp1_ext_params_cfg>());
    auto *seen = stats.as<rkisp1_stat_buffer>();
    seen->meas_type =
        RKISP1_CIF_ISP_STAT_AWB | RKISP1_CIF_ISP_STAT_AUTOEXP | RKISP1_CIF_ISP_STAT_HIST;
    memset(seen->params.ae.exp_mean, 100, sizeof(seen->params.ae.exp_mean));
    for (auto &bin : seen->params.hist.hist_bins) bin = 1600;
    // This ISP measures behind gains and matrix, in luma and chroma of 8 bits.
    const double in[] = {80 * frame.red * lastGains[0], 80, 80 * frame.blue * lastGains[1]};
    double rgb[3];
    for (int row = 0; row < 3; row++)
      rgb[row] = lastMatrix[3 * row] * in[0] + lastMatrix[3 * row + 1] * in[1] +
                 lastMatrix[3 * row + 2] * in[2];
    auto byte = [&](double zero, double r, double g, double b) {
      return static_cast<uint8_t>(std::lround(zero + r * rgb[0] + g * rgb[1] + b * rgb[2]));
    };
    seen->params.awb.awb_mean[0] = {1000, byte(16, 0.25, 0.5, 0.1094),
                                    byte(128, -0.1406, -0.2969, 0.4375),
                                    byte(128, 0.4375, -0.375, -0.0625)};
    ipa->processStats(number++, 2, sensorValues());
  };
  return 0;
}

static Memory &shadingTable() {
  static Memory table(ipa::RPi::MaxLsGridSize);
  return table;
}

// Remembers where the gains for a Raspberry Pi 0 to 4 are: a plane for each of the four colors.
static void findShading(const ControlList &controls) {
  if (!controls.contains(V4L2_CID_USER_BCM2835_ISP_LENS_SHADING)) return;
  bcm2835_isp_lens_shading grid;
  memcpy(&grid, controls.get(V4L2_CID_USER_BCM2835_ISP_LENS_SHADING).data().data(), sizeof grid);
  printShading = [grid] {
    const uint16_t *gains = shadingTable().as<uint16_t>();
    const uint32_t plane = grid.grid_stride * grid.grid_height;
    for (uint32_t row = 0; row < grid.grid_height; row++)
      for (uint32_t column = 0; column < grid.grid_width; column++) {
        auto gain = [&](int color) {
          return gains[color * plane + row * grid.grid_stride + column] / 1024.0;
        };
        printGains(column * grid.grid_cell_size / double(frameSize.width),
                   row * grid.grid_cell_size / double(frameSize.height), gain(0), gain(1), gain(2),
                   gain(3));
      }
  };
}

#ifdef HAVE_PISP
// libpisp declares this function, and does not define it.
void libpisp::BackEnd::GetLsc(pisp_be_lsc_config &lens, pisp_be_lsc_extra &extra) const {
  lens = be_config_.lsc;
  extra = be_config_extra_.lsc;
}

// Prints the gains for a Raspberry Pi 5: three codes of 10 bits in one of the ranges from 0.5 to
// 1.5 and from 0 to 2, 4 or 8.
static void printPacked(const libpisp::BackEnd &back) {
  pisp_be_lsc_config lens;
  pisp_be_lsc_extra extra;
  back.GetLsc(lens, extra);
  for (int row = 0; row <= PISP_BE_LSC_GRID_SIZE; row++)
    for (int column = 0; column <= PISP_BE_LSC_GRID_SIZE; column++) {
      const uint32_t codes = lens.lut_packed[row][column], range = codes >> 30;
      auto gain = [&](int color) {
        const double code = codes >> 10 * color & 1023;
        return range ? std::ldexp(code, range - 10) : 0.5 + code / 1024;
      };
      const double side = PISP_BE_LSC_GRID_SIZE;
      printGains(column / side, row / side, gain(0), gain(1), gain(1), gain(2));
    }
}
#endif

static int loadPi(IPAInterface *module, bool pisp, const IPASettings &settings, Ready ready) {
  using namespace ipa::RPi;
  auto *ipa = static_cast<IPARPiInterface *>(module);
  const auto info = sensorInfo(settings.sensorModel.c_str());
  InitParams init{};
  init.sensorInfo = info;
#ifdef HAVE_PISP
  static Memory front(sizeof(libpisp::FrontEnd)), back(sizeof(libpisp::BackEnd));
  if (pisp) {
    new (front.data) libpisp::FrontEnd(true, libpisp::BCM2712_D0);
    new (back.data) libpisp::BackEnd(libpisp::BackEnd::Config({}), libpisp::BCM2712_D0);
    init.fe = front.fd;
    init.be = back.fd;
    printShading = [] { printPacked(*back.as<libpisp::BackEnd>()); };
  }
#endif
  InitResult initResult;
  if (int error = ipa->init(settings, init, &initResult)) return error;
  ipa->metadataReady.connect(ready);
  ipa->setIspControls.connect(static_cast<void (*)(const ControlList &)>(findShading));
  ConfigParams config{};
  config.sensorControls = sensorControls;
  config.ispControls = controlMap(
      {{V4L2_CID_RED_BALANCE}, {V4L2_CID_BLUE_BALANCE}, {V4L2_CID_DIGITAL_GAIN},
       {V4L2_CID_USER_BCM2835_ISP_CC_MATRIX}, {V4L2_CID_USER_BCM2835_ISP_GAMMA},
       {V4L2_CID_USER_BCM2835_ISP_BLACK_LEVEL}, {V4L2_CID_USER_BCM2835_ISP_GEQ},
       {V4L2_CID_USER_BCM2835_ISP_DENOISE}, {V4L2_CID_USER_BCM2835_ISP_SHARPEN},
       {V4L2_CID_USER_BCM2835_ISP_DPC}, {V4L2_CID_USER_BCM2835_ISP_LENS_SHADING},
       {V4L2_CID_USER_BCM2835_ISP_CDN}});
  static Memory stats(1 << 20);
  config.lsTableHandle = shadingTable().fd;
  ConfigResult configResult;
  if (int error = ipa->configure(info, config, &configResult)) return error;
  ipa->mapBuffers({stats.buffer(1)});
  StartResult startResult;
  ipa->start(ControlList(controls::controls), &startResult);
  run = [ipa, pisp](const Frame &frame) {
    auto fill = [&](auto &region) {
      region.counted = 1000;
      region.g_sum = 1000 * 1000;
      region.r_sum = static_cast<uint32_t>(region.g_sum * frame.red);
      region.b_sum = static_cast<uint32_t>(region.g_sum * frame.blue);
    };
    auto *seen = stats.as<bcm2835_isp_stats>();
    if (!pisp) {  // whose statistics are others, and stay empty
      for (auto &bin : seen->hist[0].g_hist) bin = 500;
      std::for_each_n(seen->awb_stats, std::size(seen->awb_stats), fill);
      std::for_each_n(seen->agc_stats, std::size(seen->agc_stats), fill);
    }
    PrepareParams prepare{};
    prepare.buffers.stats = 1;
    prepare.sensorControls = sensorValues();
    prepare.requestControls = frame.request();
    prepare.ipaContext = prepare.delayContext = number++ % 8;
    ipa->prepareIsp(prepare);
    ipa->processStats({prepare.buffers, prepare.ipaContext});
    if (frame.automatic) usleep(3000);  // the white balance is found by another thread
  };
  return 0;
}

static bool print = false;
static int asked = 0;

static void ready(const ControlList &list) {
  const auto gains = list.get(controls::ColourGains);
  const auto matrix = list.get(controls::ColourCorrectionMatrix);
  if (gains) std::copy(gains->begin(), gains->end(), lastGains);
  if (matrix) std::copy(matrix->begin(), matrix->end(), lastMatrix);
  if (!print) return;
  printf("%d %d gains", asked, list.get(controls::ColourTemperature).value_or(0));
  if (gains) printf(" %.5f %.5f", lastGains[0], lastGains[1]);
  printf(" matrix");
  for (int index = 0; matrix && index < 9; index++) printf(" %.5f", lastMatrix[index]);
  printf(" black");
  if (auto levels = list.get(controls::SensorBlackLevels))
    for (int level : *levels) printf(" %d", level);
  printf("\n");
}

int main(int count, char **words) {
  if (count < 4) return fprintf(stderr, "judge MODULE.so TUNING SENSOR [KELVIN ...]\n"), 64;
  void *library = dlopen(words[1], RTLD_NOW);
  void *create = library ? dlsym(library, "ipaCreate") : nullptr;
  if (!create) return fprintf(stderr, "judge: %s\n", dlerror()), 66;
  IPAInterface *module = reinterpret_cast<IPAInterface *(*)()>(create)();
  const IPASettings settings{words[2], words[3]};
  bool shading = false;
  for (bool found = true; found;) {
    const std::string last = words[count - 1];
    found = count > 4 && (last == "shading" || last == "crop");
    if (found && last == "crop") part = {480, 360, frameSize};
    if (found && last == "shading") shading = true;
    count -= found;
  }
  const std::string name = strrchr(words[1], '/') ? strrchr(words[1], '/') : words[1];
  int error;
  if (name.find("rkisp1") != name.npos)
    error = loadRkISP1(static_cast<ipa::rkisp1::IPARkISP1Interface *>(module), settings, ready);
  else if (name.find("rpi") != name.npos)
    error = loadPi(module, name.find("pisp") != name.npos, settings, ready);
  else
    error = loadSoft(module, settings, ready);
  if (error) {
    fprintf(stderr, "judge: refused: %s\n", strerror(-error));
    _exit(1);
  }

  int index = 4;
  for (; index < count && strcmp(words[index], "auto"); index++) {
    asked = atoi(words[index]);
    // Where a temperature cannot be set, one like it is found in what the frame shows.
    const double warmth = std::pow(6000.0 / asked, 0.8);
    for (int repeat = 0; repeat < 2; repeat++) {
      print = repeat == 1;
      run({false, asked, warmth, 1 / warmth});
    }
  }
  if (index + 3 < count) {
    asked = atoi(words[index + 1]);
    for (int repeat = 0; repeat < 200; repeat++) {
      print = repeat == 199;
      run({true, 0, atof(words[index + 2]), atof(words[index + 3])});
    }
  }
  if (shading && printShading) printShading();
  fflush(stdout);
  _exit(0);  // the module's threads and buffers are not taken down
}
