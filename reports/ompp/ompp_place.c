/*
 * Place: ompp place.  Prints where the memory of a profile's data objects should be, as the variables and options that
 * place it there, and runs the program with them.
 *
 * It selects the objects for which another layout is better (placing/placing.h), and says what share of their accesses
 * would be far with that layout, and with the others.
 */
#include "reports/show/show.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/analysis/init.h"
#include "reports/command/command_line.h"
#include "reports/ompp/nodes.h"
#include "reports/placing/numa_objects.h"
#include "runtime/base/array.h"
#include "runtime/base/search.h"
#include "runtime/base/text.h"

enum { LIST_BYTES = 65536, SHARE = 1000000000, PERCENT = 10000000 };

/* The resulting placement. */
struct placing {
	const char *file;
	struct ompp_text place;   /* OMPP_PLACE */
	struct ompp_text symbols; /* OMPP_DATA_NAME: the objects that it has to name */
	uint32_t n_found, n_placed, n_spread, n_parts;
	int binds;    /* 1 when threads have to be bound */
	int blocks;   /* 1 when blocks of memory are placed, for which OMPP_OBJECTS=all is needed */
	int is_plain; /* 1 when the program was not built by kinst: then all of its memory has one policy */
};

/* Returns how an object is to be placed, "node:1"; "" if it is to stay where it is. */
static const char *place_how(const struct ompp_numa_objects *objects, const struct ompp_numa_object *o)
{
	const char *text = o->is_to_place ? ompp_placing_text(&o->choice, o->choice.best_placed,
	                                                      objects->places.numbers, objects->analysis->arena)
	                                  : "";

	return text ? text : "";
}

static const char *place_why(const struct ompp_numa_object *o)
{
	switch (o->problem) {
	case OMPP_NUMA_ELSEWHERE:
		return "one node uses most of it, another one has it";
	case OMPP_NUMA_TURNS:
		return "nodes use it in turn: move the work, or its pages";
	case OMPP_NUMA_PAGE:
		return "one page for all: give each thread its own";
	case OMPP_NUMA_PARTS:
		return "each node uses a part, one has all";
	case OMPP_NUMA_SHARED:
		return "all nodes use all of it, one serves all";
	case OMPP_NUMA_SWAPPED:
		return "each node uses a part that others have";
	default:
		return "";
	}
}

static void print_share(int64_t share)
{
	printf("%5.1f", (double)share / PERCENT);
}

static void print_expected(int64_t share, int64_t error)
{
	print_share(share);
	printf(" %%");
	if (error > 0)
		printf(" +- %.1f", (double)(error < PERCENT / 10 ? PERCENT / 10 : error) / PERCENT);
}

/* Prints the share of far accesses with each layout, those that need changes to the program last; "-" if not known. */
static void print_ways(const struct ompp_numa_objects *objects, const struct ompp_choice *c)
{
	printf("  far by layout:");
	for (int way = 0; way < OMPP_N_WAYS; way++) {
		const char *text = ompp_placing_text(c, (enum ompp_way)way, objects->places.numbers,
		                                     objects->analysis->arena);

		printf("%s%s %s ",
		       way == OMPP_N_PLACED_WAYS ? "; by the program: "
		       : way                     ? ", "
		                                 : " ",
		       way == OMPP_WAY_NODE && text ? text : ompp_placing_name((enum ompp_way)way),
		       way == (int)c->best ? "(best)" : "");
		if (c->far[way] == OMPP_MISSING)
			printf("-");
		else if (c->far[way] > SHARE)
			printf("over 100 %%");
		else
			print_expected(c->far[way], c->error[way]);
	}
	puts("");
}

static void place_put(struct placing *p, const char *name, size_t n_name, const char *word)
{
	ompp_text_str(&p->place, p->place.n_bytes ? "," : "");
	ompp_text_strn(&p->place, name, n_name);
	ompp_text_char(&p->place, '=');
	ompp_text_str(&p->place, word);
}

/* Adds the call sites that allocate the blocks of an object.  Returns how many there are. */
static int put_blocks(struct placing *p, const struct ompp_profile *profile, uint32_t object, const char *word)
{
	int n = 0;

	for (size_t i = 0; i < profile->n_allocations; i++) {
		const char *calls = profile->allocations[i].calls;

		if (profile->allocations[i].object != object || strpbrk(calls, ",="))
			continue;
		for (; *calls; n++) {
			size_t n_bytes = strcspn(calls, " ");

			place_put(p, calls, n_bytes, word);
			calls += n_bytes + (calls[n_bytes] == ' ');
		}
	}
	p->blocks |= n > 0;
	return n;
}

