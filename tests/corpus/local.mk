# corpus: whole programs, plainly and by kinst.  `make check-corpus` runs all of libgomp's tests; CORPUS: its options
turn_tests += tests/corpus/cases.sh tests/corpus/engines.sh
slow_tests += tests/corpus/cases_access.sh tests/corpus/libgomp_emulated.sh tests/corpus/libgomp_opari2.sh tests/corpus/libgomp_slice.sh \
	tests/corpus/mutants.sh tests/corpus/mutants_ways.sh
EXTRA_DIST += tests/corpus/compare.sh tests/corpus/magick.sh tests/corpus/program.sh tests/corpus/constructs.awk tests/corpus/totals.awk \
	tests/corpus/regions.awk tests/corpus/cases \
	tests/corpus/libgomp.sh tests/corpus/libgomp.awk tests/corpus/exceptions.awk tests/corpus/EXCEPTIONS tests/corpus/OPARI2 \
	tests/corpus/mutate.c tests/corpus/mutate.sh

.PHONY: check-corpus
check-corpus: all
	PATH="$(abs_top_builddir):$$PATH" $(srcdir)/tests/corpus/libgomp.sh --jobs=$$(getconf _NPROCESSORS_ONLN) $(CORPUS)

# Tests mutants of our sources and of those in MUTATE for MUTATE_SECONDS; those that differ are kept in ./mutants.
MUTATE_SECONDS = 3600
.PHONY: check-mutants
check-mutants: all
	PATH="$(abs_top_builddir):$$PATH" $(srcdir)/tests/corpus/mutate.sh --seconds=$(MUTATE_SECONDS) --seed=$$(date +%s) --keep=mutants \
		$(srcdir)/tests/corpus/cases $(srcdir)/tests/runtime $(MUTATE)
