# pages_all: pages.sh with all kernels.
ALL=1 . "$srcdir/tests/access/pages.sh"