/* Prints a text and blanks up to a width, at least one. */
static void print_cell(const char *text, size_t width)
{
	size_t n = ompp_text_columns(text);

	printf("%s%*s", text, n < width ? (int)(width - n + 1) : 1, "");
}

static void print_object(struct placing *p, const struct ompp_numa_objects *objects, const struct ompp_numa_object *o,
                         const char *word)
{
	const struct ompp_object *object = &objects->analysis->profile->objects[o->index];

	if (!p->n_found++)
		printf("%-24s %-20s far now  expected  why\n", "object", "place");
	print_cell(ompp_shown(object->name), 24);
	print_cell(word[0] ? word : "-", 20);
	print_share(o->share);
	printf(" %%   ");
	if (word[0])
		print_expected(o->choice.far[o->choice.best_placed], o->choice.error[o->choice.best_placed]);
	printf(word[0] ? "   %s\n" : "    -     %s\n", place_why(o));
	print_ways(objects, &o->choice);
}

static void place_take(struct placing *p, const struct ompp_numa_objects *objects, const struct ompp_numa_object *o)
{
	const struct ompp_object *object = &objects->analysis->profile->objects[o->index];
	int is_spread = o->choice.best_placed == OMPP_WAY_INTERLEAVE;
	const char *word = place_how(objects, o);

	print_object(p, objects, o, word);
	if (!word[0])
		return;
	if (object->origin == OMPP_ORIGIN_HEAP ? !put_blocks(p, objects->analysis->profile, o->index, word)
	                                       : object->origin == OMPP_ORIGIN_FILE || strpbrk(object->name, ",=")) {
		ompp_complain(object->name, "cannot be placed by its name; give it one by inst data");
		return;
	}
	p->n_placed++;
	p->n_spread += (uint32_t)is_spread;
	p->binds |= !is_spread;
	if (object->origin != OMPP_ORIGIN_HEAP)
		place_put(p, object->name, strlen(object->name), word);
	if (object->origin == OMPP_ORIGIN_SYMBOL) {
		ompp_text_str(&p->symbols, p->symbols.n_bytes ? "," : "");
		ompp_text_str(&p->symbols, object->name);
	}
}

/* Do any threads migrate, or may they run on all nodes? */
static int is_unbound(const struct ompp_profile *p)
{
	for (size_t i = 0; i < p->n_bindings; i++)
		if (p->bindings[i].n_node_moves)
			return 1;
	return 0;
}

static void print_what(const struct placing *p)
{
	if (!p->n_placed && !p->binds) {
		puts(p->n_found ? "Nothing can be placed."
		                : "Nothing is to be placed: no data object has far accesses to "
		                  "speak of, and no thread moves between nodes.");
		return;
	}
	puts("");
	puts("For a program built by kinst, in its environment:");
	if (p->n_placed)
		printf("  OMPP_PLACE='%s'\n", ompp_shown(p->place.data));
	if (p->blocks)
		puts("  OMPP_OBJECTS=all");
	if (p->symbols.n_bytes)
		printf("  OMPP_DATA_NAME='%s'\n", ompp_shown(p->symbols.data));
	if (p->binds)
		puts("  OMP_PROC_BIND=close OMP_PLACES=cores");
	if (p->n_spread && p->n_spread == p->n_placed) {
		puts("For any program:");
		puts("  numactl --interleave=all PROGRAM");
	}
	puts("To try it, and see the report of that run:");
	printf("  ompp place %s -- PROGRAM ARGUMENTS\n", ompp_shown(p->file));
}

/* Looks at all objects of a profile, and prints what is to be done unless a program follows.  Returns the exit
 * status. */
static int place_look(struct placing *p, const struct ompp_report_options *options, struct ompp_arena *arena)
{
	const struct ompp_numa_object *o;
	struct ompp_numa_objects objects;
	struct ompp_profile profile;
	struct ompp_analysis a;
	int rc;

	if (ompp_load(p->file, arena, &profile))
		return OMPP_EXIT_FAILED;
	rc = ompp_analysis_init(&a, &profile, options, arena);
	if (!rc && profile.n_numa_list < 2) {
		ompp_complain(p->file, profile.touched
		                               ? "the run was on a machine with one NUMA node, where all memory is near"
		                               : "it has no samples; run the program by ompp run --sample");
		return OMPP_EXIT_FAILED;
	}
	a.emulated = 0;
	if (!rc)
		rc = ompp_numa_objects_init(&objects, &a);
	if (rc == -ENOENT) {
		ompp_complain(p->file,
		              "it has no samples of accesses to named data; run the program by ompp run --sample");
		return OMPP_EXIT_FAILED;
	}
	if (rc) {
		ompp_complain(p->file, "not enough memory");
		return OMPP_EXIT_FAILED;
	}
	while ((o = ompp_numa_objects_next(&objects)))
		if (o->problem != OMPP_NUMA_FINE || o->is_to_place)
			place_take(p, &objects, o);
	if (objects.rc) {
		ompp_complain(p->file, "not enough memory");
		return OMPP_EXIT_FAILED;
	}
	p->binds |= is_unbound(&profile);
	print_what(p);
	return 0;
}

