# many_ranks: the text of 256 ranks of 8 threads has at most 200 lines: for each region the least, the mean and the most of the
# ranks, and which ones these are, by the arithmetic of their profiles; --ranks shows the threads of some, and SUM is theirs then
. "$srcdir/tests/lib.sh"
need python3
mkdir ranks
"$builddir/tests/browser/profiles" ranks 256 8 2 ranks
ompp report ranks/*.ompp >text || fail 'the text'
[ "$(wc -l <text)" -le 200 ] || fail "it has $(wc -l <text) lines"
ompp report --ranks=all --view=flat ranks/*.ompp >all || fail '--ranks=all'
[ "$(grep -c '^ *r[0-9]*:[0-7] ' all)" -eq $((2 * 256 * 8)) ] || fail '--ranks=all has not all threads'
ompp report --ranks=3,250-251 --view=flat,callpath ranks/*.ompp >some || fail '--ranks'
[ "$(grep -c '^ *r\(3\|250\|251\):[0-7] ' some)" -eq $((4 * 3 * 8)) ] && [ "$(grep -c '^ *r' some)" -eq $((4 * 3 * 8)) ] || fail '--ranks=3,250-251'
ompp report --ranks=3 --format=csv --view=flat ranks/*.ompp >some.csv || fail '--ranks in CSV'
[ "$(grep -c '^r3:' some.csv)" -eq 16 ] && ! grep -q '^r4:' some.csv || fail '--ranks=3 in CSV'
for wrong in few 1-x -3 ''; do
	status=0
	ompp report "--ranks=$wrong" ranks/*.ompp >out 2>err || status=$?
	[ $status -eq 2 ] && grep -q "^ompp: --ranks: '$wrong' is not a list of ranks" err || { cat err; fail "--ranks=$wrong: $status"; }
done
# eight ranks are shown thread by thread
ompp report --view=flat ranks/r[0-7].ompp | grep -q '^ *r7:7 ' || fail 'eight ranks'
python3 - <<'P' || fail 'numbers'
import re
text = open("text").read()
blocks = re.findall(r"R0000(\d) ranks.c \(.*\) PARALLEL, 256 ranks\n *least rank  *mean  *most rank  *SUM\n((?:.+\n)+)", text)
assert [b[0] for b in blocks] == ["1", "2"] * 2, blocks
def body(rank, g): return sum(1000000 * (g + t) + 1000 * rank for t in range(8))
def wait(rank, g): return 8 * 2000 * rank
def both(rank, g): return body(rank, g) + wait(rank, g)
for number, rows in blocks:
    g = int(number)
    rows = {r.split()[0]: r.split()[1:] for r in rows.splitlines()}
    for name, f in (("execT", both), ("bodyT", body), ("bodyT/I", body), ("bodyT/E", body), ("exitBarT", wait)):
        if name not in rows:
            assert name.startswith("bodyT"), (name, rows)
            continue
        least, least_rank, mean, most, most_rank, all_ = rows[name]
        values = [f(r, g) / 1e9 for r in range(256)]
        assert (least_rank, most_rank) == ("r0", "r255"), rows
        for have, want in ((least, values[0]), (mean, sum(values) / 256), (most, values[-1]), (all_, sum(values))):
            digits = len(have.split(".")[1])
            assert abs(float(have) - want) <= 0.51 * 10 ** -digits, (name, have, want)
    assert rows["execC"] == ["8", "all", "8", "8", "all", "2048"], rows
# what all ranks say is said once, with its sum
assert len(re.findall(r"counters were shared", text)) == 1 and re.search(r": all: 768 events found no memory", text), text
P
rm -rf ranks
