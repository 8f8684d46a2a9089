/*
 * Prologue: see prologue.h.
 */
#include "opari/data/prologue.h"

#include "opari/data/data.h"
#include "runtime/base/array.h"

#define HANDLE "POMP2_Region_handle *"
#define TASK   "POMP2_Task_handle"
#define CTC    "const char *"

/* The entry points by their parameters.  Locks are void *, as omp_lock_t is known only behind omp.h. */
static const struct {
	const char *type, *parameters;
	const char *names[24];
} entries[] = {
	{ "void", "void", { "POMP2_Init", "POMP2_Finalize", "POMP2_Off", "POMP2_On", "ompp_loop_iteration" } },
	{ "void", HANDLE, { "POMP2_Atomic_exit", "POMP2_Critical_begin",  "POMP2_Critical_end", "POMP2_Critical_exit",
	                    "POMP2_Flush_exit",  "POMP2_For_exit",        "POMP2_Master_end",   "POMP2_Parallel_end",
	                    "POMP2_Section_end", "POMP2_Sections_exit",   "POMP2_Single_begin", "POMP2_Single_end",
	                    "POMP2_Single_exit", "POMP2_Ordered_begin",   "POMP2_Ordered_end",  "POMP2_Ordered_exit",
	                    "POMP2_Task_end",    "POMP2_Untied_task_end", "POMP2_End",          "ompp_taskgroup_ends",
	                    "ompp_loop_iterates" } },
	{ "void",
	  HANDLE ", " CTC,
	  { "POMP2_Atomic_enter", "POMP2_Critical_enter", "POMP2_Flush_enter", "POMP2_For_enter", "POMP2_Master_begin",
	    "POMP2_Section_begin", "POMP2_Sections_enter", "POMP2_Single_enter", "POMP2_Ordered_enter",
	    "POMP2_Begin" } },
	{ "void", HANDLE ", " TASK " *", { "POMP2_Implicit_barrier_enter" } },
	{ "void", HANDLE ", " TASK " *, " CTC, { "POMP2_Barrier_enter", "POMP2_Taskwait_begin" } },
	{ "void",
	  HANDLE ", " TASK,
	  { "ompp_parallel_begin", "POMP2_Parallel_join", "POMP2_Barrier_exit", "POMP2_Implicit_barrier_exit",
	    "POMP2_Taskwait_end", "POMP2_Task_begin", "POMP2_Task_create_end", "POMP2_Untied_task_begin",
	    "POMP2_Untied_task_create_end" } },
	{ "void", HANDLE ", int, int, " TASK " *, " CTC, { "POMP2_Parallel_fork" } },
	{ "void",
	  HANDLE ", " TASK " *, " TASK " *, int, " CTC,
	  { "POMP2_Task_create_begin", "POMP2_Untied_task_create_begin" } },
	{ "void", HANDLE ", long long, long long", { "ompp_target_maps" } },
	{ "int", "void", { "POMP2_Lib_get_max_threads", "ompp_has_others" } },
	{ HANDLE, HANDLE ", " TASK ", " TASK " *", { "ompp_iteration_begun" } },
	{ "void", TASK ", int, const void *", { "ompp_task_depends" } },
	{ "void", HANDLE "*", { "ompp_task_left" } },
	{ "void",
	  "void *",
	  { "POMP2_Init_lock", "POMP2_Destroy_lock", "POMP2_Set_lock", "POMP2_Unset_lock", "POMP2_Init_nest_lock",
	    "POMP2_Destroy_nest_lock", "POMP2_Set_nest_lock", "POMP2_Unset_nest_lock" } },
	{ "int", "void *", { "POMP2_Test_lock", "POMP2_Test_nest_lock" } },
	{ "void", CTC ", void *", { "ompp_init_lock", "ompp_set_lock", "ompp_init_nest_lock", "ompp_set_nest_lock" } },
	{ "int", CTC ", void *", { "ompp_test_lock", "ompp_test_nest_lock" } },
};

