# package: what is handed out: the distribution, packages, recipes, and what a release promises to keep.
script_tests += \
	tests/package/symbols.sh
turn_tests += \
	tests/package/abi.sh \
	tests/package/kept.sh \
	tests/package/module.sh \
	tests/package/recipes.sh \
	tests/package/release.sh
slow_tests += \
	tests/package/debian.sh \
	tests/package/dist.sh
EXTRA_DIST += tests/package/ABI tests/package/KEPT tests/package/abi.c tests/package/abi_hooks.c tests/package/abi_hooks.py \
	tests/package/abi_types.sh \
	tests/package/names.sh tests/package/packages.sh tests/package/spack.py

# Takes what the sources have now for what the next releases keep.
.PHONY: update-kept
update-kept: all
	$(SHELL) $(srcdir)/tests/package/names.sh $(srcdir) . >$(srcdir)/tests/package/KEPT.new
	mv $(srcdir)/tests/package/KEPT.new $(srcdir)/tests/package/KEPT
	$(SHELL) $(srcdir)/tests/package/abi_types.sh $(srcdir) >$(srcdir)/tests/package/ABI.new
	mv $(srcdir)/tests/package/ABI.new $(srcdir)/tests/package/ABI
