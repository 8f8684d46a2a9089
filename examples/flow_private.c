/*
 * Flow private: which objects are used by one thread alone, but on another NUMA node than they lie on?  The answer is in
 * a trace, which OMPP_TRACE=1 with OMPP_SAMPLE=auto writes (a machine with several nodes, samples of the processor):
 *   cc flow_private.c $(pkg-config --cflags --libs ompp-flow) -o flow_private && ./flow_private prog.4-0.ompp.flow
 */
#include <ompp_flow.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct ompp_flow *flow;
	struct ompp_flow_event e;

	if (ompp_flow_open(&flow, argc > 1 ? argv[1] : ""))
		return fprintf(stderr, "%s\n", ompp_flow_message()) > 0;
	for (uint32_t o = 0; o < ompp_flow_n_objects(flow); o++) {
		struct ompp_flow_filter f = ompp_flow_all();
		unsigned int n = 0, n_far = 0, n_others = 0, user = 0;

		f.kinds = 1u << OMPP_FLOW_ACCESS;
		f.object = o;
		for (size_t at = 0; ompp_flow_next(flow, &f, &at, &e); user = e.thread, n++) {
			n_others += n && e.thread != user;
			n_far += e.node != OMPP_FLOW_NONE && e.home != OMPP_FLOW_NONE && e.node != e.home;
		}
		if (n_far && !n_others)
			printf("%s: thread %u alone, %u of %u samples from another node\n",
			       ompp_flow_object(flow, o)->name, user, n_far, n);
	}
	ompp_flow_close(flow);
	return 0;
}
