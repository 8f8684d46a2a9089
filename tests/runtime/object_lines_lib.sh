# object_lines_lib.sh: builds and runs a program of object_lines.py, and checks what is said of it.
lines=$srcdir/tests/runtime/object_lines.py

# lines LANGUAGE SEED COMPILER…
lines() {
	case $1 in c) file=lines.c ;; c++) file=lines.cpp ;; fixed) file=lines.f ;; *) file=lines.f90 ;; esac
	python3 "$lines" make "$1" "$2" >$file
	# shellcheck disable=SC2086
	"$builddir/kinst" --access $3 -w -g -fopenmp $file -o lines || fail "$3, seed $2: it is not built"
	rm -f lines.*.ompp*
	OMPP_QUIET=1 OMPP_OBJECTS=all ./lines >out || fail "$3, seed $2: it ends otherwise"
	ompp report --format=json lines.*.ompp >json
	python3 "$lines" check json out >wrong || { cp $file "${TMPDIR:-/tmp}/failed-$file"; fail "$3, seed $2: $(cat wrong)"; }
	rm -f lines.*.ompp*
}
