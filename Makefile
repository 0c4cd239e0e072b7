PREFIX ?= /usr/local
UDEVDIR ?= /usr/lib/udev/rules.d
SYSTEMDDIR ?= /usr/lib/systemd/system
MANDIR ?= $(PREFIX)/share/man
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
PACKAGES = pkg-config liblcms2-dev libmicrohttpd-dev libraw-dev libspng-dev libtiff-dev libturbojpeg0-dev
# What machine-vision cameras need. Where they cannot be had, the tool is built without such cameras.
GENICAM_PACKAGES = libaravis-dev libusb-1.0-0-dev
TRAITS = $(shell pkg-config --exists aravis-0.8 2>/dev/null && echo --traits default,GenICam)
# Where Debian's Firefox cannot be had, the tests of pages run in Chromium alone, and say so.
FIREFOX_PACKAGES = firefox-esr
TEST_PACKAGES = chromium-driver curl fish groff-base libimage-exiftool-perl liblcms2-utils parallel zsh
SUDO = $(if $(filter-out 0,$(shell id -u)),sudo)
WBCAL = .build/release/wbcal
OUT = demo-output
# Where the tools that come with Swift are.
TOOLCHAIN = $(dir $(realpath $(shell command -v swift)))
DOCS = .build/docs
# The products, each after what it imports.
DOCS_MODULES = ColorScience WhiteBalance CalibrationTargets CameraProfiles CameraControl SimulatedScenes SimulatedCamera WhiteBalanceTestSupport CameraTestSupport Video4Linux GenICam ICCProfiles ProfileFiles
FUZZ = .build/fuzz
TESTS = .build/tests
# Tests compile in three quarters of the time without an index; Tests/XCTMain.swift makes it unnecessary.
UNINDEXED = --disable-index-store --disable-xctest --enable-swift-testing
COVERAGE = .build/coverage
OPENCV = .build/opencv
SPARK = .build/spark
# What the fuzzers import, each after what it needs.
FUZZ_MODULES = WbcalFoundation WbcalSystem ColorScience WhiteBalance CalibrationTargets CameraProfiles CameraControl ICCProfiles \
  WbcalImageFiles ProfileFiles WbcalArguments WbcalWebServer WbcalReports SimulatedScenes SimulatedCamera Video4Linux wbcal
FUZZ_LIBRARIES = CWbcalLittleCMS CWbcalLibRaw CWbcalMicroHTTP CWbcalSPNG CWbcalTIFF CWbcalTurboJPEG CWbcalVideo4Linux
FUZZ_C_MODULES = CWbcalFrameKernels CWbcalMeasuredSpectra WbcalStudioPage
SECONDS = 60
# What the tests of the tool run beside it.
EXAMPLES = wbcal-example-focus wbcal-example-exposure wbcal-example-whitebalance wbcal-example-bracket
FILES = 200
CARD = Calibration/Samples/colorchart.dng

.PHONY: all deps test-deps axe build build-tests demo test test-consumer test-spark test-converters test-libcamera \
  test-color test-balance test-profiles test-camera-control test-video4linux test-tool test-genicam check-genicam \
  check-genicam-of-all check-loopback test-short-times \
  coverage sanitize sanitize-address sanitize-thread kill9 mutants lint docs articles fuzz fuzz-short soak \
  soak-short evaluate methods prior locus peers bench bench-files bench-stream bench-watch bench-watch-genicam bench-studio \
  bench-convert bench-balance bench-dng bench-scaling bench-frames bench-light bench-chains bench-chains-lab bench-chains-times \
  bench-recordings soak-studio install install-program uninstall clean

all: build

# Installs what is missing of some packages, and nothing where all is there.
install = @Packaging/install.sh $(1)

include Tests/CameraLab/lab.mk
include Packaging/packaging.mk

deps:
	$(call install,$(PACKAGES))
	@Packaging/install.sh $(GENICAM_PACKAGES) || echo "without machine-vision cameras, for want of: $(GENICAM_PACKAGES)"

