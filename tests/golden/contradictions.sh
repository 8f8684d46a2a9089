# contradictions: the checker of reports (report_check.awk) finds each kind of contradiction, and none in the golden reports
. "$srcdir/tests/lib.sh"

golden=$srcdir/tests/golden
for report in "$golden"/*.csv; do
	awk -f "$srcdir/tests/report_check.awk" "$report" || fail "$report contradicts itself"
done
"$builddir/tests/golden/example_main" profile data >data
"$builddir/ompp" report --format=csv --property-min=0 data >whole
# one region inside itself, and a lock
cp "$golden/fake.csv" fake

# broken WORDS FROM SED: edits the report FROM by SED, which must change it; the checker must complain in these words.
broken() {
	sed "$3" "$2" >broken
	! cmp -s "$2" broken || fail "$1: nothing is broken by $3"
	! awk -f "$srcdir/tests/report_check.awk" broken >what || fail "$1: not found"
	grep -qF -- "$1" what || { cat what; fail "$1: it says something else"; }
}

broken 'a share of 120.000000 %' whole 's/^\(R00001,12.000000000,[0-9.]*,[0-9.]*\),[0-9.]*,/\1,120.000000,/'
broken 'a share of 101.000000 %' whole 's/^Parallel coverage,.*/Parallel coverage,7.6,101.000000/'
broken 'a share of 160.000000 %' whole 's/^6.000000000,0.000000000,60.000000,/6.000000000,0.000000000,160.000000,/'
broken 'a share of 100.200000 %' whole 's/^\(P00001,.*\),1.200000,/\1,100.200000,/'
broken 'a time below 0' whole 's/^0,0.110000000,10,0.040000000,0.060000000,0.010000000/0,0.110000000,10,0.110000000,0.060000000,-0.06/'
broken 'add up to 5.9' whole 's/^0,6.000000000,1,5.900000000,0.098000000/0,6.000000000,1,5.890000000,0.098000000/'
broken 'not to SUM' whole 's/^SUM,0.240000000,40,/SUM,0.240000000,41,/'
broken 'not to SUM' whole 's/^SUM,12.000000000,2,11.890000000,0.1/SUM,12.000000000,2,11.790000000,0.1/'
broken 'the parts of SINGLE' whole 's/^0,0.700000000,1,0.100000000,1/0,0.700000000,1,0.200000000,1/'
broken 'the classes add up to' whole 's/^R00005,7.200000000,0.650000000/R00005,7.200000000,0.660000000/'
broken 'more overhead than time' whole 's/^R00005,7.200000000,/R00005,0.600000000,/'
broken 'longer than the run' whole 's/^Total runtime (wallclock),10.000000000/Total runtime (wallclock),5.000000000/'
broken 'SINGLE R00008, row 0: 6.5 s, in PARALLEL of 6 s' whole \
	'/BEG R00008 callgraph/,/END R00008/s/^0,0.700000000,1,0.100000000/0,6.500000000,1,0.100000000/'
broken 'exclusive above inclusive' whole \
	'/BEG R00002 callgraph/,/END R00002/s/^0,1.000000000,1,0.400000000,0.260000000/0,1.000000000,1,0.400000000,0.460000000/'
broken 'exclusive above inclusive' whole 's/^1.000000000,0.000000000,10.000000,0.863500000/1.000000000,0.000000000,10.000000,1.863500000/'
broken 'longer than what it is in' whole 's/^1.000000000,0.000000000,10.000000,0.863500000/6.100000000,0.000000000,61.000000,0.863500000/'
broken 'the regions have 144000000 loads of a' whole 's/^a,144000000,0,/a,144000001,0,/'
"$builddir/tests/golden/example_main" profile samples >samples
"$builddir/ompp" report --format=csv --view=memory samples >sampled
broken 'sampled accesses by region have 14391 samples of a loads, the program 14390' sampled 's/^\(a,loads,R00002,.*\),14390,/\1,14391,/'
broken 'sampled accesses by thread have 7 samples of x stores, the program 2' sampled 's/^\(x,stores,(serial),,,,,,0\),2,/\1,7,/'
broken 'the levels of x loads add up to 100.66 %' sampled 's/^\(x,loads,14390,.*\),99.339819,/\1,100.000000,/'
broken 'properties are not numbered' whole 's/^P00002,/P00001,/'
broken 'do not save the most first' whole 's/^\(P00003,.*\),0.150000000,/\1,0.300000000,/'
broken 'saves more than it can' whole 's/^\(P00001,.*\),0.300000000,/\1,99999.000000000,/'
broken 'waits name 0.6 s of tasks' whole 's/^0,0.600000000,60,0.600000000,/0,0.500000000,60,0.500000000,/'
# as far apart as the own cost may be wrong, which is 42 ms there, and 12 ms
sed 's/^0,0.600000000,60,0.600000000,/0,0.570000000,60,0.570000000,/
	s/^SUM,1.000000000,100,1.000000000,3/SUM,0.970000000,100,0.970000000,3/' whole >apart
awk -f "$srcdir/tests/report_check.awk" apart || fail 'within what the own cost may be wrong by'
broken 'waits name 0.6 s of tasks' apart 's/^Own cost at most,0.050000000,/Own cost at most,0.020000000,/'
broken 'longer than the run' fake 's/^\(.*\),0.000015000,2,13/\1,0.000130000,2,13/'

# a test that leaves such a report fails
mkdir left
sed 's/^Parallel coverage,.*/Parallel coverage,7.6,101.000000/' whole >left/report
! check_reports left 2>what || fail 'a report that contradicts itself is left by a test'
rm -r left
mkdir left
echo 'R00001 12.000 1.6810 (114.01%)' >left/report.txt
! check_reports left 2>what || fail 'a text report with a share above 100 %'
rm -r left broken apart
