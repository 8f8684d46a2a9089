# systems.sh: what the tests of build systems share.  To source: . "$srcdir/tests/systems/systems.sh"
. "$srcdir/tests/lib.sh"
unset KINST KINST_FLAGS KINST_LIBDIR KINST_INCLUDEDIR MAKEFLAGS MFLAGS MAKELEVEL
unset CC CXX FC F77 CFLAGS CXXFLAGS FFLAGS FCFLAGS CPPFLAGS LDFLAGS
OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive OMPP_QUIET=1 OMPP_REPORTFILE=none OMPP_PROFILE=0
export OMP_NUM_THREADS OMP_WAIT_POLICY OMPP_QUIET OMPP_REPORTFILE OMPP_PROFILE
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"
project=$srcdir/tests/systems/project

# clean: kinst has left no temporary file.
clean() {
	[ -z "$(ls "$TMPDIR")" ] || fail "temporary files are left: $(ls "$TMPDIR")"
}

# constructs FILE…: the places of their directives, as "FILE:LINE", by the text alone.
constructs() {
	for file; do
		grep -n '^[ 	]*\(#pragma\|![$]\)[ ]*omp ' "$file" | grep -iv '![$]omp end' | sed "s|^\([0-9]*\):.*|$(realpath -s "$file"):\1|"
	done | sort
}

# measured SOURCE… -- PROGRAM ARGUMENT…: the program's output is in `out`, and its report has the constructs of the
# sources, each once and run at least once, and no others (a task is two: TASK and TASKEXEC; one in a template is one for
# each instantiation).
measured() {
	sources=
	while [ "$1" != -- ]; do
		sources="$sources $1"
		shift
	done
	shift
	constructs $sources >want.regions
	OMPP_REPORTFILE=$work/report.csv OMPP_OUTFORMAT=CSV "$@" >out || fail "$1: status $?"
	awk -F, '
		/^##BEG flat region profiles/ { flat = 1 }
		/^##END flat region profiles/ { flat = 0 }
		flat && /^##BEG R/ { getline; place = $2 == "TASKEXEC" ? "" : $3 ":" $4
			whole = $0; sub(/^[^,]*,/, "", whole); getline; for (i in column) delete column[i]
			for (i = 1; i <= NF; i++) column[$i] = i }
		flat && place && $1 == "SUM" && $column["execC"] > 0 {
			if (!met[place]++ || wholes[whole])
				print place
			wholes[whole] = 1
		}' "$work/report.csv" | sort >got.regions
	cmp -s want.regions got.regions || { diff want.regions got.regions; fail "$*: regions"; }
}

# compare_builds PROGRAM…: those of build-plain and build-kinst, of the project in src, and the plug-in, print the same;
# kinst's have all constructs.
compare_builds() {
	for program; do
		build-plain/$program >plain.out || fail "$program, plain"
		case $program in
		c_*) set -- src/main.c src/work.c src/work.h ;;
		cxx) set -- src/main.cpp src/halves.cpp src/sum.hpp ;;
		*) set -- src/main.F90 src/area_whole.f90 ;;
		esac
		measured "$@" -- build-kinst/$program
		same "output of $program" plain.out out
	done
	build-plain/load build-plain/libplug.so >plain.out
	measured src/plug.c -- build-kinst/load build-kinst/libplug.so
	same "output of load" plain.out out
	clean
}
