# pauses: a loop goes on as a whole around calls that are rare, whatever these do: the program does as without kinst, and
# what it counts is what hooks count.  gcc's plug-in alone has pauses: of clang's the counts are compared.
. "$srcdir/tests/lib.sh"
need opari2
compilers=
for file in "$builddir"/.libs/kinst/loops_*.so; do
	case ${file##*/} in
	loops_clang_*) compilers="$compilers ${CLANG:-clang}++" ;;
	loops_[0-9]*) compilers="$compilers ${GXX:-g++}" ;;
	esac
done
[ "$compilers" ] || skip "no compiler has headers for plug-ins here"
export OMP_DYNAMIC=false OMPP_QUIET=1 OMPP_PROFILE=0 OMPP_OUTFORMAT=CSV
unset OMP_NUM_THREADS KINST KINST_FLAGS

# run FOLDER: its output and status are FOLDER/out, the counts without the numbers of regions FOLDER/counts
run() {
	status=0
	OMPP_REPORTFILE=$1/report.csv timeout 60 $1/program >$1/out 2>$1/err || status=$?
	echo "status $status" >>$1/out
	awk -f "$srcdir/tests/access/nests.awk" $1/report.csv | sed 's/R[0-9][0-9]*,//g' | sort >$1/counts
}

# is_whole FOLDER FUNCTION: true when a loop of it hands over to sites, which hooks alone do not
is_whole() {
	objdump -d --no-show-raw-insn $1/program | awk -v name="$2" '
		/^[0-9a-f]+ </ { on = $2 ~ name }
		on && /call.*<ompp_access_site_end(@plt)?>/ { n++ }
		END { exit !n }'
}

for compiler in $compilers; do
	for level in -O1 -O2 -O3 "-O2 -fPIC -fnon-call-exceptions"; do
		rm -rf hooks loops
		mkdir hooks loops
		for way in hooks loops; do
			option=--access
			[ $way = loops ] || option=--access=hooks
			kinst $option $compiler $level -w -fopenmp -I"$builddir/include" "$srcdir/tests/access/pauses.cpp" -o $way/program ||
				fail "$compiler $level: $way"
			run $way
		done
		$compiler $level -w -fopenmp -I"$builddir/include" "$srcdir/tests/access/pauses.cpp" -L"$builddir/.libs" -lompp \
			-Wl,-rpath,"$builddir/.libs" -o plain || fail "$compiler $level: plain"
		OMPP_REPORTFILE=none ./plain >plain.out 2>&1 && fail "$compiler $level: does not stop in a loop"
		echo "status 3" >>plain.out
		for way in hooks loops; do
			same "$compiler $level: $way: the output" plain.out $way/out
		done
		[ "$(grep -c '^flat .*:loads [1-9]' hooks/counts)" -gt 40 ] || fail "$compiler $level: no counts"
		same "$compiler $level: the counts by hooks and by loops" hooks/counts loops/counts
		case $compiler in
		*clang*) continue ;;
		esac
		case $level in
		-O[23])
			for name in thrown jumped entered named renewed not_counted recursive stopped; do
				is_whole loops $name || fail "$compiler $level: $name is not counted as a whole"
				! is_whole hooks $name || fail "$compiler $level: $name has no hooks"
			done
			;;
		esac
	done
done
