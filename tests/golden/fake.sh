#!/bin/sh
# The whole way from `kinst gcc` to the report, byte by byte: one thread, the fake clock and the fake source.
# Usage to record: fake.sh FOLDER writes fake.txt and fake.csv there.
. "$srcdir/tests/lib.sh"

cp "$srcdir/tests/golden/fake.c" .
kinst --strict gcc -fopenmp fake.c -o fake || fail 'kinst'
OMPP_CLOCK=fake OMPP_COLLAPSE_LOCKS=1 OMPP_OUTFORMAT=PLAIN,CSV OMPP_REPORTFILE=made OMPP_QUIET=1 OMP_NUM_THREADS=1 \
	OMPP_VIEW=overview,callgraph,flat,callpath,overhead,properties ./fake || fail 'the program'
sed "s|$work/||" made.csv >made.csv.short
if [ $# -gt 0 ]; then
	cp made.txt "$1/fake.txt"
	cp made.csv.short "$1/fake.csv"
	exit 0
fi
same 'the text report' "$srcdir/tests/golden/fake.txt" made.txt
same 'the csv report' "$srcdir/tests/golden/fake.csv" made.csv.short
