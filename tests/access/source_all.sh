# source_all: source.sh with all kernels, compilers and levels.
ALL=1
. "$srcdir/tests/access/source.sh"
