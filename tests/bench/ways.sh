#!/bin/sh
# ways.sh: what counting takes in the kernels of tests/access/shapes.list, by instructions, which are the same on a busy
# machine: times those of the plain build, by loops and by hooks, where nothing is named (none), where arrays are named
# (name), and where all memory is (all).  With THREADS=2 they are those of the first thread.  To hold: by loops no more than
# by hooks, and at most 2.5; hash and map 3.
#
# Usage: ways.sh [KERNEL…]       Environment: WRAPPER (the wrapper), CC, GXX, GFORTRAN, srcdir (top of the source), LEVEL (-O2),
# THREADS (1), WAYS (none name all), TIMES (10: how many rounds for one of the list)
set -eu
: "${WRAPPER:=kinst}" "${CC:=gcc}" "${GXX:=g++}" "${GFORTRAN:=gfortran}" "${srcdir:=.}" "${WAYS=none name all}" "${TIMES:=10}"
command -v valgrind >/dev/null || { echo "ways.sh: no valgrind"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export OMP_NUM_THREADS="${THREADS:-1}" OMP_WAIT_POLICY=passive OMPP_REPORTFILE=none OMPP_QUIET=1 OMPP_PROFILE=0
only=" $* "

# build LANGUAGE: makes LANGUAGE.plain, .hooks and .loops, and of C++ those with a pool
build() {
	case $1 in
	c) compiler=$CC ;;
	cpp) compiler=$GXX ;;
	f90) compiler=$GFORTRAN ;;
	esac
	flags="-w ${LEVEL:--O2} -fopenmp $srcdir/tests/access/shapes.$1 -lm"
	for pool in '' -DPOOL; do
		[ -z "$pool" ] || [ "$1" = cpp ] || continue
		# gfortran writes modules into the folder where it runs
		(cd "$work" && $compiler $pool $flags -o "$1.plain$pool" &&
			"$WRAPPER" --access=hooks $compiler $pool $flags -o "$1.hooks$pool" &&
			"$WRAPPER" --access $compiler $pool $flags -o "$1.loops$pool")
	done
}

# instructions PROGRAM ARGUMENT…: those of its main program
instructions() {
	valgrind --tool=callgrind --toggle-collect=main --callgrind-out-file=/dev/null --log-file="$work/log" "$@" >/dev/null
	sed -n 's/.*Collected : //p' "$work/log"
}

# counted WAY KIND LANGUAGE KERNEL N ROUNDS
counted() {
	way=$1 kind=$2 language=$3
	shift 3
	case $way$language in
	namecpp) OMPP_DATA_NAME=pool instructions "$work/cpp.$kind-DPOOL" "$@" ;;
	name*) POOL=1 OMPP_DATA_NAME='*' instructions "$work/$language.$kind" "$@" ;;
	all*) OMPP_OBJECTS=all instructions "$work/$language.$kind" "$@" ;;
	*) instructions "$work/$language.$kind" "$@" ;;
	esac
}

srcdir=$(cd "$srcdir" && pwd)
printf '%-11s %10s' kernel plain
for way in $WAYS; do
	printf ' %11s %7s' "loops, $way" hooks
done
printf '   %s\n' "($CC ${LEVEL:--O2}, times plain)"
grep -v '^#' "$srcdir/tests/access/shapes.list" >"$work/list"
while read -r language kernel n rounds _; do
	[ "$only" = "  " ] || [ "$only" != "${only#* "$kernel" }" ] || continue
	[ -f "$work/$language.loops" ] || build "$language" </dev/null
	rounds=$((rounds * TIMES))
	plain=$(counted none plain "$language" "$kernel" "$n" "$rounds")
	printf '%-11s %10s' "$kernel" "$plain"
	for way in $WAYS; do
		for kind in loops hooks; do
			took=$(counted "$way" $kind "$language" "$kernel" "$n" "$rounds")
			echo "$way $kind $plain $took" >>"$work/ratios"
			awk -v a="$took" -v b="$plain" -v wide="$([ $kind = hooks ] && echo 7 || echo 11)" 'BEGIN { printf " %*.2f", wide, a / b }'
		done
	done
	echo
done <"$work/list"
awk -v ways="$WAYS" '{ sum[$1 $2] += log($4 / $3); n[$1 $2]++ }
	END {
		printf "%-22s", "geom. mean"
		split(ways, way, " ")
		for (i = 1; i in way; i++)
			printf " %11.2f %7.2f", exp(sum[way[i] "loops"] / n[way[i] "loops"]), exp(sum[way[i] "hooks"] / n[way[i] "hooks"])
		print ""
	}' "$work/ratios"
