#!/bin/sh
# compare: does kinst change what programs do, and does it measure all of them?
#
# Each program is built plainly and by kinst; both are run, twice plainly, so that what is not the same each time is
# told from what kinst changes; exit status, output and messages are compared.  Each OpenMP construct that gcc finds
# in the source must be a region of the binary (ompp regions) or be named by kinst, and no region may end that did
# not begin.
# Usage: compare.sh [OPTION]… FILE|FOLDER…       each source is a program of its own
#        compare.sh [OPTION]… --list=FILE        a line a program, with tabs between:
#                                                NAME, COMPILER, FLAGS, ENVIRONMENT, SOURCES
#   --kinst='kinst OPTIONS'             what stands before the compiler
#   --access=no|yes|both|ways|loaded|emulated
#                                       by kinst as it is, with --access, or by each; or whether --access counts the
#                                       same as --access=hooks; or the plain program with libompp loaded into it, or
#                                       by ompp run --emulate
#   --flags=FLAGS                       of the compiler, for FILE|FOLDER (-O1)
#   --cc=CC --cxx=CXX --fc=FC           compilers, for FILE|FOLDER (gcc, g++, gfortran)
#   --jobs=N                            programs at a time (1)
#   --csv=FILE                          what became of each program
#   --reports=FOLDER                    the CSV reports of the programs by kinst, as NAME.csv, NAME.access.csv
# Prints what differs or is not measured, and a line of totals by language; ends with 1 when something differs, or a
# construct is neither measured nor named.
set -u
kinst=kinst access=no flags=-O1 cc=gcc cxx=g++ fc=gfortran jobs=1 csv= list= reports=
here=$(cd "$(dirname "$0")" && pwd)
while [ $# -gt 0 ]; do
	case $1 in
	--kinst=*) kinst=${1#*=} ;;
	--access=*) access=${1#*=} ;;
	--flags=*) flags=${1#*=} ;;
	--cc=*) cc=${1#*=} ;;
	--cxx=*) cxx=${1#*=} ;;
	--fc=*) fc=${1#*=} ;;
	--jobs=*) jobs=${1#*=} ;;
	--csv=*) csv=${1#*=} ;;
	--reports=*) mkdir -p "${1#*=}" && reports=$(realpath -e "${1#*=}") || exit 2 ;;
	--list=*) list=$(realpath -e "${1#*=}") || exit 2 ;;
	-*) echo "compare.sh: $1: no such option; see the head of $0" >&2; exit 2 ;;
	*) break ;;
	esac
	shift
done
[ $# -gt 0 ] || [ "$list" ] || { sed -n '2,/^set/s/^# *//p' "$0"; exit 2; }
case $access in
no) variants=plain ;;
yes) variants=access ;;
both) variants='plain access' ;;
ways | loaded | emulated) variants=$access ;;
*) echo "compare.sh: --access=$access: no, yes, both, ways, loaded or emulated" >&2; exit 2 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# A line of the list for each source that is given.
sources() {
	find "$@" -type f \( -name '*.[cC]' -o -name '*.cc' -o -name '*.cpp' -o -name '*.[fF]' -o -name '*.[fF][09]*' \) |
		sort | while read -r source; do
		case $source in
		*.c) compiler=$cc ;;
		*.[fF]*) compiler=$fc ;;
		*) compiler=$cxx ;;
		esac
		printf '%s\t%s\t%s\t\t%s\n' "$source" "$compiler" "$flags -fopenmp" "$source"
	done
}

if [ "$list" ]; then
	cp "$list" "$work/list"
else
	for each; do realpath -e "$each" >>"$work/given" || exit 2; done
	while read -r each; do sources "$each"; done <"$work/given" >"$work/list"
fi
[ -s "$work/list" ] || { echo "compare.sh: no sources" >&2; exit 2; }
export OMPP_QUIET=1 kinst variants work here reports
seq "$(wc -l <"$work/list")" | xargs -P "$jobs" -n 1 "$here/program.sh"
sort -t, -k3,3 -k2,2 "$work/results" >"$work/sorted"
{
	echo 'language,kinst,program,behaviour,status,measured,constructs,regions,plain build s,kinst build s,what'
	cat "$work/sorted"
} >"${csv:-/dev/null}"
awk -F, -f "$here/totals.awk" "$work/sorted"
