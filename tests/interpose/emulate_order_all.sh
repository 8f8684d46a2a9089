# emulate_order_all: emulate_order.sh with more programs of chance, and all numbers of threads with the cache model and without.
ALL=1
. "$srcdir/tests/interpose/emulate_order.sh"
