# large_ranks: profiles of many ranks that are large together are read one by one, in little memory: the numbers and the
# findings about ranks are those of the report that has all of them at once; who waited for whom; ranks that are missing are named, in a report
# of few, too, and what is not of the run is refused
. "$srcdir/tests/lib.sh"
need python3
mkdir ranks
"$builddir/tests/browser/profiles" ranks 800 8 60 ranks
rm ranks/r17.ompp ranks/r20[1-3].ompp
(ulimit -v 40000 && ompp report ranks/*.ompp) >text || fail 'it takes more than 40,000 kB'
grep -q '^MPI Ranks *: 796 of 800$' text && grep -q '^Missing Ranks *: 17, 201-203$' text || { head text; fail 'the ranks'; }
ompp report --view=flat --rows=all ranks/*.ompp >flat || fail 'all at once'
ompp report --view=general,summary ranks/r[0-9].ompp ranks/r79?.ompp >few || fail 'few'
grep -q '^Missing Ranks *: 10-789$' few && grep -q ' in 20 of 800 MPI ranks' few || { cat few; fail 'few: the ranks'; }
sed -n 's/^R0[0-9]* \(.*\) PARALLEL, 796 ranks$/\1 PARALLEL, 796 of 796 ranks/; /PARALLEL, \|^[a-zA-Z]*[TC]  /p' flat | tr -s ' ' >want
sed -n '/PARALLEL, \|^[a-zA-Z]*[TC]  /p' text | tr -s ' ' >have
[ "$(wc -l <want)" -eq $((60 * 8)) ] || fail "$(wc -l <want) lines"
# digits depend on what else stands in a column
awk '
	NR == FNR { want[FNR] = $0; next }
	{
		n = split(want[FNR], w, " ")
		if (n != NF || w[1] != $1) { print want[FNR] " / " $0; exit 1 }
		for (i = 2; i <= NF; i++)
			if ($i != w[i] && ($i + 0 < 0.999 * w[i] - 0.01 || $i + 0 > 1.001 * w[i] + 0.01 || $i !~ /^[0-9.]+$/)) { print want[FNR] " / " $0; exit 1 }
	}
' want have || fail 'other numbers'
# what cannot be read, or not whole, is told as if it were alone
cp ranks/r40.ompp r40.ompp
printf '\125' | dd of=ranks/r40.ompp bs=1 seek=50000 conv=notrunc 2>/dev/null
ompp report --view=summary ranks/r40.ompp 2>alone >/dev/null && fail 'damaged: alone'
ompp report ranks/*.ompp 2>among >text && fail 'damaged: among others'
grep -q '^ompp: ranks/r40.ompp: the profile file is damaged from byte' alone || { cat alone; fail 'damaged: what is said'; }
same 'what is said of a damaged file' alone among
grep -q '^MPI Ranks *: 796 of 800$' text || fail 'damaged: the others'
: >ranks/r40.ompp
! ompp report --view=summary ranks/r40.ompp 2>alone >/dev/null || fail 'empty: alone'
! ompp report ranks/*.ompp 2>among >/dev/null || fail 'empty: among others'
same 'what is said of an empty file' alone among
mv r40.ompp ranks/r40.ompp
"$builddir/tests/browser/profiles" ranks 3 8 60 .
! ompp report ranks/r[0-9].ompp ranks/r[1-9][0-9].ompp ranks/r[3-7][0-9][0-9].ompp r2.ompp ranks/r1[0-9][0-9].ompp >out 2>err || fail 'a rank of another run'
grep -q '^ompp: report: ranks/r0.ompp, r2.ompp: not added up: they are two MPI runs, of 800 and 3 ranks' err || fail "said: $(cat err)"
rm -rf ranks

# findings about ranks and the efficiencies are those of all at once; the arithmetic: one rank works 500 ms more than its
# neighbours, of which each has 177 us more than the one before, and the others wait for it
mkdir ranks
"$builddir/tests/browser/profiles" ranks 800 8 60 ranks 266
(ulimit -v 40000 && ompp report ranks/*.ompp) >text || fail 'with MPI: it takes more than 40,000 kB'
ompp report --view=efficiency,properties ranks/*.ompp >all || fail 'with MPI: all at once'
for file in all text; do
	awk '/^Property/ { is_in = / .UnequalRanks. | .MpiWhileThreadsIdle. / } /^[^P ]|^$/ { is_in = 0 } is_in' $file |
		sed 's/^Property P[0-9]*/Property/' >$file.found
	sed -n '/^Efficiency\|^efficiency/,/^$/s/^ *\([a-zA-Z ]*[a-zA-Z]\)  *\(([0-9][0-9.]*%)\).*/\1 \2/p' $file | sort >$file.shares
done
same 'findings about ranks' all.found text.found
grep -q "^Property 'UnequalRanks'" text.found && grep -q "^Property 'MpiWhileThreadsIdle'" text.found || { cat text; fail 'which'; }
awk '!seen[$0]++' all.shares >want
same 'efficiencies' want text.shares
[ "$(wc -l <text.shares)" -eq 11 ] || { cat text.shares; fail 'efficiencies: how many'; }
python3 - <<'P' || fail 'the arithmetic'
import re
text = " ".join(open("text").read().split())
n, busy, regions = 800, 266, 59
wait = [0 if r == busy else 0.5 + 3e-6 * regions * (busy - r) for r in range(n)]
run = sum(1e-3 * (g + 7) + 3e-6 * busy for g in range(1, regions + 1)) + 0.5
have = re.search(r"([0-9.]+) (m?)s of ([0-9.]+) s \(([0-9.]+) %\) lie in calls of MPI", text)
mean = float(have[1]) / (1000 if have[2] else 1)
assert abs(mean - sum(wait) / n) < 0.001 and abs(float(have[3]) - run) < 0.01, (have[0], sum(wait) / n, run)
assert "Outside of MPI, rank %d (host" % busy in text
gain = re.search(r"Without it the run would be at most ([0-9.]+) s", text)
assert abs(float(gain[1]) - sum(wait) / n) < 0.001, (gain[0], sum(wait) / n)
P
rm -rf ranks

# what ranks keep of the calls at which they wait for each other is compared, too: in each of 40 barriers one of three ranks
# comes 10 ms after all others, and each of as many messages of each rank is awaited for 3 ms; clocks of two machines differ
# by 1000 s
mkdir ranks
"$builddir/tests/browser/profiles" ranks 800 8 60 ranks 266 40
(ulimit -v 130000 && ompp report ranks/*.ompp) >text || fail 'with meetings: it takes more than 130,000 kB'
python3 - <<'P' || fail 'the waits'
import re
text = open("text").read()
assert re.search("^compared +callT +lastT +senderT +receiverT ", text, re.M)
row = re.search(r"^ *(96.000) +([0-9.]+) +([0-9.]+) +([0-9.]+) +([0-9.]+) .*MPI_Barrier", text, re.M)
have, want = [float(row[i]) for i in (3, 4, 5)], [40 * 799 * 0.010, 40 * 800 * 0.003, 0]
assert all(abs(h - w) <= 0.01 for h, w in zip(have, want)), (have, want)
clock = re.search(r"^ *1 +400 +(-[0-9.]+) +([0-9.]+) ", text, re.M)
assert abs(float(clock[1]) + 1000) < 0.001 and float(clock[2]) < 0.001, clock[0]
# rank 266 is the last in each third one, from the first on
assert re.search(r"is the last in 14 of\s+40|was the last in 14 of\s+40", text)
P
rm ranks/r17.ompp ranks/r20[1-3].ompp
ompp report ranks/*.ompp >text && ! grep -q UnequalRanks text || fail 'of a part of the ranks the balance is not known'
rm -rf ranks

# ranks of 'ompp run' whose profiles are too large for one file: the one that ends last prints the report, which stands in a
# file, too; one whose ompp run looks later says nothing more
mkdir ranks folder
cat >leave.sh <<'S'
"$1" ranks 210 8 200 ranks || exit
for r in $(seq 0 209); do
	mv ranks/r$r.ompp folder/prog.8.r$r-0.ompp || exit
done
S
export PMI_SIZE=210 OMPP_OUTDIR=folder
PMI_RANK=3 ompp run sh -c 'touch begun; n=0; while [ ! -e done ] && [ $((n += 1)) -lt 3000 ]; do sleep 0.1; done' >said.3 2>err.3 &
late=$!
while [ ! -e begun ] && kill -0 $late 2>/dev/null; do sleep 0.1; done
status=0
PMI_RANK=209 ompp run sh ./leave.sh "$builddir/tests/browser/profiles" >said 2>err || status=$?
free_kb=$(df -Pk . | awk 'NR == 2 { print $4 }')
touch done
[ $status = 0 ] || [ "$free_kb" -ge 2048 ] || { wait $late || :; cat err; skip "large profiles: only $free_kb kB are left in $work, and they have 70 MiB"; }
[ $status = 0 ] || { cat said err; fail "large profiles: status $status"; }
wait $late || { cat said.3 err.3; fail 'large profiles: the late rank'; }
unset PMI_SIZE OMPP_OUTDIR
grep -q '^MPI Ranks *: 210 of 210$' said || { cat said err; fail 'the report of large profiles'; }
same 'the report in its file' said folder/prog.8.ranks210-0.ompp.txt
ompp report folder/*.r[0-9]*-0.ompp >text
same 'the report that ompp report makes' text said
grep -q '^ompp: run: the profiles of the 210 ranks stay apart, as they have [0-9]* MiB' err || { cat err; fail 'that they stay apart'; }
[ "$(ls folder/*.ompp | wc -l)" -eq 210 ] || fail 'the profiles of the ranks'
[ ! -s said.3 ] && [ ! -s err.3 ] && [ "$(ls folder | wc -l)" -eq 211 ] || { cat said.3 err.3; ls folder | tail -3; fail 'large profiles: a second report'; }
rm -rf ranks folder
