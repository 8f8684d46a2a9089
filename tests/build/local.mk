# build: tests of the source tree and of what is installed from it.
script_tests += \
	tests/build/clang_sources.sh \
	tests/build/colors.sh \
	tests/build/cycles.sh \
	tests/build/debug.sh \
	tests/build/docs.sh \
	tests/build/format.sh \
	tests/build/install.sh \
	tests/build/layers.sh \
	tests/build/probes.sh \
	tests/build/slices.sh
slow_tests += tests/build/all_cases.sh
EXTRA_DIST += tests/build/distribution.sh tests/build/elsewhere.sh tests/build/foreign tests/build/machine.sh tests/build/seconds .clang-format

# Runs the tests as other machines and people do; ELSEWHERE names some of the places, ELSEWHERE_TESTS some of the tests.
.PHONY: check-elsewhere
check-elsewhere: all
	TESTS='$(ELSEWHERE_TESTS)' $(srcdir)/tests/build/elsewhere.sh . $(ELSEWHERE)

# The sources that .clang-format describes, and `make format`, which writes them so.  golden/fake.c is measured by tests.
formatted = find env opari reports runtime tests/fuzz tests/golden tests/unit '(' -name '*.[ch]' -o -name '*.cc' ')' ! -path '*/golden/fake.c'
.PHONY: format list-formatted
list-formatted:
	@cd $(srcdir) && $(formatted)
format:
	cd $(srcdir) && $(formatted) | xargs clang-format --style=file -i
