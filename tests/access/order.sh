# order: a trace of pages has each use in its interval, and knows the order of what threads do that are more than an interval
# apart, however little they access: compared with what a program says of its own stages, with threads of OpenMP and its own,
# which sleep or are busy, by hooks and by loops.
# All the ways are the slow test order_all.sh, which sets WIDE.
. "$srcdir/tests/lib.sh"

cp "$srcdir/tests/access/order.c" .
export OMPP_QUIET=1 OMPP_OVERWRITE=1 OMPP_PAGES=hooks OMPP_PAGES_INTERVAL=50ms OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=0

# build NAME COMPILER WAY FLAG…
build() {
	name=$1 compiler=$2 way=$3
	shift 3
	kinst --access"$way" "$compiler" -w -O2 -g "$@" order.c -o "$name" -lpthread
}

# try NAME THREADS STAGES GAP HOW SEED
try() {
	rm -f "$1".*.ompp*
	name=$1
	shift
	"./$name" "$@" >said || fail "$name $*: exit status $?"
	file=$(echo "$name".*.ompp.pages)
	start=$(ompp flow --view=events --format=csv --top=1 "$file" | awk -F, 'NR == 2 { printf "%.9f", $2 / 1e9 - $1 }')
	ompp pages --producers --format=csv "$file" >producers
	ompp pages --csv "$file" >uses
	awk -v start="$start" -v interval=0.05 -f "$srcdir/tests/access/order.awk" said producers uses >judged
}

# judge NAME THREADS STAGES GAP HOW SEED: uses that are wrong fail at once; ticks may come late where others use the machine.
judge() {
	tries=0
	until try "$@"; do
		[ $? = 3 ] && [ $((tries += 1)) -lt 6 ] || fail "$*: $(cat judged)"
	done
	echo "$*: $(tail -n 1 judged)"
}

if [ -z "${WIDE:-}" ]; then
	build loops "${CC:-gcc}" '' -fopenmp
	build hooks "${CC:-gcc}" =hooks -DPTHREADS
	judge loops 4 10 200 sleep 1
	judge hooks 3 10 200 busy 2
	if [ -n "${CLANG:-}" ]; then
		build clang "$CLANG" '' -DPTHREADS
		judge clang 16 10 200 sleep 3
	fi
	exit 0
fi

# each_way: a line for each: number, compiler, =hooks or nothing, level, flag, threads, how.
each_way() {
	for compiler in "${CC:-gcc}" ${CLANG:+"$CLANG"}; do
		for way in =loops =hooks; do
			for level in -O1 -O2; do
				for kind in -DPTHREADS -fopenmp; do
					for threads in 1 2 4 16; do
						for how in sleep busy; do
							echo "$compiler $way $level $kind $threads $how"
						done
					done
				done
			done
		done
	done
}
part=${PART:-1/4}
each_way | awk -v part="${part%/*}" -v parts="${part#*/}" 'NR % parts == part % parts { print NR, $0 }' >ways
while read -r number compiler way level kind threads how; do
	build program "$compiler" "${way#=loops}" "$level" "$kind"
	judge program "$threads" 20 200 "$how" "$number"
done <ways
