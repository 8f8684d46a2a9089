# published: matvec_data.sh with the size that was published: 144,000,000 elements, 1.15 GB, four threads, each of which
# loads 36,000,000.
free=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
if [ "${free:-0}" -lt 2000 ]; then
	echo "skip: 2 GB of memory are needed, $free MB are free"
	exit 77
fi
N=12000 CACHE=L3=1M/16/64
. "$srcdir/tests/examples/matvec_data.sh"
