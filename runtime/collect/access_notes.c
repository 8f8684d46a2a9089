/*
 * Access notes: see access_notes.h.
 */
#include "runtime/collect/access_notes.h"

#include <errno.h>
#include <string.h>

#include "runtime/access/access_member.h"
#include "runtime/access/emulated.h"
#include "runtime/base/text.h"
#include "runtime/core/session.h"
#include "runtime/data_sums/sum_members.h"
#include "runtime/sources/source.h"

enum { MOST_NAMED = 5 };

static int add_note(struct ompp_merge *c, struct ompp_profile_note *notes, size_t *n, const struct ompp_text *t)
{
	notes[*n].text = ompp_arena_strdup(c->arena, t->data);
	notes[*n].n = 0;
	return notes[(*n)++].text ? 0 : -ENOMEM;
}

/* Writes the names of at most `most` objects that are not measured, and returns how many there are.  The memory of
 * files outside of variables is not listed: no user can compile it in another way. given_up: 1 for those that were
 * given up for their cost, 0 for the others */
static size_t put_unmeasured(struct ompp_text *t, const struct ompp_profile *p, int given_up, size_t most)
{
	uint64_t hit_ns;
	size_t i, n = 0;

	for (i = OMPP_OBJECT_FIRST_NAMED; i < p->n_objects; i++) {
		if (p->objects[i].measured || p->objects[i].origin == OMPP_ORIGIN_FILE ||
		    ompp_breakpoint_given_up((uint32_t)i, &hit_ns) != given_up)
			continue;
		if (n++ < most) {
			ompp_text_str(t, n > 1 ? ", " : "");
			ompp_text_str(t, p->objects[i].name);
		}
	}
	if (n > most)
		ompp_text_str(t, ", …");
	return n;
}

/* Notes that breakpoints have lost hits, or may have lost some without notice. */
static int note_lost(struct ompp_merge *c, struct ompp_profile_note *notes, size_t *n)
{
	char text[600];
	struct ompp_text t;

	if (!ompp_breakpoint_lost(text, sizeof(text))) {
		if (!OMPP_LOAD(&ompp_breakpoints_on) || !ompp_breakpoint_may_lose())
			return 0;
		ompp_text_init(&t, text, sizeof(text));
		ompp_text_str(&t,
		              "Accesses are at least as many as shown: a virtual machine may stop breakpoints for a "
		              "while, and neither the kernel nor the program is told; compare runs, or build with "
		              "kinst --access");
	}
	t = (struct ompp_text){ .data = text, .n_bytes = strlen(text), .capacity_bytes = sizeof(text) };
	return add_note(c, notes, n, &t);
}

/* Notes which breakpoints were given up, and how to measure them nevertheless. */
static int note_given_up(struct ompp_merge *c, const struct ompp_profile *p, struct ompp_profile_note *notes, size_t *n)
{
	char text[512], names[256];
	struct ompp_text t, list;
	uint64_t hit_ns;

	ompp_text_init(&list, names, sizeof(names));
	if (!put_unmeasured(&list, p, 1, MOST_NAMED))
		return 0;
	ompp_breakpoint_given_up(0, &hit_ns);
	ompp_text_init(&t, text, sizeof(text));
	ompp_text_str(&t, "Not counted to the end: ");
	ompp_text_str(&t, names);
	ompp_text_str(&t, ": each access stops the program for ");
	ompp_text_u64(&t, (hit_ns + 999) / 1000);
	ompp_text_str(&t,
	              " us, so breakpoints were given up, and no number is shown; build it with kinst --access, or set "
	              "OMPP_DATA_METHOD=breakpoint to pay that");
	return add_note(c, notes, n, &t);
}

