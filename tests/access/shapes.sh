# shapes: kernels of the shapes that programs have count the same by hooks and by whole loops, where nothing is named,
# where arrays are named, and where all memory is; and in all of these ways the same sums (shapes_all.sh: more compilers,
# levels and threads, the cache model, and tests/access/kernels).
. "$srcdir/tests/lib.sh"
: "${PART:=1/1}"
export OMP_WAIT_POLICY=passive OMP_DYNAMIC=false OMPP_QUIET=1 OMPP_PROFILE=0 OMPP_OUTFORMAT=CSV
export OMP_NUM_THREADS=1 GOMP_SPINCOUNT=0 KMP_BLOCKTIME=0

# counted NAME PROGRAM ARG…: NAME gets lines "object loads stores atomics bytes", NAME.sum their sums.  What two threads
# find on their stacks depends on the chunks of loops that each gets.
counted() {
	name=$1
	shift
	OMPP_REPORTFILE=$name.csv "$@" >"$name.out" 2>"$name.err" || fail "$name: $* $(cat "$name.err")"
	awk -F, '/^##BEG data objects$/ { on = 1; getline; next } /^##END data objects$/ { on = 0 }
		on && match($0, /^"([^"]|"")*"/) { # a name with commas
			name = substr($0, 1, RLENGTH)
			gsub(/,/, ";", name)
			$0 = name substr($0, RLENGTH + 1)
		}
		on && $2 + $3 + $4 { sub(/^(hooks|loops)(\.named)?: /, "", $1); print $1, $2, $3, $4, $6 }' "$name.csv" |
		grep -v "^(stack$([ $OMP_NUM_THREADS -gt 1 ] || echo ' of one thread')" | sort >"$name"
	awk '{ for (i = NF - 3; i <= NF; i++) sum[NF - i] += $i } END { print sum[3], sum[2], sum[1], sum[0] }' \
		"$name" >"$name.sum"
	awk '{ exit $1 + $2 <= 1000 }' "$name.sum" || fail "$name: counted nothing: $(cat "$name.sum")"
	grep -c '^"*[^,]*: constants"*,-,' "$name.csv" >"$name.constants" || :
}

# same_sums WHAT WITHOUT NAMED: the counts without names have the same sums as those with.  Where constants are an object,
# which loads of them there are is the compiler's affair, and the report does not say (tables of virtual functions,
# Fortran's actual arguments): then there may be more loads without names, and nothing else.
same_sums() {
	if [ "$(cat "$3.constants")" = 0 ] || cmp -s "$2.sum" "$3.sum"; then
		same "$1" "$2.sum" "$3.sum"
	else
		paste -d' ' "$2.sum" "$3.sum" | awk '{ exit !($1 > $5 && $4 > $8 && $2 == $6 && $3 == $7) }' ||
			fail "$1, but for constants: $(cat "$2.sum" "$3.sum")"
	fi
}

# in_way KIND WAY PROGRAM ARG…: counts as counted() does, into KIND.WAY
in_way() {
	kind=$1 way=$2
	shift 2
	case $way in
	none) counted $kind.none "$@" ;;
	pool) POOL=1 counted $kind.pool "$@" ;; # what is named in the next one
	name) POOL=1 OMPP_DATA_NAME='*' counted $kind.name "$@" ;;
	all) OMPP_OBJECTS=all counted $kind.all "$@" ;;
	model) OMPP_OBJECTS=all OMPP_CACHE=1 counted $kind.model "$@" ;;
	esac
}

# has NAME N: it has so many objects at least
has() {
	[ "$(grep -c -v '^(' "$1")" -ge "$2" ] || fail "$what: $1: fewer than $2 objects: $(cat "$1")"
}

# compare_ways WHAT N_OBJECTS ARG…: runs hooks and loops in each way
compare_ways() {
	what=$1 n_objects=$2
	shift 2
	for way in none all pool name ${MODEL:+model}; do
		case $way in
		pool | name) without=pool ;; # memory for it takes other accesses
		*) without=none ;;
		esac
		for kind in hooks loops; do
			in_way $kind $way ./$kind "$@"
			same_sums "$what: sums without names, and with (right), by $kind, $way" $kind.$without $kind.$way
			[ $OMP_NUM_THREADS -gt 1 ] || same "$what: what it prints, by $kind, $way" hooks.none.out $kind.$way.out
		done
		same "$what, $way: counts by hooks (left), and by loops" hooks.$way loops.$way
	done
	has loops.all "$n_objects"
	[ "$1" != usable ] || has_all_stores
}

# has_all_stores: one object has as many stores as `usable` prints
has_all_stores() {
	n=$(sed 's/.* //' hooks.all.out)
	awk -v n="$n" '$(NF - 2) == n { found = 1 } END { exit !found }' loops.all ||
		fail "$what: no object has $n stores: $(cat loops.all)"
}

# build_shapes LANGUAGE COMPILER FLAG…
build_shapes() {
	source=$srcdir/tests/access/shapes.$1 compiler=$2
	shift 2
	kinst --access=hooks "$compiler" -w "$@" -g -fopenmp "$source" -lm -o hooks || fail "$source: hooks"
	kinst --access "$compiler" -w "$@" -g -fopenmp "$source" -lm -o loops || fail "$source: loops"
}

# compilers_of LANGUAGE: in the quick test one of them
compilers_of() {
	case $1${ALL:+ALL} in
	c) echo "${CC:-gcc}" ;;
	cpp) echo "${CLANG:+$CLANG++}" | grep . || echo "${GXX:-}" ;;
	cALL) echo "${CC:-gcc} ${CLANG:-}" ;;
	cppALL) echo "${GXX:-} ${CLANG:+$CLANG++}" ;;
	f90*) echo "${GFORTRAN:-}" ;;
	esac
}

# check_shapes LEVEL: all kernels with all compilers
check_shapes() {
	for language in c cpp f90; do
		for compiler in $(compilers_of $language); do
			turn=$((turn + 1))
			[ $((turn % ${PART##*/})) = $((${PART%/*} % ${PART##*/})) ] || continue
			build_shapes $language "$compiler" "$1"
			[ -z "${ALL:-}" ] || [ $language != cpp ] || build_pool "$compiler" "$1"
			while read -r of kernel n rounds n_objects; do
				[ "$of" = $language ] || continue
				compare_ways "$compiler $1, $kernel" "$n_objects" "$kernel" "$n" "$rounds"
				[ -z "${ALL:-}" ] || [ $language != cpp ] || compare_pool "$compiler $1, $kernel" "$kernel" "$n" "$rounds"
				n_kernels=$((n_kernels + 1))
			done <"$srcdir/tests/access/shapes.list"
		done
	done
}

build_pool() {
	mv hooks hooks.heap
	mv loops loops.heap
	build_shapes cpp "$1" -DPOOL "$2"
	mv hooks pool.hooks
	mv loops pool.loops
	mv hooks.heap hooks
	mv loops.heap loops
}

# compare_pool WHAT ARG…: the memory of containers has a name, and counts the same
compare_pool() {
	what=$1
	shift
	for kind in hooks loops; do
		OMPP_DATA_NAME=pool counted $kind.of_pool ./pool.$kind "$@"
		has $kind.of_pool 1
	done
	same "$what, pool named: counts by hooks (left), and by loops" hooks.of_pool loops.of_pool
}

n_kernels=0 turn=0
if [ -z "${ALL:-}" ]; then
	check_shapes -O2
	echo "$n_kernels kernels count the same in three ways, by hooks and by loops"
	[ $n_kernels -gt 0 ] || fail "nothing was compared"
fi
