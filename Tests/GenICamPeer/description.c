#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats.h"
#include "peer.h"
#include "registers.h"

// A node of a number, with the register behind it.
typedef struct {
  const char *name;
  unsigned address;
  const char *minimum, *maximum, *increment;
  // The node whose value chooses the register; NULL if there is one register.
  const char *selector;
  bool is_integer;
  // The node of the largest value, in place of a constant.
  const char *maximum_node;
  // The steps in 1 to which the camera rounds; 0 for any number.
  unsigned steps;
  bool is_locked_by_stream;
} number_node;

static void write_register(FILE *file, const number_node *node) {
  bool is_integer = node->is_integer || node->steps;
  fprintf(file, "<%s Name=\"%sRegister\"><Address>0x%x</Address>", is_integer ? "IntReg" : "FloatReg",
          node->name, node->address);
  if (node->selector) fprintf(file, "<pIndex Offset=\"4\">%sRegister</pIndex>", node->selector);
  fprintf(file, "<Length>4</Length><AccessMode>RW</AccessMode><pPort>Device</pPort>%s"
                "<Endianess>BigEndian</Endianess></%s>\n",
          is_integer ? "<Sign>Unsigned</Sign>" : "", is_integer ? "IntReg" : "FloatReg");
}

static void write_number(FILE *file, const number_node *node) {
  const char *kind = node->is_integer ? "Integer" : "Float";
  const char *value = node->steps ? "Converter" : "Register";
  fprintf(file, "<%s Name=\"%s\"><pValue>%s%s</pValue><Min>%s</Min>", kind, node->name, node->name,
          value, node->minimum);
  if (node->maximum_node) fprintf(file, "<pMax>%s</pMax>", node->maximum_node);
  else fprintf(file, "<Max>%s</Max>", node->maximum);
  if (node->increment) fprintf(file, "<Inc>%s</Inc>", node->increment);
  if (node->is_locked_by_stream) fputs("<pIsLocked>TLParamsLocked</pIsLocked>", file);
  fprintf(file, "</%s>\n", kind);
  if (node->steps)
    fprintf(file, "<Converter Name=\"%sConverter\"><FormulaTo>FROM * %u</FormulaTo>"
                  "<FormulaFrom>TO / %u.0</FormulaFrom><pValue>%sRegister</pValue></Converter>\n",
            node->name, node->steps, node->steps, node->name);
  write_register(file, node);
}

// Writes a choice between named values, which are numbered from 0.
static void write_choice(FILE *file, const char *name, unsigned address, const char *const *names) {
  fprintf(file, "<Enumeration Name=\"%s\">", name);
  for (int i = 0; names[i]; i++)
    fprintf(file, "<EnumEntry Name=\"%s\"><Value>%d</Value></EnumEntry>", names[i], i);
  fprintf(file, "<pValue>%sRegister</pValue></Enumeration>\n", name);
  write_register(file, &(number_node){.name = name, .address = address, .is_integer = true});
}

static void write_boolean(FILE *file, const char *name, unsigned address) {
  fprintf(file, "<Boolean Name=\"%s\"><pValue>%sRegister</pValue><OnValue>1</OnValue>"
                "<OffValue>0</OffValue></Boolean>\n",
          name, name);
  write_register(file, &(number_node){.name = name, .address = address, .is_integer = true});
}

static void write_text(FILE *file, const char *name, unsigned address, unsigned length) {
  fprintf(file, "<StringReg Name=\"%s\"><Address>0x%x</Address><Length>%u</Length>"
                "<AccessMode>RO</AccessMode><pPort>Device</pPort></StringReg>\n",
          name, address, length);
}

static const char *const colors[] = {"Red", "Green", "Blue", NULL};
static const char *const automatics[] = {"Off", "Once", "Continuous", NULL};

static void write_balance(FILE *file, const peer_options *options) {
  bool is_raw = options->names == NAMES_RAW;
  write_choice(file, "BalanceRatioSelector", REGISTER_BALANCE_SELECTOR, colors);
  write_number(
      file,
      &(number_node){
          .name = is_raw ? "BalanceRatioRaw"
                         : options->names == NAMES_ABS ? "BalanceRatioAbs" : "BalanceRatio",
          .address = REGISTER_BALANCE, .selector = "BalanceRatioSelector", .is_integer = is_raw,
          .minimum = is_raw ? "32" : "0.5", .maximum = is_raw ? "255" : "4",
          .increment = is_raw ? "1" : options->states_increments ? "0.0078125" : NULL,
          .maximum_node = options->moves_bounds ? "LargestRatio" : NULL,
          .is_locked_by_stream = options->is_locked_by_stream,
          .steps = is_raw ? 0 : options->ratio_steps});
  if (options->moves_bounds)
    fputs("<SwissKnife Name=\"LargestRatio\"><pVariable Name=\"GAIN\">Gain</pVariable>"
          "<Formula>4 - GAIN / 12</Formula></SwissKnife>\n", file);
  write_choice(file, "BalanceWhiteAuto", REGISTER_BALANCE_AUTO, automatics);
  if (options->has_enable) write_boolean(file, "BalanceRatioEnable", REGISTER_BALANCE_ENABLE);
}

