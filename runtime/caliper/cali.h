/*
 * Cali: the annotations of Caliper as user regions of kinst, in place of Caliper's own header of this name.  With
 *
 *     kinst gcc -I"$prefix/include/kinst" …
 *
 * a program whose sources have `#include <caliper/cali.h>` needs no change, and not Caliper.  Functions, regions,
 * phases and marked loops are regions by their names; iterations of loops are not told apart.  Where kinst does not
 * compile, the macros are nothing: no call, no library.
 */
#ifndef CALI_CALI_H
#define CALI_CALI_H

#ifdef __KINST__

#include <ompp.h>

#define CALI_MARK_BEGIN(name)             ompp_region_begin(name)
#define CALI_MARK_END(name)               ompp_region_end(name)
#define CALI_MARK_PHASE_BEGIN(name)       ompp_region_begin(name)
#define CALI_MARK_PHASE_END(name)         ompp_region_end(name)
#define CALI_MARK_COMM_REGION_BEGIN(name) ompp_region_begin(name)
#define CALI_MARK_COMM_REGION_END(name)   ompp_region_end(name)
#define CALI_MARK_FUNCTION_BEGIN          ompp_region_begin(__func__)
#define CALI_MARK_FUNCTION_END            ompp_region_end(__func__)
#define CALI_WRAP_STATEMENT(name, statement) \
	do { \
		ompp_region_begin(name); \
		statement; \
		ompp_region_end(name); \
	} while (0)

/* A loop is known by a word of its own, from its begin to its end in the same block. */
#define CALI_MARK_LOOP_BEGIN(loop, name) \
	const char *const ompp_cali_loop_##loop = (name); \
	ompp_region_begin(ompp_cali_loop_##loop)
#define CALI_MARK_LOOP_END(loop) ompp_region_end(ompp_cali_loop_##loop)

#ifdef __cplusplus
#define CALI_CXX_MARK_FUNCTION    ompp_cali_scope ompp_cali_function_(__func__)
#define CALI_CXX_MARK_SCOPE(name) ompp_cali_scope OMPP_JOIN_(ompp_cali_scope_, __LINE__)(name)
#define CALI_CXX_MARK_LOOP_BEGIN  CALI_MARK_LOOP_BEGIN
#define CALI_CXX_MARK_LOOP_END    CALI_MARK_LOOP_END

/* A region from here to the end of the block, however it is left. */
class ompp_cali_scope
{
	const char *name;
	ompp_cali_scope(const ompp_cali_scope &);
	ompp_cali_scope &operator=(const ompp_cali_scope &);

      public:
	explicit ompp_cali_scope(const char *its_name) : name(its_name)
	{
		ompp_region_open(name);
	}
	~ompp_cali_scope()
	{
		ompp_region_end(name);
	}
};
#endif

#else

#define CALI_MARK_BEGIN(name)             ((void)0)
#define CALI_MARK_END(name)               ((void)0)
#define CALI_MARK_PHASE_BEGIN(name)       ((void)0)
#define CALI_MARK_PHASE_END(name)         ((void)0)
#define CALI_MARK_COMM_REGION_BEGIN(name) ((void)0)
#define CALI_MARK_COMM_REGION_END(name)   ((void)0)
#define CALI_MARK_FUNCTION_BEGIN          ((void)0)
#define CALI_MARK_FUNCTION_END            ((void)0)
#define CALI_MARK_LOOP_BEGIN(loop, name)  ((void)0)
#define CALI_MARK_LOOP_END(loop)          ((void)0)
#define CALI_WRAP_STATEMENT(name, statement) \
	do { \
		statement; \
	} while (0)
#define CALI_CXX_MARK_FUNCTION               ((void)0)
#define CALI_CXX_MARK_SCOPE(name)            ((void)0)
#define CALI_CXX_MARK_LOOP_BEGIN(loop, name) ((void)0)
#define CALI_CXX_MARK_LOOP_END(loop)         ((void)0)

#endif

#define CALI_MARK_ITERATION_BEGIN(loop, i)    ((void)0)
#define CALI_MARK_ITERATION_END(loop)         ((void)0)
#define CALI_CXX_MARK_LOOP_ITERATION(loop, i) ((void)0)

#endif
