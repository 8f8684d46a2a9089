# emulate_all: a hundred programs of chance as valgrind's lackey counts them, and fifty with threads as arithmetic does.
# PART=2/3 takes the second of three parts.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/emulation.sh"
need valgrind

part=${PART:-1/1}
seeds=$(seq 100 199 | awk -v part="${part%/*}" -v parts="${part#*/}" 'NR % parts == part % parts')
by_chance $seeds
teams $(echo "$seeds" | awk 'NR % 2')
