# The Debian package. Included by the package's Makefile; everything made here is under DEB.
DEB = .build/deb
VERSION = $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/wbcal/Wbcal.swift)
DEB_FILE = $(DEB)/wbcal_$(VERSION)-1_$(shell dpkg --print-architecture).deb

.PHONY: deb deb-check deb-check-deps

# A package that needs no Swift: its runtime is in the program.
deb: deps
	$(call install,dpkg-dev)
	swift build -c release --static-swift-stdlib --disable-local-rpath --scratch-path $(DEB)/swift \
	  --product wbcal
	rm -rf $(DEB)/debian
	$(MAKE) --no-print-directory -o build install WBCAL=$(DEB)/swift/release/wbcal \
	  DESTDIR=$(DEB)/debian/wbcal PREFIX=/usr ZSHDIR=/usr/share/zsh/vendor-completions
	Packaging/make-deb.sh $(DEB) $(VERSION)-1
	@echo "made $(DEB_FILE)"

# Without debootstrap or root there is nothing to test in, which is no failure.
deb-check: deb
	@if ! $(MAKE) --no-print-directory deb-check-deps >$(DEB)/check-deps.log 2>&1; then \
	  echo "skipped: the check of the package, for want of debootstrap; see $(DEB)/check-deps.log"; \
	else \
	  $(SUDO) Packaging/check-deb.sh $(DEB_FILE) $(VERSION) $(abspath $(DEB))/bare; \
	fi

deb-check-deps:
	$(call install,debootstrap)
	$(SUDO) true
