/*
 * Publish: see publish.h.
 */
#include "runtime/events/publish.h"

#include <stddef.h>

#include "runtime/base/sys.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/host/published.h"

_Static_assert(offsetof(struct ompp_callnode, ticks) == offsetof(struct ompp_callnode, n) + sizeof(uint64_t),
               "a watcher reads both at once");

void ompp_publish_layout(void)
{
	struct ompp_published_layout layout = {
		.pid = (uint32_t)ompp_sys_getpid(),
		.clock = (uint32_t)ompp_clock_kind,
		.start_raw_ticks = ompp_session.start.raw_ticks,
		.start_ns = ompp_session.start.monotonic_ns,
		.threads = (uintptr_t)ompp_threads,
		.n_threads = (uintptr_t)&ompp_n_threads,
		.thread_top = offsetof(struct ompp_thread, top),
		.thread_newest = offsetof(struct ompp_thread, graph) + offsetof(struct ompp_callgraph, newest),
		.frame_node = offsetof(struct ompp_frame, node),
		.node_key = offsetof(struct ompp_callnode, key),
		.node_older = offsetof(struct ompp_callnode, older),
		.node_n = offsetof(struct ompp_callnode, n),
		.node_ticks = offsetof(struct ompp_callnode, ticks),
		.region_construct = offsetof(struct ompp_region_def, construct),
		.region_file = offsetof(struct ompp_region_def, file),
		.region_begin = offsetof(struct ompp_region_def, begin_line),
		.region_name = offsetof(struct ompp_region_def, name),
	};
	const void *number;

	layout.regions = (uintptr_t)ompp_region_pages(&layout.regions_a_page, &number);
	layout.n_regions = (uintptr_t)number;
	ompp_published_tell(&layout);
}