/* Returns why objects of a program without hooks, or with OMPP_DATA_METHOD=none, have no counts. */
static const char *why_not_counted(void)
{
	const char *method = ompp_session.options.text[OMPP_OPT_DATA_METHOD];

	if (!strcmp(method, "none"))
		return ": OMPP_DATA_METHOD=none asks for no counts";
	if (!strcmp(method, "hooks"))
		return ": the program has no access hooks; build it with kinst --access";
	if (!strcmp(method, "auto") && ompp_breakpoint_may_lose())
		return ": the program has no access hooks; build it with kinst --access (OMPP_DATA_METHOD=breakpoint "
		       "counts 4 words at most, where a virtual machine loses no trap)";
	return ": the program has no access hooks, and breakpoints cover 4 words at most; build it with kinst --access";
}

/* Notes which objects are not counted. */
static int note_uncounted(struct ompp_merge *c, const struct ompp_profile *p, struct ompp_profile_note *notes,
                          size_t *n)
{
	char text[512], names[256];
	struct ompp_text t, list;

	ompp_text_init(&t, text, sizeof(text));
	ompp_text_init(&list, names, sizeof(names));
	if (!put_unmeasured(&list, p, 0, MOST_NAMED))
		return 0;
	ompp_text_str(&t, "Not counted: ");
	ompp_text_str(&t, names);
	ompp_text_str(&t, p->hooked ? ": constant data, whose reads compilers do not all hook; build it without const"
	                            : why_not_counted());
	return add_note(c, notes, n, &t);
}

/* Notes how many files have no access hooks. */
static int note_unhooked(struct ompp_merge *c, struct ompp_profile_note *notes, size_t *n)
{
	const struct ompp_session *s = &ompp_session;
	char text[512];
	struct ompp_text t;

	if (!s->n_unhooked)
		return 0;
	ompp_text_init(&t, text, sizeof(text));
	ompp_text_u64(&t, s->n_unhooked);
	ompp_text_str(&t, " of ");
	ompp_text_u64(&t, s->n_hooked + s->n_unhooked);
	ompp_text_str(&t, " files are built without access hooks, and what they access is not counted (");
	ompp_text_str(&t, s->unhooked ? s->unhooked : "");
	ompp_text_str(&t, "); build them with kinst --access");
	return add_note(c, notes, n, &t);
}

/* Notes which accesses the hooks do not see. */
static int note_unseen(struct ompp_merge *c, struct ompp_profile_note *notes, size_t *n)
{
	const char *uncounted = ompp_session.uncounted;
	char text[512];
	struct ompp_text t;

	if (uncounted && uncounted[0]) {
		ompp_text_init(&t, text, sizeof(text));
		ompp_text_str(&t, "Some accesses have no hooks, and are not counted: ");
		ompp_text_str(&t, uncounted);
		if (add_note(c, notes, n, &t))
			return -ENOMEM;
	}
	ompp_text_init(&t, text, sizeof(text));
	ompp_text_str(&t, "Accesses are those of the program's own code: what libraries do (BLAS, I/O, the Fortran "
	                  "library) is not seen, but for copies and strings of the C library");
	return add_note(c, notes, n, &t);
}

static int add_uncounted(struct ompp_merge *c, struct ompp_profile_note *notes, size_t *n, struct ompp_uncounted u,
                         const char *why)
{
	char text[512];
	struct ompp_text t;

	if (!u.n_accesses)
		return 0;
	ompp_text_init(&t, text, sizeof(text));
	ompp_text_u64(&t, u.n_accesses);
	ompp_text_str(&t, " accesses are not counted, as they ");
	ompp_text_str(&t, why);
	ompp_text_str(&t, " (threads: ");
	ompp_text_u64(&t, u.n_threads);
	ompp_text_str(&t, ")");
	return add_note(c, notes, n, &t);
}

/* Appends how many bytes calls moved. */
static void append_moved(struct ompp_text *t, const struct ompp_moved *moved)
{
	ompp_text_u64(t, moved->n_bytes);
	ompp_text_str(t, " bytes (calls: ");
	ompp_text_u64(t, moved->n_calls);
	ompp_text_str(t, ")");
}

