# engines: opari2 is shown the same constructs as kinst's own engine finds, with the same extents, and what has no calls is
# named, in kinst's message and in the program's list; the constructs that are named are those of OPARI2, no more and no less
. "$srcdir/tests/lib.sh"
need opari2
need gfortran
need g++
corpus=$srcdir/tests/corpus

# The regions of a program: FILE:FIRST-LAST TYPE.
regions() {
	ompp regions "$1" 2>/dev/null | grep -v '^not measured: ' | sort
}

# What kinst names: FILE:LINE: CONSTRUCT: WHY.
named() {
	sed -n 's/^kinst: \(.*:[0-9]*: [^:]*\): not measured: /\1: /p' "$1" | sort
}

# try SOURCE: builds it by each engine.
try() {
	case $1 in
	*.c) compiler=gcc ;;
	*.[fF] | *.[fF]90) compiler=gfortran ;;
	*) compiler=g++ ;;
	esac
	flags=$(sed -n 's;.*\(//\|!\) *flags: *\(.*\);\2;p' "$1")
	name=${1##*/}
	for engine in kinst opari2; do
		kinst --engine=$engine $compiler -O1 -fopenmp -w $flags "$1" -o $engine -lm -pthread 2>$engine.err ||
			fail "$name: --engine=$engine: $(cat $engine.err)"
		regions ./$engine >$engine.regions
	done
	! grep 'not instrumented' opari2.err || fail "$name: nothing is measured"
	named opari2.err >named
	ompp regions ./opari2 2>/dev/null | sed -n 's/^not measured: //p' | sort >listed
	sed 's/; the construct stays as it is$//' named >short
	sed 's/: it does not compile with.*//' listed >listed.short
	[ "$(wc -l <listed)" = "$(wc -l <short)" ] || fail "$name: the message and the program's list: $(diff short listed)"
	! comm -13 kinst.regions opari2.regions | grep . || fail "$name: other extents than kinst's engine finds"
	# what is in the one alone is named, by the line that it begins in
	comm -23 kinst.regions opari2.regions | sed 's/-[0-9]* .*//' | sort -u >missing
	sed 's/^\(.*:[0-9]*\): [^:]*: .*/\1/' named | sed "s;^[^/];$PWD/&;" | sort -u >places
	comm -23 missing places >silent
	[ ! -s silent ] || fail "$name: neither measured nor named: $(cat silent)"
	sed 's/^[^ ]*: //' named >>all
	n=$((n + 1))
}

n=0
: >all
for source in "$corpus"/cases/* "$srcdir"/tests/runtime/nesting/* "$srcdir"/tests/runtime/constructs.*; do
	case $source in
	*.[chfF] | *.cpp | *.[fF]90) case $source in *.h) ;; *) try "$source" ;; esac ;;
	esac
done
[ $n -ge 120 ] || fail "only $n programs"
sort -u all >found
sed -n 's/^construct //p' "$corpus/OPARI2" | sort >want
same "the constructs that are not measured, and OPARI2," want found
