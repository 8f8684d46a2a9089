# corpus: whole programs, plainly and by kinst.  `make check-corpus` runs all of libgomp's tests (CORPUS: options of libgomp.sh).
script_tests += tests/corpus/cases.sh
slow_tests += tests/corpus/libgomp_slice.sh
EXTRA_DIST += tests/corpus/compare.sh tests/corpus/program.sh tests/corpus/constructs.awk tests/corpus/totals.awk \
	tests/corpus/regions.awk tests/corpus/cases \
	tests/corpus/libgomp.sh tests/corpus/libgomp.awk tests/corpus/exceptions.awk tests/corpus/EXCEPTIONS

.PHONY: check-corpus
check-corpus: all
	PATH="$(abs_top_builddir):$$PATH" $(srcdir)/tests/corpus/libgomp.sh --jobs=$$(getconf _NPROCESSORS_ONLN) $(CORPUS)