/* Replaces ompp by a program that was not built by kinst (exec). */
static int run_plainly(const struct placing *p, char **argv)
{
	int error;

	if (p->n_placed && ompp_nodes_bind(p->place.data))
		return OMPP_EXIT_FAILED;
	fflush(stdout);
	execvp(argv[0], argv);
	error = ompp_search_error(argv[0], errno);
	ompp_complain(argv[0], "cannot be run: %s", strerror(error));
	return error == ENOENT ? OMPP_EXIT_NOT_FOUND : OMPP_EXIT_NOT_RUN;
}

/* Runs the program with the placement.  Variables set by the user are kept. */
static int place_run(const struct placing *p, int argc, char **argv)
{
	if (p->n_placed && !getenv("OMPP_PLACE") && ompp_nodes_check(p->place.data))
		return OMPP_EXIT_FAILED;
	if (p->n_placed && setenv("OMPP_PLACE", p->place.data, 0))
		return OMPP_EXIT_FAILED;
	if (p->blocks && setenv("OMPP_OBJECTS", "all", 0))
		return OMPP_EXIT_FAILED;
	if (p->symbols.n_bytes && setenv("OMPP_DATA_NAME", p->symbols.data, 0))
		return OMPP_EXIT_FAILED;
	if (p->binds && (setenv("OMP_PROC_BIND", "close", 0) || setenv("OMP_PLACES", "cores", 0)))
		return OMPP_EXIT_FAILED;
	puts("");
	if (p->is_plain)
		return run_plainly(p, argv + 1);
	fflush(stdout);
	return ompp_run_command.run(argc, argv);
}

static const struct ompp_command_option options[] = {
	OMPP_SWITCH_ROW("plain", struct placing, is_plain,
	                "kinst did not build the PROGRAM: give all its memory one policy, which is possible if all "
	                "objects belong on one node or are interleaved"),
};

static int place_main(int argc, char **argv)
{
	static char place[LIST_BYTES], symbols[LIST_BYTES];
	struct ompp_report_options look_options = { .far_min = ompp_setting(OMPP_OPT_FAR_MIN) };
	struct placing p = { .is_plain = 0 };
	struct ompp_command_line line = ompp_command_line(&ompp_place_command, &p, argc, argv);
	struct ompp_arena arena;
	const char *mark;
	int status;

	line.has_marks = 1;
	p.file = ompp_command_next(&line);
	mark = p.file ? ompp_command_next(&line) : NULL;
	if (line.status)
		return line.status - 1;
	if (!p.file || p.file[0] == '-' || (mark && (strcmp(mark, "--") || line.i == argc))) {
		ompp_complain("place", "give a saved profile, and to run a program with its placement, -- PROGRAM");
		return OMPP_EXIT_USAGE;
	}
	ompp_text_init(&p.place, place, sizeof(place));
	ompp_text_init(&p.symbols, symbols, sizeof(symbols));
	ompp_arena_init(&arena, 0);
	status = place_look(&p, &look_options, &arena);
	ompp_arena_fini(&arena);
	return status || !mark ? status : place_run(&p, argc - line.i + 1, argv + line.i - 1);
}

const struct ompp_command ompp_place_command = {
	.name = "place",
	.suffix = "ompp",
	.usage = "[--plain] FILE [-- PROGRAM [ARGS]]",
	.brief = "suggest a placement of data on NUMA nodes, and run a program with it",
	.about = "Suggests where the data of a profile should be placed on a machine with several NUMA nodes, by\n"
		 "which means, and predicts the share of far accesses after that.  With a PROGRAM, runs it with\n"
		 "this placement, as ompp run does, and prints the new report.\n"
		 "FILE is the saved profile of a run with samples (ompp run --sample).\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 } },
	.run = place_main,
};
