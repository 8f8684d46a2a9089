# nests_all: nests.sh with 16,800 loop nests in all, at each level of optimisation.  Each part has its own seeds.
# PART=3/100 is the third of 100 parts (tests/slices); by itself it takes the first.
part=${PART:-1/100}
first=$(((${part%/*} - 1) * 420 / ${part#*/} / 3 + 2))
last=$((${part%/*} * 420 / ${part#*/} / 3 + 1))
: "${SEEDS=$first-$last}" "${LEVELS=-O0 -O1 -O2 -O3}" "${CHECKING=yes}"
. "$srcdir/tests/access/nests.sh"
