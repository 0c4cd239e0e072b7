# The Debian package, and what shows that a release can be depended on. Included by the package's
# Makefile; everything made here is under DEB and CONSUMERS.
DEB = .build/deb
CONSUMERS = .build/consumers
VERSION = $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/wbcal/Commands/Wbcal.swift)
DEB_FILE = $(DEB)/wbcal_$(VERSION)-1_$(shell dpkg --print-architecture).deb

.PHONY: deb deb-check bare-debian-deps api-check test-consumers test-traits

# A package that needs no Swift: its runtime is in the program.
deb: deps
	$(call install,dpkg-dev)
	swift build -c release $(TRAITS) --static-swift-stdlib --disable-local-rpath --scratch-path $(DEB)/swift \
	  --product wbcal
	rm -rf $(DEB)/debian
	$(MAKE) --no-print-directory -o build install WBCAL=$(DEB)/swift/release/wbcal \
	  DESTDIR=$(DEB)/debian/wbcal PREFIX=/usr ZSHDIR=/usr/share/zsh/vendor-completions
	Packaging/make-deb.sh $(DEB) $(VERSION)-1
	@echo "made $(DEB_FILE)"

# $(call bare-debian,CHECK,COMMAND): runs a COMMAND that makes a bare Debian. Without debootstrap or root
# there is nothing to test in, which is no failure.
define bare-debian
	@mkdir -p .build; \
	if ! $(MAKE) --no-print-directory bare-debian-deps >.build/bare-debian.log 2>&1; then \
	  echo "skipped: $(1), for want of debootstrap and root; see .build/bare-debian.log"; \
	else \
	  $(2); \
	fi
endef

deb-check: deb
	$(call bare-debian,the check of the package,\
	  $(SUDO) Packaging/check-deb.sh $(DEB_FILE) $(VERSION) $(abspath $(DEB))/bare)

bare-debian-deps:
	$(call install,debootstrap)
	$(SUDO) true

# What breaks the libraries' users since the last tag.
api-check: deps
	@tag=$$(git describe --tags --abbrev=0 2>/dev/null); \
	if [ -z "$$tag" ]; then \
	  echo "no tag: there is no release that the libraries could break with"; \
	else \
	  echo "the libraries against $$tag:"; \
	  swift package --scratch-path .build/api diagnose-api-breaking-changes "$$tag"; \
	fi

# Every library product in a package of its own, which has this one by path and by URL; the core without
# Swift's shared libraries; what needs no C library in a Debian that has none.
test-consumers: deps
	Tests/Consumers/test.sh $(abspath $(CONSUMERS))
	$(call bare-debian,the consumers without C libraries,\
	  git ls-files -z --cached --others --exclude-standard | \
	  tar --create --null --files-from - --ignore-failed-read 2>/dev/null | \
	  $(SUDO) Tests/Consumers/bare.sh $(abspath $(CONSUMERS))/bare $(TOOLCHAIN))

# The tool without LibRaw and Little CMS: it links neither, does the rest, and says what it cannot do.
TRAITS_BIN = .build/traits/debug
test-traits: deps
	swift build --disable-default-traits --scratch-path .build/traits
	@if ldd $(TRAITS_BIN)/wbcal | grep -E 'lcms|libraw'; then \
	  echo "a build without its traits links their libraries"; exit 1; \
	fi
	@$(TRAITS_BIN)/wbcal convert --from xy --to cct 0.3127 0.3290 && \
	! $(TRAITS_BIN)/wbcal estimate $(CARD) 2>$(TRAITS_BIN)/raw.txt && \
	grep 'made without LibRaw' $(TRAITS_BIN)/raw.txt && \
	$(TRAITS_BIN)/wbcal verify --device simulated --limit 100 && \
	! $(TRAITS_BIN)/wbcal profile export desk.json --icc - 2>$(TRAITS_BIN)/icc.txt && \
	grep 'does not include Little CMS' $(TRAITS_BIN)/icc.txt
