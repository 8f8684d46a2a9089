# corpus: whole programs, plainly and by kinst
script_tests += tests/corpus/cases.sh
EXTRA_DIST += tests/corpus/compare.sh tests/corpus/cases
