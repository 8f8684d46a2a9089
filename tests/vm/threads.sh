# threads: a machine with four NUMA nodes: of a program with threads that kinst did not build, each block's pages are on the
# node of the thread that touched it first, as arithmetic says; and they are where ompp place's variables put them
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the programs of this build are not for x86_64'
vm_arch=amd64 vm_cpus=4 vm_memory=512M vm_libraries=$builddir/.libs
vm_four_nodes 128M
vm_need
vm_packages

$CC -O1 -w -pthread "$srcdir/tests/interpose/see.c" -o see
vm_add /bin see "$builddir/ompp"
vm_add /lib "$builddir/.libs/libompp.so"
cat >run <<'END'
export OMPP_OUTFORMAT=CSV OMPP_QUIET=1 OMPP_OBJECTS=all OMPP_SAMPLE=touch
balancing=/proc/sys/kernel/numa_balancing
[ ! -e $balancing ] || echo 0 >$balancing
run() {
	OMPP_REPORTFILE=$1 ompp run see pages pin >$1.out
	[ $? = 7 ] || exit 1
}
run still
# The threads' blocks, which have a call path each, to node 2; the one of all is spread.
OMPP_PLACE=$(sed -n '/^##BEG blocks/,/^##END/p' still | awk -F, '
	$1 ~ /^see[+]/ && $4 >= 100 * 4096 {
		n = split($NF, calls, " ")
		for (i = 1; i <= n; i++) {
			printf "%s%s=%s", separator, calls[i], n == 4 ? "node:2" : "interleave"
			separator = ","
		}
	}')
export OMPP_PLACE
run placed
END
vm_run four run || { cat four/log; tail -5 four/dmesg; fail 'a program fails'; }

# places REPORT: pages of the blocks by node; of the one that the first thread touched, which is bound to no node, by so many nodes.
places() {
	sed -n '/^##BEG first touches/,/^##END/p' "four/$1" | awk -F, '
		$1 !~ /^see[+]/ { next }
		$2 == "0" { common[$4]++; next }
		{ print "block", $3, $4 }
		END { for (pages in common) print "common", common[pages], pages }' | LC_ALL=C sort
}
printf '%s\n' 'block 0 40' 'block 1 80' 'block 2 120' 'block 3 160' 'common 1 100' >expected
places still >found
cmp -s expected found || fail "as it is: $(cat found)"
printf '%s\n' 'block 2 120' 'block 2 160' 'block 2 40' 'block 2 80' 'common 4 25' | LC_ALL=C sort >expected
places placed >found
cmp -s expected found || fail "placed: $(cat found), by $(grep PLACE four/placed)"
