/*
 * Forks: see forks.h.
 */
#include "runtime/collect/forks.h"

#include "runtime/access/access_interchange.h"
#include "runtime/access/access_member.h"
#include "runtime/access/access_sample.h"
#include "runtime/access/emulated.h"
#include "runtime/base/filter.h"
#include "runtime/collect/dump.h"
#include "runtime/core/helper_thread.h"
#include "runtime/core/region.h"
#include "runtime/core/section.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/site.h"
#include "runtime/data/tracked.h"
#include "runtime/events/thread_start.h"
#include "runtime/host/note.h"
#include "runtime/host/past.h"
#include "runtime/host/real.h"
#include "runtime/memory/touch.h"
#include "runtime/ranges/range.h"
#include "runtime/session/lock_def.h"
#include "runtime/sources/sampling.h"

static void before_fork(void)
{
	ompp_sampling_before_fork();
	ompp_touches_before_fork();
	ompp_ranges_before_fork();
}

static void after_fork_in_parent(void)
{
	ompp_ranges_after_fork();
}

static void after_fork(void)
{
	ompp_filter_begin();
	ompp_helper_threads_after_fork();
	ompp_ranges_after_fork();
	ompp_ranges_in_child();
	ompp_session_after_fork();
	ompp_regions_after_fork();
	ompp_lock_defs_after_fork();
	ompp_note_reset();
	ompp_threads_after_fork();
	ompp_access_members_after_fork();
	ompp_access_interchange_after_fork();
	ompp_sampling_after_fork();
	ompp_access_sample_after_fork();
	ompp_emulated_after_fork();
	ompp_sites_after_fork();
	ompp_tracked_after_fork();
	ompp_sections_after_fork();
	ompp_past_after_fork();
	ompp_dump_after_fork();
}

void ompp_forks_watch(void)
{
	if (ompp_real()->register_atfork)
		ompp_real()->register_atfork(before_fork, after_fork_in_parent, after_fork, NULL);
}
