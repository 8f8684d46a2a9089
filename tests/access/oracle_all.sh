# oracle_all: oracle.sh with all kernels, compilers and levels.
ALL=1
. "$srcdir/tests/access/oracle.sh"
