#!/bin/sh
# libgomp: GCC's own tests of its OpenMP library, from Debian's sources, plainly and by kinst (compare.sh).
#
# Those that run are taken (not those that must fail to compile, or need a device), each with the options, the
# environment and the further sources that its dg- comments ask for.  What came of them must be what EXCEPTIONS
# says, no more, no less.
# Usage: libgomp.sh [--every=N | --part=K/N] [--match=RE] [--clang] [OPTION OF compare.sh]… [C|C++|Fortran]…
#   --every=N    each Nth program of the list alone, from the first
#   --part=K/N   each Nth program of the list alone, from the Kth
#   --match=RE   those whose names match
#   --clang      by clang and clang++, and no Fortran; EXCEPTIONS is not looked at
#   --engine=opari2  by that engine; what came of them must be what OPARI2 says
set -u
here=$(cd "$(dirname "$0")" && pwd)
every=1 from=1 match=. cc=gcc cxx=g++ csv= engine=kinst
for each; do
	shift
	case $each in
	--match=*) match=${each#*=} ;;
	--every=*) every=${each#*=} ;;
	--part=*) every=${each#*/} from=${each#*=} from=${from%/*} ;;
	--clang) cc=clang cxx=clang++ ;;
	--engine=*) engine=${each#*=} ;;
	--csv=*) csv=$(realpath "${each#*=}") ;;
	--help) sed -n '2,/^set/s/^# *//p' "$0"; exit 0 ;;
	-*) set -- "$@" "$each" ;;
	*) languages="${languages:-} $each" ;;
	esac
done
languages=${languages:-C C++ Fortran}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
archive=$(ls /usr/src/gcc-12/gcc-12*.tar.xz 2>/dev/null | head -n 1)
[ "$archive" ] || { echo "libgomp.sh: no sources: install gcc-12-source" >&2; exit 2; }
tar -xJf "$archive" -C "$work" --strip-components=1 --wildcards '*/libgomp/testsuite/libgomp.[cf]*' '*/libgomp/libgomp_g.h' \
	'*/include/gomp-constants.h' || exit 2
: >"$work/libgomp/config.h"             # configure would make it; the tests want nothing that is in it

# list LANGUAGE COMPILER FOLDER…: a line for each program, as compare.sh takes it.
list() {
	language=$1 compiler=$2
	shift 2
	case $language in
	C) names='*.c' ;;
	C++) names='*.[cC]' ;;
	Fortran) names='*.[fF]*' ;;
	esac
	(cd "$work/libgomp/testsuite" && find "$@" -type f -name "$names" | LC_ALL=C sort | while read -r source; do
		awk -v source="$source" -v top="$PWD" -v language="$language" -v compiler="$compiler" -v cpu="$cpu" \
			-f "$here/libgomp.awk" "$source"
	done)
}

cpu=$(grep -m 1 '^flags' /proc/cpuinfo || echo)
for language in $languages; do
	case $language in
	C) list C "$cc" libgomp.c libgomp.c-c++-common ;;
	C++) list C++ "$cxx" libgomp.c++ libgomp.c-c++-common ;;
	Fortran) [ $cc = clang ] || list Fortran gfortran libgomp.fortran ;;
	*) echo "libgomp.sh: $language: C, C++ or Fortran" >&2; exit 2 ;;
	esac
done | name=$match awk -F '\t' -v every="$every" -v from="$from" \
	'$1 ~ ENVIRON["name"] && ++n % every == from % every' >"$work/list"
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}" OMP_NUM_THREADS="${OMP_NUM_THREADS:-4}"
"$here/compare.sh" "$@" --kinst="kinst --engine=$engine" --csv="$work/all.csv" --list="$work/list" >"$work/out"
status=$?
cat "$work/out"
case " $* " in
*' --access=ways '* | *' --access=loaded '* | *' --access=emulated '*) exit $status ;; # EXCEPTIONS says nothing of them
esac
[ ! "$csv" ] || cp "$work/all.csv" "$csv"
[ $cc = gcc ] || exit $status
list=EXCEPTIONS
[ $engine = kinst ] || list=OPARI2
awk -f "$here/exceptions.awk" "$here/$list" "$work/all.csv"
