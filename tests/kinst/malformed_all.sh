# malformed_all: malformed.sh with all of its sources.  PART=3/60 is the third of 60 parts (tests/slices); by itself it takes
# the first.
MALFORMED=${PART:-1/60}
. "$srcdir/tests/kinst/malformed.sh"
