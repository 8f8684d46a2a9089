#!/bin/sh
# mutate: does kinst keep its word for programs that nobody would write?
#
# Mutants of the sources of a folder (mutate.c) that compile plainly must compile with kinst, with the same status; and when
# the plain one does the same each time (one thread and three), so must the instrumented one.
# With --ways: are accesses counted by whole loops as by hooks, by object, region and thread, with all objects named?
# Usage: mutate.sh [--seconds=N | --mutants=N] [--seed=N] [--keep=FOLDER] [--kinst='kinst OPTIONS'] [--clang] [--ways]
#   FILE|FOLDER…
# Each mutant has a number, from the seed on: the same number and sources give the same mutant.  Prints what differs, and
# what could only be compiled without calls; then one line of totals.  Ends with 1 when something differs.
set -u
kinst=kinst seconds=30 mutants=0 seed=1 keep= cc=gcc cxx=g++ zeroed= ways= level=-O0
while [ $# -gt 0 ]; do
	case $1 in
	--kinst=*) kinst=${1#*=} ;;
	--seconds=*) seconds=${1#*=} ;;
	--mutants=*) mutants=${1#*=} ;;
	--seed=*) seed=${1#*=} ;;
	--keep=*) keep=${1#*=} ;;
	--ways) ways=yes level='-O1 -g' ;;
	--clang) cc=clang cxx=clang++ zeroed=-enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang ;;
	*) break ;;
	esac
	shift
