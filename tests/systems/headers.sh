# headers: a construct of a header is one region, at the header's own place, however many files include it, precompiled or not
. "$srcdir/tests/systems/systems.sh"
mkdir include
cp "$project"/main.c "$project"/work.c "$project"/*.cpp .
cp "$project"/work.h "$project"/sum.hpp include/
chmod -R u+w .
cat >unity.c <<'C'
#include "main.c"
#include "work.c"
C
cat >other.cpp <<'C'
#include "sum.hpp"

// As inline functions, members, lambdas, and templates of other types.
inline int inlined(int n)
{
#pragma omp parallel for reduction(+ : n)
	for (int i = 0; i < 2; i++)
		n += 1;
	return n;
}

struct member {
	template <typename T> T twice(T n) const
	{
#pragma omp parallel reduction(+ : n)
		n += 0;
		return 2 * n;
	}
};

int other();
int other()
{
	auto lambda = [](int n) {
#pragma omp critical
		n++;
		return n;
	};
	return inlined(1) + member().twice(2) + static_cast<int>(member().twice(1.5)) + lambda(3) +
	       static_cast<int>(sum(std::vector<long>{ 1, 2 }) + sum(std::vector<float>{ 1, 2 }));
}
C
sed -i 's/halves(8)/halves(8) + other()/; s/^int main/int other();\n&/' main.cpp
for family in "gcc g++" "clang clang++"; do
	cc=${family% *} cxx=${family#* }
	flags='-fopenmp -O1 -Iinclude -DNAME="h"'
	$cc $flags main.c work.c -o plain && ./plain >plain.out
	"$builddir/kinst" --strict $cc $flags main.c work.c -o program || fail "$cc"
	measured main.c work.c include/work.h -- ./program
	same "$cc" plain.out out
	"$builddir/kinst" --strict $cc $flags unity.c -o program || fail "$cc: unity"
	measured main.c work.c include/work.h -- ./program
	same "$cc: unity" plain.out out

	$cxx $flags main.cpp halves.cpp other.cpp -o plain_cxx && ./plain_cxx >plain_cxx.out
	for standard in c++11 c++20; do
		for source in main halves other; do
			"$builddir/kinst" --strict $cxx -std=$standard $flags -c $source.cpp -o $source.o || fail "$cxx $source.cpp"
		done
		"$builddir/kinst" --strict $cxx $flags main.o halves.o other.o -o program || fail "$cxx"
		measured main.cpp halves.cpp other.cpp include/sum.hpp -- ./program
		same "$cxx" plain_cxx.out out
	done

	# precompiled: plainly, by kinst; taken by itself, by -include and by -include-pch
	for by in "$cc" "$builddir/kinst $cc"; do
		case $cc in
		gcc)
			$by $flags -x c-header include/work.h -o include/work.h.gch || fail "$by: precompile"
			uses="-Winvalid-pch" more="-include work.h"
			;;
		*)
			$by $flags -x c-header include/work.h -o work.pch || fail "$by: precompile"
			uses="-include-pch work.pch" more="-Xclang -include-pch -Xclang work.pch"
			;;
		esac
		for use in "$uses" "$more"; do
			"$builddir/kinst" --strict $cc $flags $use main.c work.c -o program || fail "$cc $use"
			measured main.c work.c include/work.h -- ./program
			same "$cc $use" plain.out out
		done
		rm -f include/*.gch ./*.pch
	done
done
clean