/* The mode is the one spelling of int64_t that needs neither a header nor the preprocessor. */
void kinst_prologue(struct kinst_text *out, int cxx)
{
	kinst_text_puts(out, cxx ? "extern \"C\" { " : "");
	kinst_text_puts(out, "typedef void *OPARI2_Region_handle; typedef OPARI2_Region_handle POMP2_Region_handle; "
	                     "typedef int POMP2_Task_handle __attribute__((__mode__(__DI__)));\n");
	for (size_t i = 0; i < OMPP_COUNT_OF(entries); i++)
		for (const char *const *name = entries[i].names; *name; name++)
			kinst_text_printf(out, "extern __attribute__((__nothrow__)) %s %s(%s);\n", entries[i].type,
			                  *name, entries[i].parameters);
	kinst_text_puts(out, cxx ? "}\n" : "");
}

/*
 * Adds the code that finds the data of containers: of a class with data() and size() the range of its data, with
 * capacity() that of its memory.  Implausible values, as from a destroyed container, mean no memory.  A flag says that
 * the elements are containers, too.
 */
static void put_containers(struct kinst_text *out)
{
	kinst_text_puts(
		out,
		"template <typename T> struct __kinst_void { typedef void type; };\n"
		"template <typename T, typename = void> struct __kinst_room "
		"{ static __kinst_size of(T &c) { return (__kinst_size)c.size(); } };\n"
		"template <typename T> struct __kinst_room<T, typename __kinst_void<__decltype("
		"((T *)0)->capacity() + 0)>::type> { static __kinst_size of(T &c) "
		"{ return (__kinst_size)c.size() > (__kinst_size)c.capacity() ? 0 : (__kinst_size)c.capacity(); } };\n"
		"template <typename T, typename = void> struct __kinst_contents "
		"{ enum { yes = 0, flags = 0 }; static __kinst_look *look() { return 0; } };\n"
		"template <typename T> struct __kinst_contents<T, typename __kinst_void<__decltype("
		"sizeof(*((T *)0)->data()) + ((T *)0)->size())>::type> { "
		"typedef __typeof__(*((T *)0)->data()) element; "
		"enum { yes = 1, flags = __kinst_contents<element>::yes && !__is_trivially_copyable(element) ? ");
	kinst_text_printf(out, "%d", KINST_DATA_NESTED);
	kinst_text_puts(out,
	                " : 0 }; "
	                "__attribute__((__no_instrument_function__)) "
	                "static void see(const void *object, const void **data, __kinst_size *n_bytes) "
	                "{ T &c = *(T *)object; *data = (const void *)(const volatile void *)c.data(); "
	                "*n_bytes = (__kinst_size)*data % __alignof__(element) ? 0 : __kinst_room<T>::of(c) * "
	                "sizeof(element); } __attribute__((__no_instrument_function__)) static __kinst_look *look() "
	                "{ return see; } };\n");
}

/*
 * In C++ the size of what a mere pointer, or an object that owns memory elsewhere, refers to is not that of its type:
 * the incomplete class turns this into a compiler error.
 */
void kinst_prologue_data(struct kinst_text *out, int cxx)
{
	static const char *const qualifiers[] = { "", "const", "volatile", "const volatile" };

	kinst_text_puts(out, cxx ? "extern \"C\" { " : "");
	kinst_text_puts(out,
	                "extern __attribute__((__nothrow__)) const void *ompp_data_enter(const void *, "
	                "__typeof__(sizeof 0), const char *, int);\n"
	                "extern __attribute__((__nothrow__)) void ompp_data_leave(const void **);\n"
	                "typedef __typeof__(sizeof 0) __kinst_size;\n"
	                "typedef void __kinst_look(const void *, const void **, __kinst_size *);\n"
	                "extern __attribute__((__nothrow__)) const void *ompp_data_follow(const void *, __kinst_size, "
	                "__kinst_look *, const char *, int);\n"
	                "extern __attribute__((__nothrow__)) void ompp_data_end(const char *);\n");
	if (!cxx)
		return;
	kinst_text_puts(out, "}\n"
	                     "template <bool> struct inst_data_without_bytes;\n"
	                     "template <> struct inst_data_without_bytes<true> { enum { are_known = 1 }; };\n"
	                     "template <typename T> struct __kinst_sized "
	                     "{ enum { yes = __is_trivially_copyable(T) }; };\n");
	for (size_t i = 0; i < OMPP_COUNT_OF(qualifiers); i++)
		kinst_text_printf(out, "template <typename T> struct __kinst_sized<T *%s> { enum { yes = 0 }; };\n",
		                  qualifiers[i]);
	put_containers(out);
}
