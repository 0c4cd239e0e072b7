# The camera lab: a virtual machine in which the kernel's driver for USB cameras drives a simulated
# one. Included by the package's Makefile; everything that it makes is in LAB_BUILD.
LAB = Tests/CameraLab
LAB_BUILD = .build/camera-lab
LAB_PACKAGES = qemu-system-x86 seabios busybox-static v4l-utils strace cpio kmod make gcc libc6-dev \
  xz-utils libturbojpeg0-dev
# The camera whose sensor is used.
LAB_SENSOR = canon-eos-600d
# The tests are scripts of the guest. Those in LAB_PROGRAM_TESTS need the programs of this package.
LAB_TESTS = selftest laws modes faults webcam
# The longest comes first.
LAB_PROGRAM_TESTS = balance-v256 restore chart wbcal sub-devices
# Tests that take minutes each, for `make test-camera-long`.
LAB_LONG_TESTS = exposure exposure-faults focus pictures controls gains balance-mjpg balance-ideal balance-v512 balance-additive \
  balance-coupled balance-kelvin10 balance-kelvin255 adapter-faults first-frame vivid stream system-calls leaks port-laws
LAB_PROGRAMS = wbcal wbcal-camera-probe
# The libraries of wbcal, with Aravis where it is built with it, and those of Foundation if it is linked statically.
LAB_LIBRARIES = $(if $(TRAITS),$(shell pkg-config --libs-only-l aravis-0.8)) $(addprefix -l,lcms2 microhttpd spng \
  tiff turbojpeg stdc++ m CoreFoundation _FoundationICU FoundationInternationalization FoundationEssentials \
  _FoundationCShims _FoundationCollections)

LAB_KERNEL = $(LAB_BUILD)/kernel/unpacked
LAB_TOOLS = $(addprefix $(LAB_BUILD)/bin/,uvcd capture leave)
LAB_ALL = $(addprefix $(LAB_BUILD)/,vmlinux base.cpio programs.cpio)

.PHONY: test-camera test-camera-long test-studio-lab prepare-camera check-lab check-camera lab lab-deps

# If QEMU or the kernel is not available, the tests are skipped and do not fail.
test-camera: prepare-camera
	$(MAKE) --no-print-directory check-lab

check-lab:
	@if [ -e $(LAB_BUILD)/ready ]; then \
	  $(MAKE) --no-print-directory check-camera && $(LAB)/test.sh "$(LAB_TESTS)" "$(LAB_PROGRAM_TESTS)"; \
	else \
	  echo "skipped: the camera lab, for $$(cat $(LAB_BUILD)/lacking)"; \
	fi

test-camera-long:
	LAB_TIMEOUT=1200 $(MAKE) --no-print-directory test-camera LAB_TESTS= LAB_PROGRAM_TESTS="$(LAB_LONG_TESTS)"

# Tests the studio's page in a browser, with the driver in the guest; takes half an hour.
test-studio-lab: build-tests prepare-camera
	@if [ -e $(LAB_BUILD)/ready ]; then \
	  WBCAL_LAB=$(abspath $(LAB_BUILD)) $(run-tests) \
	    --filter StudioLabTests; \
	else \
	  echo "skipped: the studio in the camera lab, for $$(cat $(LAB_BUILD)/lacking)"; \
	fi

prepare-camera:
	@mkdir -p $(LAB_BUILD)
	@rm -f $(LAB_BUILD)/ready
	@log=$(LAB_BUILD)/fetch.log; \
	lack() { echo "want of $$1: $$(grep -v '^make' $$log | tail -n 1); see $$log" >$(LAB_BUILD)/lacking; }; \
	if ! $(MAKE) --no-print-directory lab-deps >$$log 2>&1; then lack "its packages"; \
	elif ! $(MAKE) --no-print-directory $(LAB_KERNEL) >$$log 2>&1; then lack "Debian's kernel"; \
	else $(MAKE) --no-print-directory lab && touch $(LAB_BUILD)/ready; \
	fi

lab: lab-deps
	$(MAKE) --no-print-directory $(LAB_ALL)

lab-deps:
	$(call install,$(LAB_PACKAGES))

$(LAB_KERNEL): $(LAB)/fetch-kernel.sh
	$(LAB)/fetch-kernel.sh $(@D)
	@touch $@

# Where Debian's source of the kernel cannot be had, the guest has no vimc, and its test is skipped.
$(LAB_BUILD)/vimc: $(LAB)/make-vimc.sh $(LAB)/guest/sensor.h $(LAB_KERNEL)
	rm -f $@.ko
	$(LAB)/make-vimc.sh $(LAB_BUILD) || echo "without the virtual camera vimc"
	@touch $@

$(LAB_BUILD)/vmlinux: $(LAB)/extract-vmlinux.sh $(LAB_KERNEL)
	$(LAB)/extract-vmlinux.sh $(LAB_BUILD)/kernel/boot/vmlinuz-* >$@.tmp
	@mv $@.tmp $@

$(LAB_BUILD)/bin/uvcd: $(wildcard $(LAB)/uvcd/*)
	@mkdir -p $(@D)
	gcc -O2 -static -Wall -Wextra -Werror -o $@ $(LAB)/uvcd/*.c -lm

# Tests the parts of the camera, without a guest.
check-camera: $(LAB_BUILD)/check
	$<

$(LAB_BUILD)/check: $(LAB)/check/check.c $(wildcard $(LAB)/uvcd/*)
	@mkdir -p $(@D)
	gcc -O2 -Wall -Wextra -Werror -I$(LAB)/uvcd -o $@ $< $(filter-out %/main.c,$(filter %.c,$(wildcard $(LAB)/uvcd/*))) \
	  -lturbojpeg -lm

$(LAB_BUILD)/bin/%: $(LAB)/guest/%.c
	@mkdir -p $(@D)
	gcc -O2 -static -Wall -Wextra -Werror -o $@ $<

# The sensor's responses under measured lamps, computed from the spectra of this repository.
$(LAB_BUILD)/lamps: $(wildcard Calibration/*/*.json Calibration/Study/*.swift Sources/SimulatedScenes/* \
  Sources/ColorScience/*.swift Sources/ColorScience/*/*.swift) | build-tests
	$(TESTS)/debug/wbcal-calibration-study lamps $(LAB_SENSOR) >$@.tmp
	@mv $@.tmp $@

$(LAB_BUILD)/base.cpio: $(LAB)/make-base.sh $(LAB)/archive.sh $(LAB)/guest/init $(LAB)/guest/load \
  $(LAB_TOOLS) $(LAB_BUILD)/lamps $(LAB_KERNEL) $(LAB_BUILD)/vimc
	$(LAB)/make-base.sh $(LAB_BUILD)

# The programs are those of the tests, linked again, statically: loading shared libraries would take
# the guest longer than everything else that they do.
$(LAB_BUILD)/programs.cpio: $(LAB)/make-programs.sh $(LAB)/archive.sh Package.swift \
  $(shell find Sources $(wildcard $(LAB)/Probe) -type f) | build-tests
	@mkdir -p $(LAB_BUILD)/bin
	@set -e; for program in $(LAB_PROGRAMS); do \
	  swiftc -static-stdlib -use-ld=lld -emit-executable -o $(LAB_BUILD)/bin/$$program \
	    @$(TESTS)/debug/$$program.product/Objects.LinkFileList $(LAB_LIBRARIES) \
	    -Xlinker --defsym -Xlinker main=$$(echo $$program | tr - _)_main; \
	done
	$(LAB)/make-programs.sh $(LAB_BUILD) $(LAB_PROGRAMS)