/* Notes what emulation does not count. */
static int note_emulated(struct ompp_merge *c, struct ompp_profile_note *notes, size_t *n)
{
	const struct ompp_emulation *e = ompp_emulated_uncounted();
	char text[512];
	struct ompp_text t;

	ompp_text_init(&t, text, sizeof(text));
	ompp_text_str(&t, "Accesses are those of the program and of all its libraries from when libompp starts; what "
	                  "the kernel reads and writes in system calls is not counted among them: by read and its "
	                  "like it wrote ");
	append_moved(&t, &e->filled);
	ompp_text_str(&t, ", and by write and its like it read ");
	append_moved(&t, &e->drained);
	if (add_note(c, notes, n, &t))
		return -ENOMEM;
	if (add_uncounted(c, notes, n, e->unmet, "are those of threads that met no construct"))
		return -ENOMEM;
	return add_uncounted(c, notes, n, e->late,
	                     "came after a thread's last event, or faster than they could be counted");
}

/* Notes how many accesses to structures have no member, and why. */
static int note_memberless(struct ompp_merge *c, struct ompp_profile_note *notes, size_t *n, uint64_t n_accesses,
                           const char *why)
{
	char text[512];
	struct ompp_text t;

	if (!n_accesses)
		return 0;
	ompp_text_init(&t, text, sizeof(text));
	ompp_text_u64(&t, n_accesses);
	ompp_text_str(&t, " accesses to structures are not counted by members: ");
	ompp_text_str(&t, why);
	return add_note(c, notes, n, &t);
}

/* Notes that members of whole objects were left out. */
static int note_unfit(struct ompp_merge *c, const struct ompp_profile *p, struct ompp_profile_note *notes, size_t *n)
{
	struct ompp_members_unfit unfit = ompp_members_unfit(c);
	char why[400];
	struct ompp_text t;

	if (!unfit.n_objects)
		return 0;
	ompp_text_init(&t, why, sizeof(why));
	ompp_text_u64(&t, unfit.n_unfit);
	ompp_text_str(&t, " of them, of 2 to 8 bytes, begin or end within members, so other things than structures are "
	                  "in the "
	                  "memory (a pool, or several types from one call) of ");
	if (unfit.n_objects > 1) {
		ompp_text_u64(&t, unfit.n_objects - 1);
		ompp_text_str(&t, unfit.n_objects > 2 ? " other objects and " : " other object and ");
	}
	ompp_text_str(&t, p->objects[unfit.object].name); /* the last, as it may be cut */
	return note_memberless(c, notes, n, unfit.n_all, t.data);
}

/* Notes that members of structures lack accesses. */
static int note_members(struct ompp_merge *c, const struct ompp_profile *p, struct ompp_profile_note *notes, size_t *n)
{
	int rc = note_memberless(c, notes, n, ompp_access_members_lost(),
	                         "there was no room for so many different places, nobody could be asked what the "
	                         "structure is, or another thread had freed the memory before they were counted");

	rc = rc ? rc : note_unfit(c, p, notes, n);
	return rc ? rc
	          : note_memberless(c, notes, n, ompp_access_members_unlike(),
	                            "their blocks are not a whole number of structures: a header before the data, or "
	                            "several types from one call");
}

int ompp_collect_access_notes(struct ompp_merge *c, const struct ompp_profile *p, struct ompp_profile_note *notes,
                              size_t *n)
{
	if (!p->n_objects)
		return 0;
	if (note_uncounted(c, p, notes, n) || note_members(c, p, notes, n))
		return -ENOMEM;
	if (ompp_emulated_is_on())
		return note_emulated(c, notes, n);
	if (p->hooked)
		return note_unhooked(c, notes, n) || note_unseen(c, notes, n) ? -ENOMEM : 0;
	return note_given_up(c, p, notes, n) || note_lost(c, notes, n) ? -ENOMEM : 0;
}
