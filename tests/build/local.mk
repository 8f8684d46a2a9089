# build: the tree and what is installed from it
script_tests += \
	tests/build/docs.sh \
	tests/build/install.sh \
	tests/build/layers.sh
EXTRA_DIST += tests/build/elsewhere.sh

# The tests as other machines and people run them; ELSEWHERE: some of the places, ELSEWHERE_TESTS: some of the tests.
.PHONY: check-elsewhere
check-elsewhere: all
	TESTS='$(ELSEWHERE_TESTS)' $(srcdir)/tests/build/elsewhere.sh . $(ELSEWHERE)
