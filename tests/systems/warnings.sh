# warnings: what the compiler says about a source, and its exit status, are the same with kinst, warning by warning: each is
# alone in a source with a construct, so that no other one makes kinst ask the compiler again
. "$srcdir/tests/systems/systems.sh"

# Split a list: name.suffix, and the options of all as "name.suffix options" in `list`.
split() {
	awk -v suffix="$2" '/^=== / { file = $2 suffix; $1 = $2 = ""; print file, $0 >"list"; next } { print >file }' "$1"
}

# each COMPILER [OPTION]: all of the list, with an option of kinst
each() {
	while read -r file flags; do
		p=0 k=0
		"$1" -fopenmp $flags -c "$file" -o p.o >p.said 2>&1 || p=$?
		"$builddir/kinst" $2 "$1" -fopenmp $flags -c "$file" -o k.o >k.said 2>&1 || k=$?
		sed -i '/^kinst: .*: not measured: /d; /^kinst: .*accesses are.* counted/d' k.said
		[ $p = $k ] || fail "$1 $2 $flags $file: status $p and $k"
		same "$1 $2 $flags $file" p.said k.said
		[ $p != 0 ] || [ -s k.o ] || fail "$1 $2 $flags $file: no object"
		[ ! -s p.said ] || n_said=$((n_said + 1))
	done <list
}

n_said=0
for language in c c++ fortran; do
	mkdir $language
	cd $language
	case $language in
	c) split "$srcdir/tests/systems/warnings_of/c.txt" .c; compilers="gcc clang" ;;
	c++) split "$srcdir/tests/systems/warnings_of/c++.txt" .cpp; compilers="g++ clang++" ;;
	*) split "$srcdir/tests/systems/warnings_of/fortran.txt" .f90; compilers=gfortran ;;
	esac
	for compiler in $compilers; do
		each $compiler ""
		# gcc's messages come from a compile that ends behind the last of them
		case $compiler in g*) each $compiler --access ;; esac
	done
	cd ..
done
[ $n_said -gt 100 ] || fail "compilers have said something in $n_said cases only"
clean
