# order_all: order.sh with each compiler, way to count, level, kind of threads, and of waiting, and 1 to 16 threads.
# PART=3/4 takes the third of 4 parts (tests/slices).
WIDE=1
. "$srcdir/tests/access/order.sh"
