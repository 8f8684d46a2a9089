# debugger: gdb stops at the original's lines and prints its variables as in the plain program; stepping shows no other file
. "$srcdir/tests/systems/systems.sh"
need gdb
OMP_NUM_THREADS=1
export OMP_NUM_THREADS
# as installed: without lines of its own
mkdir lib
cp -P "$builddir"/.libs/libompp*.so* "$builddir"/.libs/libompp*.a lib/ 2>/dev/null || :
for file in lib/*; do
	[ -L "$file" ] || strip --strip-debug "$file"
done
KINST_LIBDIR=$work/lib
export KINST_LIBDIR

cat >one.c <<'C'
int twice(int n)
{
	return 2 * n;
}
int main(void)
{
	int sum = 1, i;
#pragma omp parallel num_threads(1) reduction(+ : sum)
	{
		int inside = 3;
		sum += twice(inside);
#pragma omp for
		for (i = 0; i < 1; i++)
			sum += i;
#pragma omp critical
		sum += 1;
	}
#pragma omp single
	sum += 5;
	sum += twice(sum);
	return sum != 39;
}
C
cp one.c two.cpp
cat >three.f90 <<'F'
program three
  implicit none
  integer :: total, i
  total = 1
!$omp parallel num_threads(1) reduction(+ : total)
  total = total + 2
!$omp do
  do i = 1, 1
    total = total + i
  end do
!$omp end do
!$omp critical
  total = total + 1
!$omp end critical
!$omp end parallel
  total = total + 1
  if (total /= 6) stop 1
end program
F

# The places where each program stops, and the values there.
places() {
	gdb -q -batch -x "$2" "$1" 2>/dev/null | sed -n 's/.*[ /]\([a-z]*\.[a-z0-9]*:[0-9]*\)$/at \1/p; s/^\$[0-9]* = /value /p'
}

for compiler in gcc clang g++ clang++ gfortran; do
	case $compiler in
	gcc | clang) source=one.c breaks="3:n 10:sum 11:inside 14:sum 16:sum 19:sum 20:sum" main=main last=20 ;;
	*++) source=two.cpp breaks="3:n 10:sum 11:inside 14:sum 16:sum 19:sum 20:sum" main=main last=20 ;;
	*) source=three.f90 breaks="6:total 9:total 13:total 16:total" main=three last=16 ;;
	esac
	$compiler -g -fopenmp $source -o plain
	"$builddir/kinst" $compiler -g -fopenmp $source -o program
	./program || fail "$compiler: status"
	for each in $breaks; do
		printf 'tbreak %s:%s\ncommands\nprint %s\ncontinue\nend\n' $source ${each%:*} ${each#*:}
	done >commands
	echo run >>commands
	places plain commands >plain.places
	places program commands >program.places
	[ "$(grep -c 'at ' plain.places)" -ge "$(echo $breaks | wc -w)" ] || fail "$compiler: stops of the plain program: $(cat plain.places)"
	same "$compiler: stops" plain.places program.places
	for command in next step; do
		{
			printf 'break %s\nrun\n' $main
			yes $command | head -n 40
		} >commands
		gdb -q -batch -x commands ./program >steps 2>/dev/null || :
		# every line shown is the source's; behind main come libc's, which is the same in the plain program
		grep '^[0-9]*	' steps | grep -v '	\(\.\.\|\./\|in \.\)' >shown
		grep -q "^$last	" shown || fail "$compiler: $command does not come to line $last: $(cat steps)"
		while IFS='	' read -r line text; do
			sed -n "${line}p" $source | sed 's/^	*//' | grep -qxF "$text" || fail "$compiler: $command shows $line $text"
		done <shown
	done
done
clean
