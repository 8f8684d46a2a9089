# roofline: operations and bytes of kernels are what their formulas say, by gcc and clang; a profile with counts takes its
# times from one without hooks, by region, and refuses those of another program; verdicts, findings, JSON and the page
# follow from a given machine
. "$srcdir/tests/lib.sh"
need python3
here=$srcdir/tests/roofline
ompp=$builddir/ompp
kinst=$builddir/kinst
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2 XDG_CACHE_HOME="$work/cache"

. "$here/machine_lib.sh"

# refused STATUS WORDS COMMAND…: the command ends so, and says that.
refused() {
	want=$1 words=$2
	shift 2
	status=0
	"$@" >out 2>err || status=$?
	[ $status -eq "$want" ] && grep -q -e "$words" err || { cat err; fail "status $status, not $want: $*"; }
}

# ---- formulas ----

n=0
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	"$kinst" --work --verbose $compiler -c -o none.o -x c /dev/null 2>said || { cat said; fail "$compiler: --work"; }
	grep -q 'operations are counted by .*loops_' said || continue
	n=$((n + 1))
	"$kinst" --work --access $compiler -O2 -fopenmp "$here/kernels.c" -o counted
	OMPP_CTR=@roofline OMPP_CACHE='L1=32K/8/64,L2=256K/8/64' run counted c
	"$ompp" report --view=roofline --format=csv c/profile.ompp >report.csv
	python3 "$here/formulas.py" "$here/kernels.c" report.csv $compiler || fail "$compiler: formulas"
done
[ $n -gt 0 ] || skip 'no compiler whose plug-in counts operations'

# ---- without times, and without a machine ----

"$ompp" report --view=roofline c/profile.ompp | tr -s ' \n' ' ' >text
grep -q 'Times include the access hooks and are not the program.s, so there are no rates' text || fail 'hooked times'
grep -q "roofs are not known: 'ompp machine' measures them" text || fail 'no machine'
python3 "$here/joined.py" none report.csv || fail 'rates of hooked times'

# ---- times of another run ----

"$kinst" --no-access gcc -O2 -fopenmp "$here/kernels.c" -o plain
run plain p
machine 1000000 >m
joined() { "$ompp" report --machine=m --times=p/profile.ompp "$@" c/profile.ompp; }
joined --view=roofline --format=csv >joined.csv
"$ompp" report --format=json p/profile.ompp >plain.json
python3 "$here/joined.py" rates joined.csv plain.json || fail 'joined times'
grep -q '^memory,GB/s,2,0.001,0.5$' joined.csv || fail 'the roofs in the report'
machine 1000000 300000000 >busy
"$ompp" report --machine=busy --view=roofline c/profile.ompp | grep -q 'busy: others used 30 %' || fail 'a busy machine'

# ---- JSON, the page ----

joined --format=json >joined.json
python3 "$here/joined.py" json joined.csv joined.json || fail 'JSON'
joined --format=html >page.html
grep -q '"roofline by region"' page.html && grep -q 'ompp.roofline = ' page.html || fail 'the page has no roofline'

# ---- what does not belong together ----

refused 2 'include the cost of access hooks' "$ompp" report --times=c/profile.ompp c/profile.ompp
refused 1 'cannot be opened' "$ompp" report --times=none.ompp c/profile.ompp
refused 2 'joins one profile with one' "$ompp" report --merge --times=p/profile.ompp c/profile.ompp c/profile.ompp
refused 2 'roofs do not bound the sums of several processes; give the profile of one rank' "$ompp" report --merge \
	--machine=m p/profile.ompp p/profile.ompp
OMP_NUM_THREADS=1 run plain p1
refused 2 'of 1 threads, and .* of 2; run both with the same OMP_NUM_THREADS' "$ompp" report --times=p1/profile.ompp \
	c/profile.ompp
cat >other.c <<'END'
int main(void)
{
#pragma omp critical
	;
	return 0;
}
END
"$kinst" gcc -O2 -fopenmp other.c -o other
run other o
refused 2 'not of the program of c/profile.ompp: they have no region in common' "$ompp" report --times=o/profile.ompp \
	c/profile.ompp