static void write_exposure(FILE *file, const peer_options *options) {
  bool is_raw = options->names == NAMES_RAW;
  write_number(
      file,
      &(number_node){
          .name = is_raw ? "ExposureTimeRaw"
                         : options->names == NAMES_ABS ? "ExposureTimeAbs" : "ExposureTime",
          .address = REGISTER_EXPOSURE, .minimum = "20", .maximum = "1000000",
          .is_integer = is_raw,
          .increment = is_raw || options->states_increments ? "10" : NULL});
  write_choice(file, "ExposureAuto", REGISTER_EXPOSURE_AUTO, automatics);
  static const char *const gains[] = {"All", NULL};
  static const char *const color_gains[] = {"DigitalRed", "DigitalGreen", "DigitalBlue", NULL};
  if (options->has_gain_colors) {
    write_choice(file, "GainSelector", REGISTER_BALANCE_SELECTOR, color_gains);
    write_number(file, &(number_node){.name = "Gain", .address = REGISTER_BALANCE,
                                      .selector = "GainSelector", .minimum = "0.5",
                                      .maximum = "4"});
    return;
  }
  write_choice(file, "GainSelector", REGISTER_GAIN_SELECTOR, gains);
  write_number(file, &(number_node){.name = is_raw ? "GainRaw" : "Gain", .address = REGISTER_GAIN,
                                    .minimum = "0", .maximum = is_raw ? "240" : "24",
                                    .is_integer = is_raw,
                                    .increment = options->states_increments ? "0.1" : NULL});
  write_choice(file, "GainAuto", REGISTER_GAIN_AUTO, automatics);
}

static void write_image(FILE *file, const peer_options *options) {
  fputs("<Enumeration Name=\"PixelFormat\">", file);
  if (options->has_unknown_format)
    fputs("<EnumEntry Name=\"Coord3D_C16\"><Value>17825976</Value></EnumEntry>", file);
  for (unsigned i = 0; !options->has_unknown_format && i < format_count; i++)
    fprintf(file, "<EnumEntry Name=\"%s\"><Value>%u</Value></EnumEntry>", formats[i].name,
            (unsigned)formats[i].code);
  fputs("<pValue>PixelFormatRegister</pValue></Enumeration>\n", file);
  write_register(file, &(number_node){.name = "PixelFormat", .is_integer = true,
                                      .address = ARV_FAKE_CAMERA_REGISTER_PIXEL_FORMAT});
  static const number_node sides[] = {
      {.name = "Width", .address = ARV_FAKE_CAMERA_REGISTER_WIDTH, .minimum = "16",
       .maximum = "2048", .increment = "4", .is_integer = true},
      {.name = "Height", .address = ARV_FAKE_CAMERA_REGISTER_HEIGHT, .minimum = "16",
       .maximum = "2048", .increment = "2", .is_integer = true},
      {.name = "OffsetX", .address = ARV_FAKE_CAMERA_REGISTER_X_OFFSET, .minimum = "0",
       .maximum = "0", .increment = "1", .is_integer = true},
      {.name = "OffsetY", .address = ARV_FAKE_CAMERA_REGISTER_Y_OFFSET, .minimum = "0",
       .maximum = "0", .increment = "1", .is_integer = true},
      {.name = "AcquisitionFramePeriod",
       .address = ARV_FAKE_CAMERA_REGISTER_ACQUISITION_FRAME_PERIOD_US, .minimum = "1000",
       .maximum = "10000000", .is_integer = true},
      {.name = "BlackLevel", .address = REGISTER_BLACK, .minimum = "0", .maximum = "32"},
      {.name = "Gamma", .address = REGISTER_GAMMA, .minimum = "0.25", .maximum = "4"},
  };
  for (unsigned i = 0; i < sizeof sides / sizeof *sides; i++) write_number(file, &sides[i]);
  write_boolean(file, "ColorTransformationEnable", REGISTER_TRANSFORMATION);
  static const char *const patterns[] = {"Off", "GreyHorizontalRamp", NULL};
  if (options->has_test_pattern) write_choice(file, "TestPattern", REGISTER_TEST_PATTERN, patterns);
}