# Other programs that read what this one writes.
test-deps: deps
	$(call install,$(TEST_PACKAGES))
	@Packaging/install.sh $(FIREFOX_PACKAGES) || echo "the tests of pages run in Chromium alone, for want of: $(FIREFOX_PACKAGES)"

build: deps
	swift build -c release $(TRAITS) --product wbcal

# A raw photograph's gray patches, then the simulated camera from its first shot to a neutral card.
demo: deps
	@test -x $(WBCAL) || echo "Building wbcal alone; on two processors that takes two to eight minutes the first time."
	swift build -c release $(TRAITS) --product wbcal
	@mkdir -p $(OUT)
	@echo; echo "1 of 3: the gray patches of a raw photograph, neutral 8 and neutral 6.5."
	$(WBCAL) estimate $(CARD) --region 796,908,36,36
	$(WBCAL) estimate $(CARD) --region 904,906,36,36
	@echo; echo "2 of 3: a webcam of which nothing is known, from two gray-card shots to a neutral card under a third light."
	$(WBCAL) calibrate --device simulated:pipeline=webcam --light A --light D65 -o $(OUT)/desk.json
	$(WBCAL) set --device simulated:pipeline=webcam,light=5000K --profile $(OUT)/desk.json --light 5000K
	$(WBCAL) verify --device simulated:pipeline=webcam,light=5000K --limit 1
	@echo; echo "3 of 3: a report of its calibration, as a page for a browser."
	$(WBCAL) report $(OUT)/desk.json -o $(OUT)/desk.html
	@echo; echo "The studio shows all of this in a browser: $(WBCAL) studio --profile $(OUT)/desk.json --open"

run-tests = WBCAL_OPTIMIZED=1 Tests/run.sh swift test --skip-build $(UNINDEXED) $(TRAITS) --scratch-path $(TESTS)

# The limits of the server and of the laws of camera ports are times, so their tests have the processors to themselves.
# Machine-vision cameras are mostly waited for, and the lab has a time of its own, so these run side by side.
test: test-deps build-tests
	$(run-tests) --filter '^WbcalWebServerTests\.'
	$(run-tests) --filter '^CameraTestSupportTests\.'
	$(run-tests) --skip '^(WbcalWebServerTests|CameraTestSupportTests)\.'
	$(MAKE) --no-print-directory test-consumer
	$(MAKE) --no-print-directory prepare-camera
	$(MAKE) --no-print-directory -j 2 --output-sync=target check-loopback check-lab

# The tests of a module, for which nothing is built that they do not need. FILTER chooses some of them. Built by
# `swift test` itself, all would be compiled anew.
define short
	WBCAL_TESTS_OF="$(2)" WBCAL_OPTIMIZED=1 swift build --build-tests $(UNINDEXED) --scratch-path .build/tests-of-$(1)
	WBCAL_TESTS_OF="$(2)" WBCAL_OPTIMIZED=1 Tests/run.sh swift test --skip-build $(UNINDEXED) --scratch-path .build/tests-of-$(1) \
	  $(if $(FILTER),--filter '$(FILTER)')
endef

test-color:
	$(call short,color,ColorScienceTests)

test-balance:
	$(call short,balance,WhiteBalanceTests)

test-profiles:
	$(call short,profiles,CameraProfilesTests)

test-camera-control: deps
	$(call short,camera-control,CameraControlTests)

test-video4linux:
	$(call short,video4linux,Video4LinuxTests)

test-tool: test-deps
	$(call short,tool,WbcalTests $(EXAMPLES))

# Machine-vision cameras over the loopback interface: Aravis's own GigE Vision device is the camera. Without Aravis
# there is nothing to test, which is no failure.
GENICAM = .build/genicam
GENICAM_TESTS = GenICamTests wbcal-example-exposure wbcal-example-whitebalance wbcal-example-bracket
test-genicam: deps
	$(call with-aravis,check-genicam)