done
[ $# -gt 0 ] || { sed -n '2,11s/^# *//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
if [ -n "$keep" ]; then
	mkdir -p "$keep"
	keep=$(realpath "$keep")
fi
export OMPP_REPORTFILE=none OMPP_PROFILE=0 OMPP_QUIET=1 OMP_WAIT_POLICY=passive OMP_DYNAMIC=false LC_ALL=C
export MALLOC_PERTURB_=255      # memory is zero in both
cc -D_GNU_SOURCE -O2 "$(dirname "$0")/mutate.c" -o "$work/mutate" || exit 2
for each; do realpath -e "$each"; done >"$work/given" || exit 2
find $(cat "$work/given") -type f \( -name '*.c' -o -name '*.cc' -o -name '*.cpp' -o -name '*.C' -o -name '*.f' -o -name '*.f90' -o \
	-name '*.F' -o -name '*.F90' -o -name '*.f03' \) | sort >"$work/list"

# run PROGRAM OUT: with one thread and with three.
run() {
	for threads in 1 3; do
		OMP_NUM_THREADS=$threads timeout -k 1 5 "./$1" </dev/null 2>/dev/null
		echo "status $?"
	done >"$2"
}

# What is read before it is written is zero in both.
build() {
	"$@" $level -w -fopenmp -I"$(dirname "$source")" $zero -pipe
}

keep_it() {
	differs=$((differs + 1))
	echo "mutant $seed of $source: $1"
	[ -z "$keep" ] || cp "$mutant" "$keep/$seed.$suffix"
}

# Does the program do what no language defines?
undefined() {
	check=
	[ $compiler != gfortran ] || check=-fcheck=all
	build $compiler $check -fsanitize=address,undefined "$mutant" -o checked >/dev/null 2>&1 || return 1
	for threads in 1 3; do
		(ulimit -v unlimited; ASAN_OPTIONS=detect_leaks=0 OMP_NUM_THREADS=$threads timeout -k 1 10 ./checked </dev/null 2>&1) |
			grep -q 'runtime error: \|ERROR: AddressSanitizer\|^Fortran runtime error' && return 0
	done
	return 1
}

# counted WAY OUT: runs the program that counts so, with one thread and with three; OUT gets what its reports say of each
# object, region and thread.
counted() {
	for threads in 1 3; do
		rm -f report
		(cd "$1" && OMPP_REPORTFILE=../report OMPP_OUTFORMAT=CSV OMPP_OBJECTS=all OMPP_OBJECT_MIN=1 OMP_NUM_THREADS=$threads \
			timeout -k 1 5 ./program </dev/null >/dev/null 2>&1)
		echo "status $?"
		[ ! -s report ] || awk -f "$here/../access/nests.awk" report | sort
	done >"$2"
}

# Are the counts the same?  Those of programs that vary by themselves are set aside.
count_both_ways() {
	mkdir hooks loops
	build $kinst --access=hooks $compiler "$mutant" -o hooks/program >out 2>err || return
	build $kinst --access $compiler "$mutant" -o loops/program >out 2>err || { keep_it 'loops: it does not compile'; return; }
	steady=$((steady + 1))
	for try in 1 2 3 4; do
		counted hooks h$try
		counted loops l$try
		! grep -q 'status 124\|status 137\|status 139' h$try || { steady=$((steady - 1)); return; }
		for other in $(seq $try); do
			! cmp -s h$try l$other && ! cmp -s h$other l$try || {
				lines=$((lines + $(grep -cv '^status' h$try)))
				return
			}
			[ $other = $try ] || cmp -s h$other h$try || { steady=$((steady - 1)); return; }
		done
	done
	undefined && { steady=$((steady - 1)); return; }
	keep_it "counts differ: $(diff h1 l1 | grep '^[<>]' | head -4 | tr '\n' ' ' | cut -c1-200)"
}

one() {
	source=$("$work/mutate" "$seed" "$work/list" 2>&1 >text) || { echo "mutant $seed: $source"; exit 2; }
	suffix=${source##*.}
	mutant=mutant.$suffix
	mv text "$mutant"
	zero="-ftrivial-auto-var-init=zero $zeroed"
	case $suffix in
	c) compiler=$cc ;;
	f* | F*) compiler=gfortran zero=-finit-local-zero ;;
	*) compiler=$cxx ;;
	esac
	made=$((made + 1))
	$compiler -w -fopenmp -I"$(dirname "$source")" -fsyntax-only "$mutant" >/dev/null 2>&1 || return
	[ ! "$ways" ] || {
		built=$((built + 1))
		count_both_ways
		return
	}
	build $compiler "$mutant" -o plain >/dev/null 2>&1
	status=$?
	build $kinst $compiler "$mutant" -o ours >out 2>err
	ours=$?
	built=$((built + 1))
	if grep -q 'not instrumented\|stays as it is' err; then
		without=$((without + 1))
		echo "mutant $seed of $source: without calls: $(grep 'not instrumented\|stays as it is' err | head -1)"
		[ -z "$keep" ] || cp "$mutant" "$keep/$seed-left.$suffix"
	fi
	[ $status -ge 128 ] && [ $ours -ge 128 ] && return      # the compiler crashed
	[ $status = $ours ] || { keep_it "status of the compile: $status, $ours"; return; }
	[ $status = 0 ] || return
	run plain p1
	grep -q 'status 124\|status 137\|status 139' p1 && return
	steady=$((steady + 1))
	for again in 1 2 3; do
		run ours k1
		cmp -s p1 k1 && return
	done
	# a race, that may show seldom
	for again in 1 2 3 4 5 6 7 8 9 10 11 12; do
		run plain p2
		cmp -s p2 p1 || { steady=$((steady - 1)); return; }
	done
	undefined && return
	keep_it "differs: $(diff p1 k1 | grep '^[<>]' | head -2 | tr '\n' ' ' | cut -c1-100)"
}

mkdir "$work/run"
cd "$work/run" || exit 2
ulimit -v 8000000 -f 100000 -c 0 2>/dev/null
made=0 built=0 steady=0 differs=0 without=0 lines=0
end=$(($(date +%s) + seconds))
first=$seed
while if [ $mutants -gt 0 ]; then [ $made -lt $mutants ]; else [ "$(date +%s)" -lt $end ]; fi; do
	rm -rf "$work/run/"*
	one
	seed=$((seed + 1))
done
echo "mutants $first-$((seed - 1)): $made made, $built compile plainly, $steady run and do the same each time, $differs differ," \
	"$without compiled without some calls${ways:+, $lines lines of counts}"
[ $differs = 0 ]
