# bounds: on this machine, as it is now, no kernel whose bound is known gets another verdict; and where nothing else runs
# meanwhile, streams are bound by memory, chains by latency, and so on
. "$srcdir/tests/lib.sh"
need python3
need gcc
ompp=$builddir/ompp
kinst=$builddir/kinst
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_NUM_THREADS=1 XDG_CACHE_HOME="$work/cache"
"$kinst" --work --verbose gcc -c -o none.o -x c /dev/null 2>said || { cat said; fail '--work'; }
grep -q 'operations are counted by .*loops_' said || skip 'no plug-in of gcc that counts operations'

# width: prints the bytes of the widest vectors that compilers use here.
width() {
	case $(grep -m 1 -E '^flags' /proc/cpuinfo) in
	*avx512f*) echo 64 ;;
	*avx*) echo 32 ;;
	*) echo 16 ;;
	esac
}

# build OPTION… PROGRAM
build() {
	"$kinst" "$1" ${3:+"$3"} gcc -O2 -fopenmp -fno-tree-vectorize -fno-math-errno -ffp-contract=fast -march=native \
		-Wno-psabi -DWIDTH="$(width)" "$srcdir/tests/roofline/bounds.c" -o "$2" -lm || fail "$2"
}
build --work counted --access
build --no-access plain
OMPP_OUTDIR=c OMPP_CTR=@roofline OMPP_CACHE=1 ./counted >/dev/null || fail counted
[ -s c/counted.1-0.ompp ] || fail 'no counts'

# look: 0: verdicts are right, and of each kind; or others had the machine.
look() {
	rm -rf p
	"$ompp" machine --file=m >/dev/null 2>busy || { cat busy; fail 'ompp machine'; }
	OMPP_OUTDIR=p ./plain >/dev/null || fail plain
	"$ompp" report --view=roofline --machine=m --times=p/plain.1-0.ompp c/counted.1-0.ompp >text
	"$ompp" report --view=roofline --format=csv --machine=m --times=p/plain.1-0.ompp c/counted.1-0.ompp >report.csv
	found=0
	python3 "$srcdir/tests/roofline/bounds.py" "$srcdir/tests/roofline/bounds.c" report.csv >verdicts 2>&1 || found=$?
	cat verdicts
	is_busy=
	[ ! -s busy ] && ! tr -s ' \n' ' ' <text | grep -q 'had no processor' || is_busy=1
	[ "$found" -eq 0 ] || { [ "$found" -eq 2 ] && [ "$is_busy" ]; }
}
for try in 1 2 3; do
	if look; then
		exit 0
	fi
done
fail 'verdicts'
