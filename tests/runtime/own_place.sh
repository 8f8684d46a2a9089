# own_place: libompp knows which memory is its own code and its own variables: what the kernel says of its file
. "$srcdir/tests/lib.sh"
command -v nm >/dev/null || skip "no nm"

cat >own.c <<'C'
#define _GNU_SOURCE
#include <inttypes.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds where libompp is loaded. */
static int find(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	if (!strstr(info->dlpi_name, "libompp.so"))
		return 0;
	*(uintptr_t *)data = info->dlpi_addr;
	return 1;
}

/* Prints from where to where the library's file is mapped with these rights. */
static void kernel_says(const char *kind)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	uintptr_t lo, hi, first = 0, last = 0;
	char line[1024], access[8];

	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %7s", &lo, &hi, access) != 3 || strncmp(access, kind, 3))
			continue;
		if (!strstr(line, "libompp.so"))
			continue;
		first = first ? first : lo;
		last = hi;
	}
	printf("%" PRIuPTR " %" PRIuPTR "\n", first, last);
	fclose(maps);
}

/* The arguments are where in the library its variables stand: own_lo, own_hi, data_lo, data_hi; then where all end. */
int main(int argc, char **argv)
{
	uintptr_t bias = 0;

#pragma omp parallel
	argv[0][0] = '.';
	dl_iterate_phdr(find, &bias);
	for (int i = 1; i < argc - 1; i++)
		printf("%" PRIuPTR "%c", *(uintptr_t *)(bias + strtoul(argv[i], NULL, 16)), i % 2 ? ' ' : '\n');
	kernel_says("r-x");
	kernel_says("rw-");
	printf("%" PRIuPTR "\n", bias + strtoul(argv[argc - 1], NULL, 16));
	return 0;
}
C
kinst $CC -fopenmp own.c -o own
export OMPP_QUIET=1 OMPP_REPORTFILE=none OMPP_PAGES=uffd OMP_NUM_THREADS=1
library=$(ldd ./own | awk '/libompp.so/ { print $3 }')
for name in own_lo own_hi data_lo data_hi; do
	nm "$library" | awk -v name="ompp_loaded_$name" '$3 == name { print $1 }' >>places
done
[ "$(wc -l <places)" = 4 ] || skip "a library without local symbols"
end=$(nm -n -S "$library" | awk '$3 ~ /^[bBdD]$/ { at = $1; bytes = $2 } END { print "0x" at " + 0x" bytes }')
# shellcheck disable=SC2004,SC2046
./own $(cat places) "$(printf %x $(($end)))" >out
# The code begins with its first page and ends in its last one.  Before the variables that the file's mapping lets write are
# those that cannot be written any more (relro); behind it are those that begin as zeros.
awk -v page="$(getconf PAGESIZE)" '
	NR == 1 { lo = $1; hi = $2 }
	NR == 2 { data_lo = $1; data_hi = $2 }
	NR == 3 { code = lo == $1 && hi <= $2 && hi > $2 - page }
	NR == 4 { data = data_lo <= $1 && data_lo > hi && data_hi > $2 && data_lo % page == 0 }
	NR == 5 { data = data && data_hi >= $1 && data_hi < $1 + page }
	END { exit !(NR == 5 && code && data) }' out || fail "own and data by libompp, then by the kernel and by nm: $(cat out)"
