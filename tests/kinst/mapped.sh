# mapped: the bytes that clauses of target directives map are those of arithmetic, in C, C++ and Fortran, by each
# compiler; an expression that does something is evaluated as often as plainly, and its bytes are not known.  Programs
# are made by chance; MAPPED_SEEDS: how many of each language.
. "$srcdir/tests/lib.sh"
need python3
export OMPP_QUIET=1

# check LANGUAGE SUFFIX COMPILER…
check() {
	language=$1 suffix=$2
	shift 2
	for seed in $(seq "${MAPPED_SEEDS:-3}"); do
		what="$* seed $seed"
		python3 "$srcdir/tests/kinst/mapped.py" "$language" "$seed" "p.$suffix" expected || fail "$what: no program"
		"$@" -fopenmp "p.$suffix" -o plain 2>said || fail "$what: plainly: $(grep error: said | head -2)"
		KINST_FLAGS=--no-access kinst "$@" -fopenmp "p.$suffix" -o prog 2>said.kinst || fail "$what: $(cat said.kinst)"
		same "$what: messages" said said.kinst
		./plain >out || fail "$what: status $?"
		OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report.csv ./prog >out.kinst || fail "$what: status $?"
		same "$what: output" out out.kinst
		while IFS=, read -r type line to from; do
			got="$(csv_field report.csv "$type:$line" SUM mapToB),$(csv_field report.csv "$type:$line" SUM mapFromB)"
			[ "$got" = "$to,$from" ] || fail "$what: $type in line $line: $got, not $to,$from: $(sed -n "${line}p" "p.$suffix")"
			n=$((n + 1))
		done <expected
	done
}

n=0
check c c "$CC"
check c++ cc "$GXX"
if [ -n "$GFORTRAN" ]; then
	check fortran f90 "$GFORTRAN"
	# Where the standard has no storage_size, and where the program has a function of that name, sizes are not known.
	cat >old.f90 <<-'F'
		program p
		  integer :: a(10)
		  !$omp target enter data map(to: a)
		  a = storage_size(1)
		contains
		  integer function storage_size(i)
		    integer :: i
		    storage_size = i
		  end function
		end program
	F
	for std in f2003 gnu; do
		kinst "$GFORTRAN" -std=$std -fopenmp old.f90 -o old 2>said || fail "-std=$std: $(cat said)"
		OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report.csv ./old
		[ "$(csv_field report.csv 'TARGET ENTER DATA' SUM mapToB)" = - ] || fail "-std=$std: a size"
	done
fi
if [ -n "$CLANG" ] && "$CLANG" -fopenmp p.c -o plain 2>/dev/null; then
	check c c "$CLANG"
fi
[ $n -ge 100 ] || fail "$n directives"

# Several threads and visits add up, in all formats; a region without clauses maps nothing by them.
cat >formats.c <<'C'
int main(int argc, char **argv)
{
	double a[1000];

	(void)argv;
#pragma omp parallel num_threads(3)
	for (int i = 0; i < 5; i++) {
#pragma omp target enter data map(to : a[0 : argc * 100])
	}
#pragma omp target
	{
	}
#pragma omp target exit data map(from : a[0 : argc++ * 100])
	return 0;
}
C
kinst "$CC" -fopenmp formats.c -o formats || fail formats
OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report.csv ./formats
profile=$(ls ./*.ompp | tail -1)
[ "$(csv_field report.csv 'TARGET ENTER DATA' SUM mapToB)" = 12000 ] || fail 'three threads'
[ "$(csv_field report.csv 'TARGET ENTER DATA' 1 mapToB)" = 4000 ] || fail 'one thread'
[ "$(csv_field report.csv 'TARGET ENTER DATA' 1 mapFromB)" = 0 ] || fail 'bytes from'
[ "$(csv_field report.csv 'TARGET' SUM mapToB)" = 0 ] || fail 'no clauses'
ompp report "$profile" >report.txt
grep -q ' SUM .* 15 *12 000 *0$' report.txt || fail "text: $(grep -A6 'TARGET ENTER' report.txt)"
ompp report --format=json "$profile" >report.json
python3 - report.json <<'P' || fail "JSON: $(grep '^"cells"' report.json)"
import json, sys
cells = json.load(open(sys.argv[1]))["cells"]
maps = sorted((t, -1 if f is None else f) for t, f in zip(cells["mapped_to_bytes"], cells["mapped_from_bytes"])
              if t is not None)
assert maps == [(0, -1), (0, 0), (4000, 0), (4000, 0), (4000, 0)], maps
P
ompp report --format=html "$profile" >report.html
grep -q '"mapTo":' report.html && grep -q '"form":"target"' report.html || fail 'no column in the page'
