# zones: the ranks of a program of several zones have the load balance that the sizes of their zones give, and the one
# with the most cells is named; evenly distributed none is; its result is right, and its output as without; with each MPI.
# A cell takes the time of a sleep, so that the balance is arithmetic on a busy machine, too.
. "$srcdir/tests/examples/example.sh"
need python3
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive OMP_DYNAMIC=false

# ran RANKS ARGS…: runs the measured program; what it says is to be what the plain one says.
ran() {
	ranks=$1
	shift
	rm -rf out
	# shellcheck disable=SC2086
	mpirun.$mpi $root -n "$ranks" ./plain "$@" >want 2>err || { cat err; fail "$mpi: plain: $*"; }
	# shellcheck disable=SC2086
	OMPP_OUTDIR=$PWD/out mpirun.$mpi $root -n "$ranks" ./zones "$@" >have 2>err || { cat have err; fail "$mpi: $*"; }
	same "$mpi: output: $*" want have
	grep -qx '0 of 47524 cells are wrong after .* steps' have || fail "$mpi: result"
	ompp report --format=json out/*.ompp >all.json || fail "$mpi: no report"
}

cat >judge.py <<'P'
# judge.py UNEQUAL: compares the balance of ranks, and the finding about them, with the cells that the program says
import json, re, sys
cells = [int(n) for n in re.findall(r"(\d+) cells$", open("have").read(), re.M)]
profile = json.load(open("all.json"))
want = sum(cells) / len(cells) / max(cells)
have = profile["efficiency"]["mpi_load_balance"][0]
if abs(have - want) > 0.04:
    sys.exit("load balance %.3f, not %.3f" % (have, want))
found = [f for f in profile["findings"]["list"] if f["name"] == "UnequalRanks"]
if sys.argv[1] == "1":
    if not found or "rank %d (host " % cells.index(max(cells)) not in found[0]["evidence"]:
        sys.exit("the rank with the most cells is not named: %s" % found)
elif found and found[0]["gain_ns"] > 0.1 * profile["profile"]["duration_ns"]:
    sys.exit("ranks with as much to do are found: %s" % found)
P

for mpi in $(mpis); do
	root=$(mpi_options "$mpi")
	mpicc.$mpi -w -O2 -fopenmp "$examples/zones.c" -o plain || fail "$mpi: plain build"
	kinst --strict mpicc.$mpi -w -O2 -fopenmp "$examples/zones.c" -o zones || fail "$mpi: build"
	ran 3
	# by the command of its header
	rm -rf out
	# shellcheck disable=SC2086
	OMPP_OUTDIR=$PWD/out mpirun.$mpi $root -n 3 ompp run ./zones >have 2>err || { cat have err; fail "$mpi: ompp run"; }
	grep -qx 'rank 0: 6 zones, 7588 cells' have && grep -q 'threads in 3 MPI ranks' have ||
		{ cat have; fail "$mpi: ompp run"; }
	for how in 'blocks 1' 'even 0'; do
		tries=0
		until
			ran 4 3 ${how% *} 60000
			python3 judge.py ${how#* } >why 2>&1
		do
			[ $((tries += 1)) -lt 4 ] || { cat why; fail "$mpi: $how"; }
		done
	done
done
[ -n "$(mpis)" ] || skip "neither MPICH nor Open MPI is installed"
