# pauses: a loop goes on as a whole around calls that are rare, whatever these do: the program does as without kinst, and
# what it counts is what hooks count.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/access/ways.sh"
need opari2
compilers=$(with_plugin)
[ "$compilers" ] || skip "no compiler has headers for plug-ins here"
export OMP_DYNAMIC=false OMPP_QUIET=1 OMPP_PROFILE=0 OMPP_OUTFORMAT=CSV
unset OMP_NUM_THREADS KINST KINST_FLAGS

# is_whole FOLDER FUNCTION: true when a loop of it hands over to sites, which hooks alone do not
is_whole() {
	objdump -d --no-show-raw-insn $1/program | awk -v name="$2" '
		/^[0-9a-f]+ </ { on = $2 ~ name }
		on && /(call|bl).*<ompp_access_site_end(@plt)?>/ { n++ }
		END { exit !n }'
}

# symbol_of FUNCTION: what the compiler calls the code of its loop
symbol_of() {
	case $family$1 in
	clangin_threads) echo omp_outlined ;;
	*) echo $1 ;;
	esac
}

program=$srcdir/tests/access/pauses.cpp
for family in $compilers; do
	case $family in
	gcc) compiler=${GXX:-g++} ;;
	clang) compiler=${CLANG:-clang}++ ;;
	esac
	for level in -O1 -O2 -O3 "-O2 -fPIC -fnon-call-exceptions"; do
		rm -rf hooks loops
		mkdir hooks loops # programs of one name, as reports have it
		for way in hooks loops; do
			option=--access
			[ $way = loops ] || option=--access=hooks
			kinst $option $compiler $level -w -fopenmp -I"$builddir/include" "$program" -o $way/program ||
				fail "$compiler $level: $way"
			run $way/program $way
			counts $way.csv $way.counts || fail "$compiler $level: $way: no counts"
		done
		$compiler $level -w -fopenmp -I"$builddir/include" "$program" -L"$builddir/.libs" -lompp \
			-Wl,-rpath,"$builddir/.libs" -o plain || fail "$compiler $level: plain"
		run ./plain plain
		[ "$(tail -n 1 plain.out)" = "status 3" ] || fail "$compiler $level: does not stop in a loop"
		for way in hooks loops; do
			same "$compiler $level: $way: the output" plain.out $way.out
		done
		[ "$(grep -c '^flat .*:loads [1-9]' hooks.counts)" -gt 40 ] || fail "$compiler $level: no counts"
		same "$compiler $level: the counts by hooks and by loops" hooks.counts loops.counts
		case $family$level in
		gcc-O[23] | clang-O[123])
			for name in thrown jumped entered named renewed grown not_counted recursive in_threads locked stopped; do
				symbol=$(symbol_of $name)
				is_whole loops $symbol || fail "$compiler $level: $name is not counted as a whole"
				! is_whole hooks $symbol || fail "$compiler $level: $name has no hooks"
			done
			;;
		esac
	done
done
