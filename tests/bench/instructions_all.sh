# instructions_all: instructions.sh with lists and pauses of more lengths.
ALL=1
. "$srcdir/tests/bench/instructions.sh"
