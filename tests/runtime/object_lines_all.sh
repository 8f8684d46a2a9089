# object_lines_all: object_lines.sh with many programs, each compiler and -O0 to -O3.  PART=3/4 is the third of four parts
# (tests/slices); by itself it takes the first.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/runtime/object_lines_lib.sh"
need python3
need g++
need gfortran

part=${PART:-1/4}
first=$(((${part%/*} - 1) * 6 + 100))
for seed in $(seq $first $((first + 5))); do
	for level in -O0 -O1 -O2 -O3; do
		lines c "$seed" "gcc $level"
		lines c++ "$seed" "g++ $level"
		lines fortran "$seed" "gfortran $level"
		lines fixed "$seed" "gfortran $level -ffixed-line-length-none"
		! command -v clang >/dev/null || lines c "$seed" "clang $level"
		! command -v clang++ >/dev/null || lines c++ "$seed" "clang++ $level"
	done
done
