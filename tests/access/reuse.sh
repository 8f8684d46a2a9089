# reuse: the misses of all sizes of cache, by region and object, are within 2 points of those by exact stack distances,
# which the same kernels find themselves in a build without kinst; steps of the curve may be as far away as a quarter of
# the size.  So are those where each access is seen by itself, and the machine's own sizes.  First accesses apart.
. "$srcdir/tests/lib.sh"

"$CC" -O1 -w -DEXACT "$srcdir/tests/access/reuse.c" -o exact || fail "exact"
./exact >exact.out || fail "exact"
[ "$(wc -l <exact.out)" -ge 12 ] || fail "kernels"
export OMPP_QUIET=1 OMPP_PROFILE=0 OMPP_REUSE=1 OMPP_DATA_NAME=a,b,m,q,r,p OMPP_VIEW=reuse OMPP_OUTFORMAT=CSV

# check WHAT: report.csv has what exact.out has
check() {
	awk -F, -v what="$1" '
		function off(a, lo, hi) { return a < lo ? lo - a : a > hi ? a - hi : 0 }
		FILENAME == "exact.out" {
			split($0, w, " ")
			key = w[1] " " w[2]
			n_all[key] = w[3]
			first[key] = w[4] / w[3] * 100
			for (c = 0; c < 11; c++)
				for (k = 0; k < 3; k++)
					exact[key, 16384 * 2 ^ c, k] = w[5 + 3 * c + k] / w[3] * 100
			next
		}
		/^##BEG/ { table = $0; getline; for (i = 1; i <= NF; i++) at[$i] = i; next }
		/^##END/ { table = "" }
		table == "##BEG reuse by object and region" && $1 != "(other)" && $1 != "(stack)" {
			key = $at["name"] " " $1
			if (!(key in n_all))
				next
			seen[key] = 1
			if ($at["accesses"] != n_all[key] || off($at["first (%)"], first[key], first[key]) > 2) {
				print what ": " key ": accesses " $at["accesses"] " of " n_all[key] ", first " \
					$at["first (%)"] ", not " first[key]
				bad = 1
			}
		}
		table == "##BEG miss ratio by object and region" {
			key = $at["name"] " " $1
			size = $at["cache bytes"]
			if (!(key in n_all) || size >= 16384 * 2 ^ 11)
				next
			o = off($at["misses (%)"], exact[key, size, 2], exact[key, size, 0])
			sum += $at["misses (%)"] < exact[key, size, 1] ? exact[key, size, 1] - $at["misses (%)"] \
				: $at["misses (%)"] - exact[key, size, 1]
			n++
			if (o > 2) {
				print what ": " key ": cache of " size ": " $at["misses (%)"] ", not " \
					exact[key, size, 0] " " exact[key, size, 1] " " exact[key, size, 2]
				bad = 1
			}
		}
		END {
			for (key in n_all)
				if (!(key in seen)) {
					print what ": " key " is missing"
					bad = 1
				}
			printf "%s: %d sizes, off by %.3f points in the mean\n", what, n, n ? sum / n : 0
			exit bad || n < 60 || sum / n > 1
		}' exact.out report.csv || fail "$1"
}

# tables FILE PATTERN: those tables of a report, in an order of their own
tables() {
	awk -v pattern="$2" '/^##BEG/ { inside = $0 ~ pattern } inside; /^##END/ { inside = 0 }' "$1" | sort
}

# beside_model COMPILER: where addresses stay, reuse and the cache model together say what each of them says alone
beside_model() {
	setarch -R true 2>/dev/null || { echo "addresses do not stay here: reuse beside the model is not compared"; return; }
	for what in REUSE CACHE BOTH; do
		reuse=1 cache=L1=32K/8/64,L2=512K/8/64
		[ $what != CACHE ] || reuse=0
		[ $what != REUSE ] || cache=0
		OMPP_REUSE=$reuse OMPP_CACHE=$cache OMPP_VIEW=reuse,data OMPP_REPORTFILE=$what.csv setarch -R ./hooked 2>err ||
			fail "$1: $what"
	done
	for pair in 'REUSE ^##BEG (reuse|miss)' 'CACHE ^##BEG data (objects by|patterns)'; do
		tables "${pair%% *}.csv" "${pair#* }" >alone
		tables BOTH.csv "${pair#* }" >both
		[ "$(wc -l <alone)" -ge 20 ] && grep -q '[1-9]' alone || fail "$1: ${pair%% *} alone: $(cat alone)"
		same "$1: ${pair%% *} alone and beside the other" alone both
	done
}

for compiler in gcc ${CLANG:-}; do
	kinst --access $compiler -w -O2 -fopenmp "$srcdir/tests/access/reuse.c" -o hooked || fail "$compiler reuse.c"
	OMPP_REPORTFILE=report.csv ./hooked 2>err || fail "$compiler: hooked"
	check "$compiler"
	OMPP_SHARING=1 OMPP_REPORTFILE=report.csv ./hooked 2>err || fail "$compiler: each access"
	check "$compiler, each access"
	OMPP_CACHE=1 OMPP_REPORTFILE=report.csv ./hooked 2>err || fail "$compiler: beside the cache model"
	check "$compiler, beside the cache model"
	beside_model "$compiler"
done
# no section, and nothing else, without it
OMPP_REUSE=0 OMPP_VIEW= OMPP_REPORTFILE=report.csv ./hooked 2>err || fail "without"
! grep -q '^##BEG reuse' report.csv || fail "a section without OMPP_REUSE"
