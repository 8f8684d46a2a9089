# rows_many: the text of a profile of 10,000 call paths and 256 threads takes 110 MB beside its cells, of 200 bytes each,
# and some 0.9 s of a processor; the bound is twice that, as processors differ and caches are shared
. "$srcdir/tests/lib.sh"
need python3
"$builddir/tests/browser/profiles" big 10000 256 >big.ompp
most=$((10000 * 256 * 200 / 1024 + 110000))
(ulimit -v $most && ompp report big.ompp >text) || fail "it takes more than $most kB"
judge() {
	python3 - <<'P'
import resource, subprocess, sys
subprocess.run(["ompp", "report", "big.ompp"], stdout=open("text", "w"), check=True)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%.2f s of a processor, %d kB" % (usage.ru_utime + usage.ru_stime, usage.ru_maxrss))
sys.exit(usage.ru_utime + usage.ru_stime > 2)
P
}
retry 4 judge || fail 'it takes long'
[ "$(wc -c <text)" -lt 8000000 ] || fail 'it is long'
[ "$(grep -c '^Left out: ' text)" -eq 2 ] || fail 'it does not say what it left out'
rm big.ompp # its threads would be checked by report_check.awk for minutes
