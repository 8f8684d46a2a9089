# onesided: calls that move data to and from the memory of other ranks, and files, are time, calls and bytes, as programs of chance
# say by their own stamps and arithmetic; with each MPI that is there, in C and by the module mpi_f08
. "$srcdir/tests/lib.sh"
need python3
onesided="python3 $srcdir/tests/mpi/onesided.py"
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_NUM_THREADS=1

# judged MPI SEED LANGUAGE
judged() {
	cc="mpicc.$1" name=onesided.c
	[ "$3" = c ] || cc="mpif90.$1 -ffree-line-length-none" name=onesided.f90
	$onesided make "$2" "$3" >$name
	# shellcheck disable=SC2086
	if ! $cc -g -O1 -w $name -o onesided 2>err; then
		grep -q 'Cannot open module file' err || { cat err; fail "$1: seed $2: $3: not compiled"; }
		echo "$1: not there: $3"
		return
	fi
	tries=0
	rm -f left.*
	while :; do
		rm -rf out data said.*
		# shellcheck disable=SC2086
		OMPP_OUTDIR=$PWD/out mpirun.$1 $root -n 3 ompp run --apart ./onesided >said 2>err </dev/null || { cat said err; fail "$1: $3: status $?"; }
		status=0
		for r in 0 1 2; do
			ompp report --format=json out/*.r$r-*.ompp >rank.json || fail "$1: no profile of rank $r"
			rank_status=0
			$onesided compare said.$r $r rank.json left.$r >why 2>&1 || rank_status=$?
			[ $rank_status = 0 ] || status=$rank_status
			[ $rank_status = 0 ] || cat why
			[ $rank_status = 0 ] || [ $rank_status = 3 ] || fail "$1: seed $2: $3"
		done
		[ $status != 0 ] || break
		[ $((tries += 1)) -lt 6 ] || fail "$1: seed $2: $3: times"
	done
}

for mpi in $(mpis); do
	root=$(mpi_options "$mpi")
	for language in c f08; do
		judged "$mpi" 1 $language
		judged "$mpi" $$ $language
	done
done
[ -n "$(mpis)" ] || skip "neither MPICH nor Open MPI is installed"
