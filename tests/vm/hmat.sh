# hmat: a machine whose firmware says how fast the memory of each NUMA node is (ACPI's HMAT): the report has its numbers, of
# memory without processors, too; and `-` on a machine whose firmware does not
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the programs of this build are not for x86_64'
vm_arch=amd64 vm_cpus=2 vm_memory=384M vm_libraries=$builddir/.libs
vm_need
vm_packages

# lb INITIATOR TARGET TYPE NUMBER
lb() {
	case $3 in
	*latency) vm_options="$vm_options -numa hmat-lb,initiator=$1,target=$2,hierarchy=memory,data-type=$3,latency=$4" ;;
	*) vm_options="$vm_options -numa hmat-lb,initiator=$1,target=$2,hierarchy=memory,data-type=$3,bandwidth=$4M" ;;
	esac
}
nodes() {
	vm_options=
	for node in 0 1 2; do
		vm_options="$vm_options -object memory-backend-ram,id=m$node,size=128M"
	done
	vm_options="$vm_options -numa node,nodeid=0,cpus=0,memdev=m0${1:-} -numa node,nodeid=1,cpus=1,memdev=m1${2:-}"
	vm_options="$vm_options -numa node,nodeid=2,memdev=m2${3:-}"
}

kinst --access $CC -O1 -g -fopenmp "$srcdir/tests/vm/first_touch.c" -o first_touch
vm_add /bin first_touch
cat >run <<'END'
export OMPP_OUTFORMAT=CSV OMPP_QUIET=1 OMP_NUM_THREADS=2 OMP_PROC_BIND=close OMP_PLACES=threads OMPP_SAMPLE=touch
OMPP_REPORTFILE=report first_touch 0 || exit
for node in 0 1 2; do
	for what in read_bandwidth write_bandwidth read_latency write_latency; do
		cat /sys/devices/system/node/node$node/access*/initiators/$what
	done
done >kernel 2>/dev/null
:
END
# found MACHINE: node and the four numbers of each
found() {
	awk -F, '/^##BEG numa nodes$/ { inside = 1; getline; for (i = 1; i <= NF; i++) col[$i] = i; next }
		/^##END/ { inside = 0 }
		inside { print $1, $col["read MB/s"], $col["write MB/s"], $col["read ns"], $col["write ns"] }' "$1/report"
}

nodes ,initiator=0 ,initiator=1 ,initiator=0
vm_options="-machine hmat=on $vm_options"
for pair in '0 0 90 25600' '0 1 150 12800' '0 2 400 3200' '1 0 150 12800' '1 1 80 19200' '1 2 500 1600'; do
	# shellcheck disable=SC2086
	set -- $pair
	lb "$1" "$2" access-latency "$3"
	lb "$1" "$2" access-bandwidth "$4"
done
vm_run told run || { cat told/log; fail 'the program fails'; }
printf '0 25600 25600 90 90\n1 19200 19200 80 80\n2 3200 3200 400 400\n' >expected
found told >told.nodes
same 'what the firmware says' expected told.nodes

nodes
vm_run untold run || { cat untold/log; fail 'the program fails'; }
[ ! -s untold/kernel ] || fail 'this kernel knows without the firmware'
printf '%s - - - -\n' 0 1 2 >expected
found untold >untold.nodes
same 'what the firmware does not say' expected untold.nodes
