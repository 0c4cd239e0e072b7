// The files of Page/ at the time of the build. A new file is added to both lists.
#include "WbcalStudioPage.h"

// #embed is a feature of C23, which Clang has in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char calibrate_js[] = {
#embed "Page/calibrate.js"
};
static const unsigned char clock_js[] = {
#embed "Page/clock.js"
};
static const unsigned char controls_js[] = {
#embed "Page/controls.js"
};
static const unsigned char diagram_js[] = {
#embed "Page/diagram.js"
};
static const unsigned char elements_js[] = {
#embed "Page/elements.js"
};
static const unsigned char icon_svg[] = {
#embed "Page/icon.svg"
};
static const unsigned char index_html[] = {
#embed "Page/index.html"
};
static const unsigned char instruments_js[] = {
#embed "Page/instruments.js"
};
static const unsigned char look_css[] = {
#embed "Page/look.css"
};
static const unsigned char main_js[] = {
#embed "Page/main.js"
};
static const unsigned char numbers_js[] = {
#embed "Page/numbers.js"
};
static const unsigned char picture_js[] = {
#embed "Page/picture.js"
};
static const unsigned char region_js[] = {
#embed "Page/region.js"
};
static const unsigned char server_js[] = {
#embed "Page/server.js"
};
static const unsigned char slider_js[] = {
#embed "Page/slider.js"
};
static const unsigned char style_css[] = {
#embed "Page/style.css"
};
static const unsigned char words_js[] = {
#embed "Page/words.js"
};

#define FILE(name, array) {name, array, sizeof array}

static const wb_page_file files[] = {
    FILE("calibrate.js", calibrate_js),
    FILE("clock.js", clock_js),
    FILE("controls.js", controls_js),
    FILE("diagram.js", diagram_js),
    FILE("elements.js", elements_js),
    FILE("icon.svg", icon_svg),
    FILE("index.html", index_html),
    FILE("instruments.js", instruments_js),
    FILE("look.css", look_css),
    FILE("main.js", main_js),
    FILE("numbers.js", numbers_js),
    FILE("picture.js", picture_js),
    FILE("region.js", region_js),
    FILE("server.js", server_js),
    FILE("slider.js", slider_js),
    FILE("style.css", style_css),
    FILE("words.js", words_js),
};

size_t wb_page_file_count(void) { return sizeof files / sizeof *files; }

wb_page_file wb_page_file_at(size_t index) { return files[index]; }
