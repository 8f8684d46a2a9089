#!/bin/sh
# compare: does kinst change what programs do, and does it measure all of them?
#
# Each source, a program of its own, is built plainly and by kinst; both are run, twice plainly, so that what is not the same
# each time is set aside; exit status and output are compared.  Each OpenMP construct of the source must be a region of
# the binary (ompp regions), or be named by kinst.
# Usage: compare.sh [--kinst='kinst OPTIONS'] [--flags=FLAGS] [--csv=FILE] FILE|FOLDER…
# Prints what differs, and one line a language; ends with 1 when something differs.
set -u
kinst=kinst flags=-O1 csv=/dev/null
while [ $# -gt 0 ]; do
	case $1 in
	--kinst=*) kinst=${1#*=} ;;
	--flags=*) flags=${1#*=} ;;
	--csv=*) csv=${1#*=} ;;
	*) break ;;
	esac
	shift
done
[ $# -gt 0 ] || { sed -n '2,9s/^# *//p' "$0"; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
export OMPP_REPORTFILE=none OMPP_PROFILE=0 OMPP_QUIET=1

for each; do realpath -e "$each"; done >"$work/given" || exit 2
find $(cat "$work/given") -type f \( -name '*.c' -o -name '*.cc' -o -name '*.cpp' -o -name '*.C' -o -name '*.f' -o -name '*.f90' -o \
	-name '*.F' -o -name '*.F90' -o -name '*.f03' \) | sort >"$work/sources"

# The lines of executable constructs, as "line name".
constructs() {
	$compiler $flags -fopenmp -I"$folder" -E "$source" 2>/dev/null | awk -v source="$source" -v fortran="$fortran" '
		/^# [0-9]+ "/ { line = $2 - 1; split($0, q, "\""); here = q[2] == source; next }
		{ line++ }
		!here { next }
		fortran ? tolower($0) ~ /^[ \t]*[!c*][$]omp[ \t]/ : /^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]/ {
			text = tolower($0)
			sub(fortran ? "^[ \t]*[!c*][$]omp[ \t]+" : "^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+", "", text)
			if (text ~ /^(end|section[^s]|section$|simd|declare|begin|threadprivate|requires|assumes|allocate|scan|error|nothing|inst|&)/)
				next
			if (text ~ /^ordered[ \t].*simd/) next
			split(text, word, /[ \t(]/)
			print line, word[1]
		}'
}

one() {
	case $source in
	*.c) compiler=gcc language=C fortran=0 ;;
	*.f* | *.F*) compiler=gfortran language=Fortran fortran=1 ;;
	*) compiler=g++ language=C++ fortran=0 ;;
	esac
	folder=$(dirname "$source")
	result=same
	$compiler $flags -w -fopenmp -I"$folder" "$source" -o plain -lm >/dev/null 2>&1 || { result=unbuilt; return; }
	timeout 30 ./plain >p1 2>/dev/null </dev/null
	status=$?
	timeout 30 ./plain >p2 2>/dev/null </dev/null
	[ $? = $status ] && [ $status != 124 ] && cmp -s p1 p2 || { result=varies; return; }
	$kinst $compiler $flags -w -fopenmp -I"$folder" "$source" -o ours -lm >/dev/null 2>err || { result=unbuilt-by-kinst; return; }
	timeout 60 ./ours >k1 2>/dev/null </dev/null
	ours=$?
	[ $ours = $status ] && cmp -s p1 k1 || { result="differs ($status, $ours)"; return; }
	grep -q 'not instrumented' err && { result=left; return; }
	ompp regions ours 2>/dev/null | sed -n 's/^.*:\([0-9]*\)-[0-9]* .*/\1/p' | sort -u >regions
	sed -n 's/^kinst: .*:\([0-9]*\): .*: not measured: .*/\1/p' err >>regions
	constructs | while read -r line name; do
		grep -qx "$line" regions || echo "$line $name"
	done >missing
	[ ! -s missing ] || result="unmeasured: $(tr '\n' ' ' <missing)"
	[ "$result" != same ] || ! grep -q 'not measured' err || result=partly
}

cd "$work" || exit 1
: >results
while read -r source; do
	rm -rf run
	mkdir run
	cd run || exit 1
	one
	cd ..
	echo "$language,$result,$source" | tee -a results >>"$csv"
	case $result in same | partly | varies | unbuilt) ;; *) echo "$source: $result" ;; esac
done <sources
awk -F, '
	{ n[$1]++ }
	$2 == "unbuilt" { unbuilt[$1]++; next }
	$2 == "varies" { varies[$1]++; next }
	{ tried[$1]++ }
	$2 == "same" { same[$1]++; all[$1]++; next }
	$2 == "partly" || $2 == "left" || $2 ~ /^unmeasured/ { same[$1]++; next }
	{ bad = 1 }
	END {
		for (l in n)
			printf "%s: %d sources, %d not built plainly, %d not the same twice, %d of %d behave the same, %d fully measured\n",
				l, n[l], unbuilt[l], varies[l], same[l], tried[l], all[l]
		exit bad
	}' results