static const char *const sets[] = {"Default", "UserSet1", "UserSet2", NULL};

static void write_command(FILE *file, const char *name, unsigned address) {
  fprintf(file, "<Command Name=\"%s\"><pValue>%sRegister</pValue><CommandValue>1</CommandValue></Command>\n",
          name, name);
  write_register(file, &(number_node){.name = name, .address = address, .is_integer = true});
}

static void write_user_sets(FILE *file) {
  write_choice(file, "UserSetSelector", REGISTER_SET_SELECTOR, sets);
  write_choice(file, "UserSetDefault", REGISTER_SET_DEFAULT, sets);
  write_command(file, "UserSetLoad", REGISTER_SET_LOAD);
  write_command(file, "UserSetSave", REGISTER_SET_SAVE);
}

static void write_acquisition(FILE *file) {
  fputs("<Float Name=\"AcquisitionFrameRate\"><pValue>AcquisitionFrameRateConverter</pValue>"
        "<Min>0.1</Min><Max>1000</Max></Float>\n"
        "<Converter Name=\"AcquisitionFrameRateConverter\">"
        "<FormulaTo>(1000000 / FROM)</FormulaTo><FormulaFrom>(1000000.0 / TO)</FormulaFrom>"
        "<pValue>AcquisitionFramePeriod</pValue></Converter>\n"
        "<Command Name=\"AcquisitionStart\"><pValue>AcquisitionCommandRegister</pValue>"
        "<CommandValue>1</CommandValue></Command>\n"
        "<Command Name=\"AcquisitionStop\"><pValue>AcquisitionCommandRegister</pValue>"
        "<CommandValue>0</CommandValue></Command>\n", file);
  write_register(file, &(number_node){.name = "AcquisitionCommand", .is_integer = true,
                                      .address = ARV_FAKE_CAMERA_REGISTER_ACQUISITION});
  fputs("<Enumeration Name=\"AcquisitionMode\"><EnumEntry Name=\"Continuous\"><Value>1</Value>"
        "</EnumEntry><pValue>AcquisitionModeRegister</pValue></Enumeration>\n", file);
  write_register(file, &(number_node){.name = "AcquisitionMode", .is_integer = true,
                                      .address = ARV_FAKE_CAMERA_REGISTER_ACQUISITION_MODE});
  fputs("<Integer Name=\"PayloadSize\"><pValue>PayloadSizeValue</pValue></Integer>\n"
        "<IntSwissKnife Name=\"PayloadSizeValue\"><pVariable Name=\"W\">Width</pVariable>"
        "<pVariable Name=\"H\">Height</pVariable><pVariable Name=\"F\">PixelFormatRegister</pVariable>"
        "<Formula>W * H * ((F &gt;&gt; 16) &amp; 0xFF) / 8</Formula></IntSwissKnife>\n", file);
}

char *write_description(const peer_options *options) {
  char *name = g_strdup_printf("%s/genicam-peer-XXXXXX", g_get_tmp_dir());
  int descriptor = mkstemp(name);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!file) {
    perror(name);
    exit(74);
  }
  fputs("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
        "<RegisterDescription ModelName=\"Peer\" VendorName=\"wbcal\" StandardNameSpace=\"None\" "
        "SchemaMajorVersion=\"1\" SchemaMinorVersion=\"0\" SchemaSubMinorVersion=\"1\" "
        "MajorVersion=\"1\" MinorVersion=\"0\" SubMinorVersion=\"0\" ToolTip=\"Peer\" "
        "ProductGuid=\"0\" VersionGuid=\"0\" xmlns=\"http://www.genicam.org/GenApi/Version_1_0\">\n"
        "<Category Name=\"Root\"><pFeature>PixelFormat</pFeature></Category>\n", file);
  write_text(file, "DeviceVendorName", 0x48, 32);
  write_text(file, "DeviceModelName", 0x68, 32);
  write_text(file, "DeviceSerialNumber", 0xd8, 16);
  write_image(file, options);
  write_acquisition(file);
  if (!options->has_gain_colors) write_balance(file, options);
  write_exposure(file, options);
  if (options->user_sets) write_user_sets(file);
  if (options->is_locked_by_stream)
    fputs("<Integer Name=\"TLParamsLocked\"><pValue>AcquisitionCommandRegister</pValue></Integer>\n",
          file);
  fputs("<Port Name=\"Device\"></Port>\n</RegisterDescription>\n", file);
  fclose(file);
  return name;
}