# regions that are not the same are named, and have no rates
sed -e 's/^static void stencils(void)/\n&/' -e '/omp parallel for .* stencil5/d' "$here/kernels.c" >kernels.c
"$kinst" --no-access gcc -O2 -fopenmp kernels.c -o moved
run moved v
"$ompp" report --view=roofline --times=v/profile.ompp --machine=m c/profile.ompp | tr -s ' \n' ' ' >text
grep -q 'kernels.c ([0-9]*-[0-9]*) is not in v/profile.ompp' text || { cat text; fail 'a region that is not there'; }
grep -q 'critical' text && fail 'a region of nobody'
sed -e 's/^static void stream(void)/\n&/' "$here/kernels.c" >kernels.c
"$kinst" --no-access gcc -O2 -fopenmp kernels.c -o moved
run moved v
"$ompp" report --view=roofline --times=v/profile.ompp c/profile.ompp | tr -s ' \n' ' ' >text
grep -q 'kernels.c ([0-9]*-[0-9]*) stands in line [0-9]* in v/profile.ompp: another source' text ||
	{ cat text; fail 'another line'; }
sed 's/visit < VISITS/visit < VISITS + 1/' "$here/kernels.c" >kernels.c
"$kinst" --no-access gcc -O2 -fopenmp kernels.c -o more
run more v
"$ompp" report --view=roofline --times=v/profile.ompp c/profile.ompp | tr -s ' \n' ' ' >text
grep -q 'was executed 6 times here, and 8 times in v/profile.ompp' text || { cat text; fail 'more visits'; }

# ---- the machine's file: found by the name of the host and its processor, named when it is damaged ----

host=$(uname -n)
mkdir -p cache/kinst
machine 1000000 | sed 's/^cpu .*/cpu /' >"cache/kinst/machine-$host"
"$ompp" report --view=roofline c/profile.ompp | grep -q '^Roofs of h' || fail 'the roofs of this host'
machine 1000000 >"cache/kinst/machine-$host" # of another processor
"$ompp" report --view=roofline c/profile.ompp | grep -q '^Roofs of h' && fail 'the roofs of another processor'
echo other >"cache/kinst/machine-$host"
"$ompp" report --view=roofline c/profile.ompp >out 2>err || fail 'a damaged file in the cache'
grep -q 'is not a file that ompp machine wrote' err || fail 'a damaged file is not named'
refused 1 'is not a file that ompp machine wrote' "$ompp" report --machine="cache/kinst/machine-$host" c/profile.ompp
head -8 m >cut
echo 'bytes 1 x' >>cut
refused 1 'is damaged' "$ompp" report --machine=cut c/profile.ompp
refused 1 'cannot be read' "$ompp" report --machine=none c/profile.ompp

# ---- ranks: roofs of one machine, which are found by its name, are not held against sums over processes ----

"$kinst" --no-access --work gcc -O2 -fopenmp "$here/kernels.c" -o worked
for rank in 0 1; do
	PMI_RANK=$rank PMI_SIZE=2 OMPP_CTR=@roofline run worked r$rank
done
machine 1000000 | sed 's/^cpu .*/cpu /' >"cache/kinst/machine-$host"
"$ompp" report --view=roofline r1/profile.ompp | tr -s ' \n' ' ' >text
grep -q '^.*Roofs of h' text && grep -q 'one of 2 ranks: what others on its machine took' text || fail 'one rank'
"$ompp" report --view=roofline r0/profile.ompp r1/profile.ompp | tr -s ' \n' ' ' >text
! grep -q 'Roofs of h' text && grep -q 'roofs do not bound the sums of several processes' text || fail 'two ranks'
"$ompp" report --view=roofline --format=csv r0/profile.ompp r1/profile.ompp >ranks.csv
for rank in 0 1; do
	"$ompp" report --view=roofline --format=csv r$rank/profile.ompp >r$rank.csv
done
python3 "$here/joined.py" ranks ranks.csv r0.csv r1.csv || fail 'sums of ranks'
rm -r cache

# ---- findings: with times and a machine alone ----

joined --view=properties --property-min=0 >text
python3 "$here/joined.py" verdicts joined.csv text || fail 'verdicts'
"$ompp" report --machine=m --view=properties --property-min=0 c/profile.ompp | grep -q BoundBy &&
	fail 'a finding of hooked times'
"$ompp" report --times=p/profile.ompp --view=properties --property-min=0 c/profile.ompp | grep -q BoundBy &&
	fail 'a finding without a machine'
exit 0
