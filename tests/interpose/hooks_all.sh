# hooks_all: hooks.sh for all kernels with all compilers and levels.  PART=2/3 takes the second of three parts.
ALL=1
. "$srcdir/tests/interpose/hooks.sh"