with-aravis = @if pkg-config --exists aravis-0.8; then \
	  $(MAKE) --no-print-directory $(1); \
	else \
	  echo "skipped: the tests of machine-vision cameras, for want of: $(GENICAM_PACKAGES)"; \
	fi
loopback = WBCAL_GENICAM_PEER=$(abspath $(GENICAM)/genicam-peer) WBCAL_OPTIMIZED=1 Tests/run.sh timeout 1500 \
	  swift test --skip-build $(UNINDEXED) $(TRAITS)

check-genicam: $(GENICAM)/genicam-peer
	WBCAL_TESTS_OF="$(GENICAM_TESTS)" WBCAL_OPTIMIZED=1 swift build --build-tests $(UNINDEXED) --scratch-path .build/tests-of-genicam \
	  $(TRAITS)
	WBCAL_TESTS_OF="$(GENICAM_TESTS)" $(loopback) --scratch-path .build/tests-of-genicam $(if $(FILTER),--filter '$(FILTER)')

# The same with the programs that `build-tests` built.
check-loopback:
	$(call with-aravis,check-genicam-of-all)

check-genicam-of-all: $(GENICAM)/genicam-peer
	$(loopback) --scratch-path $(TESTS) --filter '^GenICamTests\.'

$(GENICAM)/genicam-peer: $(wildcard Tests/GenICamPeer/*)
	@mkdir -p $(GENICAM)
	$(CC) -O2 -Wall -Wextra -Wno-deprecated-declarations -o $@ $(filter %.c,$^) $$(pkg-config --cflags --libs aravis-0.8) -lm

# Rules of accessibility that the studio's page is checked by, from the Python package that contains them; MPL-2.0.
axe: .build/axe/axe.min.js
.build/axe/axe.min.js:
	$(call install,python3-pip unzip)
	@mkdir -p $(@D)
	python3 -m pip download -q --no-deps -d $(@D) axe-playwright-python==0.1.8
	unzip -o -q -j $(@D)/axe_playwright_python-*.whl '*/axe.min.js' -d $(@D)
	touch $@

# How long they take after a line was changed, in the table of CONTRIBUTING.md.
test-short-times: test-deps
	Tests/short.sh .build/short

build-tests: test-deps
	WBCAL_OPTIMIZED=1 swift build --build-tests $(UNINDEXED) $(TRAITS) --scratch-path $(TESTS)

# The share of each module's lines that tests reach, those too that they reach by running wbcal. What tests
# kill leaves a profile that is cut off.
coverage: test-deps
	rm -rf $(COVERAGE)/profiles
	WBCAL_OPTIMIZED=1 swift build --build-tests $(UNINDEXED) --enable-code-coverage --scratch-path $(COVERAGE) \
	  -Xcc -fprofile-instr-generate -Xcc -fcoverage-mapping
	WBCAL_OPTIMIZED=1 LLVM_PROFILE_FILE=$(abspath $(COVERAGE))/profiles/%m-%p.profraw \
	  swift test --skip-build $(UNINDEXED) --scratch-path $(COVERAGE)
	$(TOOLCHAIN)llvm-profdata merge --sparse --failure-mode=all -o $(COVERAGE)/profile $(COVERAGE)/profiles
	$(TOOLCHAIN)llvm-cov report $(COVERAGE)/debug/wbcalPackageTests.xctest -object $(COVERAGE)/debug/wbcal \
	  -instr-profile $(COVERAGE)/profile -ignore-filename-regex='\.build|Tests/' > $(COVERAGE)/report.txt
	awk -f Tests/coverage.awk $(COVERAGE)/report.txt

sanitize: sanitize-address sanitize-thread

sanitize-address: test-deps
	LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.txt WBCAL_SANITIZER=address WBCAL_OPTIMIZED=1 Tests/run.sh swift test \
	  $(UNINDEXED) --sanitize=address --scratch-path .build/address

# What has threads, without what only computes for long.
sanitize-thread: test-deps
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/races.txt WBCAL_SANITIZER=thread WBCAL_OPTIMIZED=1 Tests/run.sh \
	  swift test $(UNINDEXED) --sanitize=thread --scratch-path .build/thread \
	  --filter '^(CameraControl|SimulatedScenes|SimulatedCamera|Video4Linux|WbcalImageFiles|WbcalWebServer)Tests\.' \
	  --filter '(Stream|Progress|FrameAccount)Tests' --filter 'MatchTests.oneFails' \
	  --skip 'RandomCameraTests|LyingCameraTests|Focus|FlickerSceneTests|ExposureTests'

# Someone who wants the color science alone builds that module alone: no other one, no C library, no
# Foundation.
test-consumer:
	Tests/Consumers/alone.sh $(abspath $(CONSUMERS))/alone

# The page ManyMachines in Apache Spark, which is in a virtual environment of its own.
test-spark: build
	$(call install,default-jre-headless python3-venv)
	test -x $(SPARK)/bin/spark-submit || { python3 -m venv $(SPARK) && $(SPARK)/bin/pip install -q 'pyspark<5'; }
	Tests/Spark/test.sh $(abspath $(WBCAL) $(SPARK))

# What libcamera itself makes of the tuning files. LIBCAMERA is its source tree, built as judge.sh says.
test-libcamera: build
	$(call install,g++ python3-yaml)
	CHART=$(abspath $(CARD))@LED-V1 Tests/Libcamera/judge.sh "$(LIBCAMERA)" $(WBCAL)

# What darktable, RawTherapee and LibRaw make of the sidecars and of DNG files; they take 250 MB of disk.
test-converters: build-tests
	$(call install,darktable libraw-bin rawtherapee)
	WBCAL_CONVERTERS=1 WBCAL_OPTIMIZED=1 swift test --skip-build $(UNINDEXED) $(TRAITS) --scratch-path $(TESTS) --filter ConverterTests

lint: docs
	Documentation/peers.sh
	Documentation/engine.sh
	Documentation/words.sh
	swift format lint --strict -r -p Package.swift Sources Examples Tests Calibration/Study Benchmarks/Package.swift \
	  Benchmarks/Sources Benchmarks/Chains
	@imports='^ *(public |internal |private |package )?import '; math='Darwin|Glibc|Musl|Bionic|ucrt|WASILibc'; \
	if grep -rnE "$$imports" Sources/ColorScience | grep -vE "import ($$math)$$" \
	  || grep -rnE "$$imports" Sources/WhiteBalance \
	  | grep -vE "import (CWbcalFrameKernels|ColorScience|Synchronization|$$math)$$"; then \
	  echo "ColorScience imports nothing but the C math functions, WhiteBalance that, Synchronization and the C kernels"; exit 1; \
	fi
	@if git ls-files -z '*.swift' '*.c' '*.h' | LC_ALL=C.UTF-8 xargs -0 grep -nE '^.{101}' | \
	  grep -E '^[^:]*:[0-9]+: *//'; then \
	  echo "comments are wrapped at 100 columns"; exit 1; \
	fi
	git ls-files -z '*.sh' | xargs -0 -n 1 bash -n
	swiftc -enable-experimental-feature Embedded -wmo -parse-as-library -swift-version 6 -warnings-as-errors \
	  -package-name wbcal -module-name ColorScience -c Sources/ColorScience/*.swift \
	  Sources/ColorScience/*/*.swift -o /dev/null

# The documentation of all products as a static site, its samples compiled.
docs: deps
	@Documentation/build.sh $(DOCS) $(DOCS_MODULES)

# What the commands on the documentation's pages print, written there anew.
articles: deps
	WBCAL_WRITE_ARTICLES=1 WBCAL_OPTIMIZED=1 swift test $(UNINDEXED) $(TRAITS) --scratch-path $(TESTS) --filter ArticleTests

# Every parser with a file in Tests/Fuzz, for SECONDS each, under libFuzzer and AddressSanitizer. What it
# learned stays in the corpus, what made it fail beside it. Modules are compiled from the first that changed.
fuzz: deps
	@mkdir -p $(FUZZ)
	@set -e; \
	compile="swiftc -O -wmo -swift-version 6 -D ICC -D RawPhotographs -enable-upcoming-feature InternalImportsByDefault -sanitize=fuzzer,address -parse-as-library -package-name wbcal -I $(FUZZ) $(FUZZ_C_MODULES:%=-I Sources/%/include) $(FUZZ_LIBRARIES:%=-I Sources/%)"; \
	for source in $(FUZZ_C_MODULES:%=Sources/%/*.c); do \
	  clang -O2 -g -fsanitize=address,fuzzer-no-link -I $$(dirname $$source)/include -c $$source \
	    -o $(FUZZ)/c-$$(basename $$source .c).o; \
	done; \
	for module in $(FUZZ_MODULES); do \
	  if [ -z "$$changed" ] && [ -e $(FUZZ)/$$module.o ] && \
	    [ -z "$$(find Sources/$$module -newer $(FUZZ)/$$module.o)" ]; then continue; fi; \
	  changed=yes; \
	  feature=; if [ $$module = CameraControl ]; then feature="-enable-upcoming-feature NonisolatedNonsendingByDefault"; fi; \
	  if [ $$module = wbcal ]; then testable="-enable-testing -Xfrontend -entry-point-function-name -Xfrontend wbcal_main"; fi; \
	  $$compile $$feature $$testable -module-name $$module -emit-module -emit-module-path $(FUZZ)/$$module.swiftmodule \
	    -c -o $(FUZZ)/$$module.o $$(find Sources/$$module -name '*.swift'); \
	done; \
	for source in Tests/Fuzz/*.swift; do \
	  name=$$(basename $$source .swift); \
	  mkdir -p $(FUZZ)/$$name.corpus; \
	  $$compile -use-ld=lld -module-name $$name -o $(FUZZ)/$$name $$source Tests/Fuzz/Common/*.swift \
	    $(FUZZ_MODULES:%=$(FUZZ)/%.o) $(FUZZ)/c-*.o -llcms2 -lmicrohttpd -lspng -ltiff -lturbojpeg -lraw_r; \
	  echo "$$name, for $(SECONDS) s:"; \
	  SWIFT_BACKTRACE=enable=no $(FUZZ)/$$name -max_total_time=$(SECONDS) -timeout=5 -verbosity=0 \
	    -print_final_stats=1 -artifact_prefix=$(FUZZ)/$$name- $(FUZZ)/$$name.corpus; \
	done

fuzz-short:
	$(MAKE) --no-print-directory fuzz SECONDS=10

# Ten million points there and back and trials of each law, the card in 500 rendered scenes, a hundred cameras at random, and
# a thousand runs killed.
soak: kill9
	WBCAL_SOAK_POINTS=10000000 WBCAL_OPTIMIZED=1 swift test $(UNINDEXED) $(TRAITS) --scratch-path $(TESTS) --filter RoundTripTests
	WBCAL_CARD_SCENES=500 WBCAL_OPTIMIZED=1 swift test $(UNINDEXED) $(TRAITS) --scratch-path $(TESTS) --filter CardFinderTests --filter ChartFinderTests
	WBCAL_SOAK_CAMERAS=100 WBCAL_OPTIMIZED=1 swift test $(UNINDEXED) $(TRAITS) --scratch-path $(TESTS) --filter RandomCameraTests \
	  --filter FlickerSceneTests --filter FocusSweepTests --filter BracketTests
	TRIALS=10000000 WBCAL_OPTIMIZED=1 swift test $(UNINDEXED) $(TRAITS) --scratch-path $(TESTS) --filter thisPackageKeepsAll
	WBCAL_SOAK_CONNECTIONS=1 WBCAL_OPTIMIZED=1 swift test $(UNINDEXED) $(TRAITS) --scratch-path $(TESTS) --filter AttackTests.thousands

# The same in a minute or two.
soak-short: deps
	WBCAL_SOAK_POINTS=1000000 WBCAL_CARD_SCENES=50 WBCAL_KILLS=50 TRIALS=100000 WBCAL_OPTIMIZED=1 \
	  swift test $(UNINDEXED) $(TRAITS) --scratch-path $(TESTS) --filter RoundTripTests --filter CardFinderTests --filter ChartFinderTests \
	  --filter KilledRunTests --filter thisPackageKeepsAll

# Profiles and settings under a thousand kill -9 each.
kill9: deps
	WBCAL_KILLS=1000 WBCAL_OPTIMIZED=1 swift test $(UNINDEXED) $(TRAITS) --scratch-path $(TESTS) --filter KilledRunTests

# Changes tokens of the color science and white balance, N by the SEED, and asks whether a test notices; goes on
# where it was stopped. RETRY=--retry tries survivors again.
N = 200
SEED = 1
mutants:
	Tests/Mutation/mutants.py --count $(N) --seed $(SEED) $(RETRY)

# How well calibrations predict gains, every public camera left out of its own prior; writes
# Calibration/EVALUATION.md.
evaluate:
	swift run -q -c release $(TRAITS) wbcal-calibration-study evaluate > evaluation.tmp
	mv evaluation.tmp Calibration/EVALUATION.md
	@cat Calibration/EVALUATION.md

# The public cameras and lamps, source files of the library.
prior:
	swift run -q -c release $(TRAITS) wbcal-calibration-study prior

# The table of the Planckian locus, a source file of the library.
locus:
	swift run -c release $(TRAITS) wbcal-calibration-study locus > locus.tmp
	mv locus.tmp Sources/ColorScience/Data/PlanckianLocusTable.swift

# How the published methods differ from the exact locus, an article of the documentation.
methods:
	swift run -c release $(TRAITS) wbcal-calibration-study methods > methods.tmp
	mv methods.tmp Sources/ColorScience/ColorScience.docc/PublishedMethods.md
	@$(MAKE) --no-print-directory peers

# The table of peers in Accuracy.md, from what `methods` and `bench` wrote.
peers:
	Documentation/peers.sh
	Documentation/peers.sh --write

# Speed beside peers in the same run, OpenCV in a virtual environment of its own; writes
# Benchmarks/RESULTS.md.
bench: deps
	swift build -c release --package-path Benchmarks
	test -x $(OPENCV)/bin/python || { Packaging/install.sh python3-venv \
	  && python3 -m venv $(OPENCV) && $(OPENCV)/bin/pip install -q opencv-contrib-python-headless; }
	bin=$$(swift build -c release --package-path Benchmarks --show-bin-path) && \
	  { $$bin/benchmark && taskset -c 0 $$bin/frame-benchmark $(OPENCV)/bin/python Benchmarks/opencv-peer.py; } > results.tmp
	mv results.tmp Benchmarks/RESULTS.md
	@$(MAKE) --no-print-directory peers
	@cat Benchmarks/RESULTS.md

# Estimates from 24-megapixel raw photographs beside LibRaw's reading them; writes Benchmarks/FILES.md.
bench-files: build
	swift build -c release --package-path Benchmarks --product files-benchmark
	swift build -c release --package-path Benchmarks --product libraw-peer
	bin=$$(swift build -c release --package-path Benchmarks --show-bin-path) && \
	  $$bin/files-benchmark $(WBCAL) $$bin/libraw-peer $(FILES) > files.tmp
	mv files.tmp Benchmarks/FILES.md
	@cat Benchmarks/FILES.md

# The program, and what puts the white balance of a camera back when it is plugged in.
install: install-program
	install -d $(DESTDIR)$(UDEVDIR) $(DESTDIR)$(SYSTEMDDIR)
	install -m 644 Packaging/90-wbcal.rules $(DESTDIR)$(UDEVDIR)
	sed 's|@PREFIX@|$(PREFIX)|' Packaging/wbcal-restore@.service | \
	  install -m 644 /dev/stdin $(DESTDIR)$(SYSTEMDDIR)/wbcal-restore@.service
	$(if $(DESTDIR),,install -d -m 2775 -g video /var/lib/wbcal)
	$(reload)

# The share of a core that correcting a full-HD stream of 30 frames a second takes, beside ffmpeg's.
# Fails above 25 %.
bench-stream: deps
	$(call install,ffmpeg)
	swift build -c release --package-path Benchmarks --product stream-benchmark
	Benchmarks/stream.sh $$(swift build -c release --package-path Benchmarks --show-bin-path)/stream-benchmark

# The share of a core that watching a full-HD camera of 30 frames a second takes; stored frames are
# shown, so that the camera costs nothing. Fails from 5 % on, with Motion JPEG from 12 % on.
bench-watch: build build-tests
	@bash -o pipefail -c 'WBCAL_TIMINGS=1 WBCAL_OPTIMIZED=1 swift test --skip-build $(UNINDEXED) $(TRAITS) --scratch-path $(TESTS) \
	  --filter watchingTakesLittle | grep -E "^watching|failed"'
	@bash -c 'TIMEFORMAT="%U %S %R"; time $(WBCAL) watch --every 60 --seconds 60 \
	  --device simulated:replay=4,size=1920x1080,fps=30 >/dev/null' 2>&1 | \
	  awk '{ share = 100 * ($$1 + $$2) / $$3; printf "watching takes %.1f %% of a core\n", share; exit share >= 5 }'

# The same of a machine-vision camera of 1280x1024 pixels and 60 frames a second, over the loopback interface.
bench-watch-genicam: build $(GENICAM)/genicam-peer
	Benchmarks/watch-genicam.sh $(WBCAL) $(GENICAM)/genicam-peer

# The share of a core that the studio takes while a page shows a full-HD camera; fails above 30 %.
bench-studio: build
	$(call install,ffmpeg)
	Benchmarks/studio.sh $(WBCAL)

# Gains applied to pictures, beside libvips, ImageMagick and ffmpeg; writes Benchmarks/BALANCE.md.
bench-balance: build
	$(call install,ffmpeg imagemagick libvips-tools)
	Benchmarks/balance.sh $(WBCAL) > balance.tmp
	mv balance.tmp Benchmarks/BALANCE.md
	@cat Benchmarks/BALANCE.md

# Raw photographs developed with a flat field, beside LibRaw and darktable, and DNG files written, beside cp; writes
# Benchmarks/DNG.md.
bench-dng: build
	$(call install,darktable libraw-bin libvips-tools strace)
	Benchmarks/dng.sh $(WBCAL) > dng.tmp
	mv dng.tmp Benchmarks/DNG.md
	@cat Benchmarks/DNG.md

# What each command costs against the size of its work; writes Benchmarks/SCALING.md.
bench-scaling: build
	$(call install,time)
	Benchmarks/scaling.sh $(WBCAL) > scaling.tmp
	mv scaling.tmp Benchmarks/SCALING.md
	@cat Benchmarks/SCALING.md

# The frames that commands look at, and what they learn from them; writes Benchmarks/FRAMES.md.
bench-frames: build
	Benchmarks/frames.sh $(WBCAL) > frames.tmp
	mv frames.tmp Benchmarks/FRAMES.md
	@cat Benchmarks/FRAMES.md

# The changes of the light that are noticed in simulated rooms, the false alarms in hours of motion, and series; writes
# Benchmarks/LIGHT.md. A failed promise does not stop it.
bench-light: build-tests
	Benchmarks/light-changes.sh $(run-tests) --filter > light.tmp
	mv light.tmp Benchmarks/LIGHT.md
	@cat Benchmarks/LIGHT.md

# What calibrations make of simulated cameras that are drawn at random, judged by the truth: those of the seeds from
# FIRST on. Writes Benchmarks/CHAINS.md, and a line for each camera to CHAINS; BEFORE is such lines of another time.
bench-chains: build
	swift build -c release $(TRAITS) --product wbcal-chain-benchmark
	Benchmarks/chains.sh $(WBCAL) $(dir $(WBCAL))wbcal-chain-benchmark $(or $(FIRST),7001) $(or $(COUNT),200) \
	  $(or $(CHAINS),.build/chains.csv) $(BEFORE)

# The same of cameras of the camera lab, behind the kernel's driver; adds its tables to Benchmarks/CHAINS.md.
bench-chains-lab: lab
	swift build -c release $(TRAITS) --product wbcal-chain-benchmark
	Benchmarks/chains-lab.sh $(dir $(WBCAL))wbcal-chain-benchmark $(or $(FIRST),1001) $(or $(COUNT),40) \
	  $(or $(CHAINS),.build/chains-lab.csv) $(BEFORE)

# The processor time of the fits of sound cameras among these; writes its section of Benchmarks/CHAINS.md.
bench-chains-times:
	swift build -c release $(TRAITS) --product wbcal-chain-benchmark
	Benchmarks/chains-times.sh $(dir $(WBCAL))wbcal-chain-benchmark $(or $(FIRST),7001) $(or $(COUNT),40)

# Random cameras and their recordings, used in the same way; writes Benchmarks/RECORDINGS.md.
bench-recordings: build
	Benchmarks/recordings.sh $(WBCAL) $(or $(FIRST),8001) $(or $(COUNT),40) > recordings.tmp
	mv recordings.tmp Benchmarks/RECORDINGS.md
	@tail -1 Benchmarks/RECORDINGS.md

# Half a million frames and some hundred visits: what grows meanwhile would be a leak.
soak-studio: build
	Benchmarks/studio-soak.sh $(WBCAL)

# Rows a second that convert converts, with one processor and with all; fails above 64 MiB.
bench-convert: build
	Benchmarks/convert.sh $(WBCAL)

# Under a PREFIX of one's own it needs no root.
install-program: build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(BASHDIR) $(DESTDIR)$(ZSHDIR) \
	  $(DESTDIR)$(FISHDIR)
	install -m 755 $(WBCAL) $(DESTDIR)$(PREFIX)/bin/wbcal
	umask 022 && $(WBCAL) generate-manual > $(DESTDIR)$(MANDIR)/man1/wbcal.1
	umask 022 && $(WBCAL) --generate-completion-script bash > $(DESTDIR)$(BASHDIR)/wbcal
	umask 022 && $(WBCAL) --generate-completion-script zsh > $(DESTDIR)$(ZSHDIR)/_wbcal
	umask 022 && $(WBCAL) --generate-completion-script fish > $(DESTDIR)$(FISHDIR)/wbcal.fish

uninstall:
	rm -f $(addprefix $(DESTDIR),$(PREFIX)/bin/wbcal $(MANDIR)/man1/wbcal.1 $(BASHDIR)/wbcal \
	  $(ZSHDIR)/_wbcal $(FISHDIR)/wbcal.fish $(UDEVDIR)/90-wbcal.rules \
	  $(SYSTEMDDIR)/wbcal-restore@.service)
	$(if $(DESTDIR),,if [ -d /var/lib/wbcal ]; then rmdir --ignore-fail-on-non-empty /var/lib/wbcal; fi)
	$(reload)

# A staged system is not the running one.
reload = @if [ -z "$(DESTDIR)" ] && [ -d /run/systemd/system ]; then \
	  systemctl daemon-reload; udevadm control --reload; \
	fi

clean:
	rm -rf .build $(OUT) Benchmarks/.build
