/*
 * Auxv: see auxv.h.
 */
#include "runtime/base/auxv.h"

#include <elf.h>
#include <link.h>

#include "runtime/base/proc.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"

enum { MOST = 64, LEAST_PAGE_BYTES = 4096 };

static const ElfW(auxv_t) * vector; /* NULL: not looked for; ends with AT_NULL */
static ElfW(auxv_t) copy[MOST];     /* of /proc/self/auxv */

/* The kernel puts arguments, environment and auxiliary vector one behind the other; setenv() may have moved the
 * environment since. */
void ompp_auxv_start(int argc, char **argv, char **envp)
{
	if (!argv || envp != argv + argc + 1)
		return;
	while (*envp)
		envp++;
	OMPP_STORE(&vector, (const ElfW(auxv_t) *)(envp + 1));
}

/* Two threads may read the file at once; they write the same. */
static const ElfW(auxv_t) * read_vector(void)
{
	int fd = ompp_proc_open("auxv", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		ompp_sys_read(fd, copy, sizeof(copy) - sizeof(copy[0]));
		ompp_sys_close(fd);
	}
	OMPP_STORE(&vector, copy);
	return copy;
}

static const ElfW(auxv_t) * find(unsigned long type)
{
	const ElfW(auxv_t) *v = OMPP_LOAD(&vector);

	for (v = v ? v : read_vector(); v->a_type != AT_NULL; v++)
		if (v->a_type == type)
			return v;
	return NULL;
}

unsigned long ompp_auxv(unsigned long type)
{
	const ElfW(auxv_t) *v = find(type);

	return v ? v->a_un.a_val : 0;
}

size_t ompp_page_bytes(void)
{
	size_t n = ompp_auxv(AT_PAGESZ);

	return n ? n : LEAST_PAGE_BYTES;
}

int ompp_is_secure(void)
{
	const ElfW(auxv_t) *v = find(AT_SECURE);

	if (v)
		return v->a_un.a_val != 0;
	return OMPP_SYS0(getuid) != OMPP_SYS0(geteuid) || OMPP_SYS0(getgid) != OMPP_SYS0(getegid);
}
