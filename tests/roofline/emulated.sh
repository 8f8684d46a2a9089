# emulated: a roofline of a program that kinst did not build: its operations, and the bytes of its arrays, are what the
# formulas of its kernels say; its times are those of a run without the emulator
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/emulation.sh"
here=$srcdir/tests/roofline
. "$here/machine_lib.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2 XDG_CACHE_HOME="$work/cache"
mkdir c p
gcc -O2 -g -fno-tree-vectorize -fopenmp "$here/kernels.c" -o plain
OMPP_CTR=@roofline OMPP_CACHE='L1=32K/8/64,L2=256K/8/64' emulate ompp run --emulate ./plain || { cat said; fail 'emulated'; }
mv plain.*.ompp c/profile.ompp
ompp report --view=roofline --format=csv c/profile.ompp >report.csv
python3 "$here/formulas.py" "$here/kernels.c" report.csv gcc emulated || fail 'formulas'
python3 "$here/joined.py" none report.csv || fail 'rates of the emulator'
ompp report --view=roofline c/profile.ompp | tr -s ' \n' ' ' >text
grep -q "Times are the emulator's and not the program's, so there are no rates" text || fail 'times of the emulator'
ompp run ./plain >out 2>said || { cat said; fail 'plain'; }
mv plain.*.ompp p/profile.ompp
machine 1000000 >m
ompp report --view=roofline --format=csv --machine=m --times=p/profile.ompp c/profile.ompp >joined.csv
ompp report --format=json p/profile.ompp >plain.json
python3 "$here/joined.py" rates joined.csv plain.json || fail 'joined times'

# without counts of operations it says how to have them
OMPP_CACHE=1 emulate ompp run --emulate ./plain || { cat said; fail 'bytes alone'; }
ompp report --view=roofline plain.*.ompp | tr -s ' \n' ' ' >text
grep -q 'Operations were not counted: run with OMPP_CTR=@roofline' text || fail 'how to count'
exit 0
