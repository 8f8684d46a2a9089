/*
 * Published: see published.h.
 */
#include "runtime/host/published.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/host/clock.h"

enum { PATIENCE = 10000 }; /* looks at a value that is begun; whoever began it may have been left behind by a fork() */

struct ompp_published ompp_published;
static struct ompp_published *current = &ompp_published; /* written once, by the start of the session */

static void published_copy(char *to, const char *from, size_t n_bytes)
{
	size_t n = strnlen(from, n_bytes - 1);

	memcpy(to, from, n);
	memset(to + n, 0, n_bytes - n);
}

/* Returns where to publish, which is marked as used. */
static struct ompp_published *published_begin(void)
{
	struct ompp_published *p = __atomic_load_n(&current, __ATOMIC_ACQUIRE);

	OMPP_STORE(&p->version, (uint32_t)OMPP_PUBLISHED_VERSION);
	OMPP_STORE(&p->n_bytes, (uint32_t)sizeof(*p));
	__atomic_store_n(&p->magic, OMPP_PUBLISHED_MAGIC, __ATOMIC_RELEASE);
	return p;
}

int ompp_published_open(const char *path)
{
	long made = 0;
	struct stat st;
	int fd = ompp_sys_open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0), rc = 0;

	if (fd < 0)
		return fd;
	rc = ompp_sys_fstat(fd, &st);
	if (!rc && (!S_ISREG(st.st_mode) || st.st_uid != (uid_t)OMPP_SYS0(geteuid) || (st.st_mode & 077) ||
	            st.st_size < (off_t)sizeof(struct ompp_published)))
		rc = -EPERM;
	if (!rc) {
		made = ompp_space_map(sizeof(struct ompp_published), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		rc = made < 0 ? (int)made : 0;
	}
	ompp_sys_close(fd);
	if (!rc)
		__atomic_store_n(&current, (struct ompp_published *)made, __ATOMIC_RELEASE);
	return rc;
}

void ompp_published_tell(const struct ompp_published_layout *layout)
{
	struct ompp_published *p = published_begin();
	uint32_t pid = layout->pid;

	/* A reader takes it when the number of the process is there. */
	__atomic_store_n(&p->layout.pid, 0, __ATOMIC_SEQ_CST);
	memcpy((char *)&p->layout + sizeof(pid), (const char *)layout + sizeof(pid), sizeof(*layout) - sizeof(pid));
	__atomic_store_n(&p->layout.pid, pid, __ATOMIC_RELEASE);
}

/* Returns the state of a value, which is not BEGUN unless it stays so for long. */
static uint32_t state_of(struct ompp_published_value *v)
{
	uint32_t state = __atomic_load_n(&v->state, __ATOMIC_ACQUIRE);

	for (int i = 0; i < PATIENCE && state == OMPP_PUBLISHED_BEGUN; i++)
		state = __atomic_load_n(&v->state, __ATOMIC_ACQUIRE);
	return state;
}

/* Returns the value of this name, which a new one takes; NULL when there is no room. */
static struct ompp_published_value *value_of(struct ompp_published *p, const char *name)
{
	uint32_t hash = 5381;

	for (int i = 0; i < OMPP_PUBLISHED_NAME - 1 && name[i]; i++)
		hash = hash * 33 + (unsigned char)name[i];
	hash += hash >> 16;
	for (uint32_t i = 0; i < OMPP_PUBLISHED_VALUES; i++) {
		struct ompp_published_value *v = &p->values[(hash + i) % OMPP_PUBLISHED_VALUES];
		uint32_t state = state_of(v);

		if (state == OMPP_PUBLISHED_FREE) {
			if (__atomic_compare_exchange_n(&v->state, &state, (uint32_t)OMPP_PUBLISHED_BEGUN, 0,
			                                __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
				published_copy(v->name, name, sizeof(v->name));
				__atomic_store_n(&v->state, (uint32_t)OMPP_PUBLISHED_READY, __ATOMIC_RELEASE);
				return v;
			}
			state = state_of(v);
		}
		if (state == OMPP_PUBLISHED_READY && !strncmp(v->name, name, sizeof(v->name) - 1))
			return v;
	}
	return NULL;
}

void ompp_published_set(const char *name, int64_t number)
{
	struct ompp_published_value *v = value_of(published_begin(), name);

	if (!v)
		return;
	OMPP_STORE(&v->number, number);
	__atomic_store_n(&v->is_set, 1u, __ATOMIC_RELEASE);
}

void ompp_published_label(const char *text)
{
	struct ompp_published *p = published_begin();
	uint64_t n = __atomic_fetch_add(&p->next_label, 1, __ATOMIC_ACQ_REL);
	struct ompp_published_label *l = &p->labels[n % OMPP_PUBLISHED_LABELS];

	/* Labels that come so fast that one meets another in its place are lost. */
	if (__atomic_exchange_n(&l->is_busy, 1, __ATOMIC_ACQ_REL))
		return;
	__atomic_store_n(&l->number, 0, __ATOMIC_RELEASE);
	ompp_fence_release();
	published_copy(l->text, text, sizeof(l->text));
	OMPP_STORE(&l->monotonic_ns, (int64_t)ompp_clock_monotonic_ns());
	__atomic_store_n(&l->number, n + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&l->is_busy, 0, __ATOMIC_RELEASE);
}
