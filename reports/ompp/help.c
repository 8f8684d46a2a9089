/*
 * Help: what the commands do.  The options of run come from the table of options.
 */
#include "reports/ompp/ompp.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "reports/report.h"
#include "runtime/base/array.h"
#include "runtime/base/option.h"

static const char general[] =
	"Usage: ompp COMMAND ...\n"
	"\n"
	"  run [OPTIONS] PROGRAM [ARGS]   run a program built by kinst, then print its report\n"
	"  report [OPTIONS] FILE...       print the report of a saved profile (.ompp), or of all ranks of an MPI run\n"
	"  diff [OPTIONS] A... -- B...    what changed between the runs of two versions\n"
	"  tui [OPTIONS] FILE...          the same in the terminal, to go through: sort, search, open\n"
	"  annotate [OPTIONS] FILE        the source, with what a saved profile says of its lines\n"
	"  scaling [OPTIONS] FILE...      how the time depends on the number of threads, and what limits it\n"
	"  regions FILE                   list the regions in a program, object, library or saved profile\n"
	"  objects [OPTIONS] FILE         list the data of a program or library that OMPP_DATA_NAME can name\n"
	"  counters [OPTIONS] [NAME...]   list what this machine can count, or explain names of counters\n"
	"  place FILE [-- PROGRAM]        where data should be on a machine with NUMA nodes, and a run with it there\n"
	"  flow [OPTIONS] FILE...         what traces of memory accesses say (OMPP_TRACE=1)\n"
	"  pages [OPTIONS] FILE           which thread used which page of memory, when (OMPP_PAGES=auto)\n"
	"  sensors [OPTIONS] [NAME...]    list what of this machine can be read over time\n"
	"  stat [OPTIONS] [-- PROGRAM]    what the machine does, a line each second; with a PROGRAM while that runs\n"
	"  record [OPTIONS] [-- PROGRAM]  the same into a file, which 'ompp stat FILE' shows\n"
	"  live [OPTIONS] [-- PROGRAM]    the same as a page in a browser; or of such a FILE\n"
	"  export [OPTIONS] FILE          CSV, or NUMAscope's form, of such a file\n"
	"  help [COMMAND | variables]     more about a command; all OMPP_ variables\n"
	"  --version                      the version\n";

static const char run[] =
	"Usage: ompp run [OPTIONS] PROGRAM [ARGS]\n"
	"\n"
	"Runs the program, then prints the report on standard output.  The exit status is the program's.\n"
	"--threads=1,2,4 runs it with each of these numbers of threads, --runs=N times each, and shows how its time\n"
	"depends on that ('ompp help scaling').\n"
	"Every OMPP_ variable is an option, for instance --dump-interval=5 for OMPP_DUMP_INTERVAL=5;\n"
	"--data=a,b is short for --data-name=a,b:\n"
	"\n"
	"  --outformat=html, alone or in a list\n"
	"      write a page of the report for browsers beside the profile, after the run\n"
	"  --progress\n"
	"      while the program runs, a line on the terminal: the time, and the regions that take most of it\n"
	"  --color\n"
	"      colours in the report: on a terminal (auto, without NO_COLOR), always, or never\n";

static const char report[] =
	"Usage: ompp report [OPTIONS] FILE...\n"
	"\n"
	"  --format=FORMAT    ALL_FORMATS;\n"
	"                     html is a page for browsers; json for scripts, folded for flame graphs,\n"
	"                     speedscope for that viewer and callgrind for KCachegrind have the whole profile\n"
	"  --color=WHEN       colours on a terminal (auto, without NO_COLOR), always, or never\n"
	"  --source           put the source files that are found into the page\n"
	"  --view=LIST        sections: VIEWS\n"
	"                     all is all of them, which is the default where the output is no terminal\n"
	"  --region=LIST      only these regions: R00004, FILE, FILE:LINE or a name\n"
	"  --sort=KEY         regions by id, time, count or name\n"
	"  --top=N            only the first N regions (by time, or as --sort says), properties, lines of samples\n"
	"  --rows=N           of text: at most N rows of threads in a section (default 20000; all), of what takes most "
	"time\n"
	"  --property-min=N   only properties with a severity of N per cent or more (default OMPP_PROPERTY_MIN, 1)\n"
	"  --far-min=N        NUMA properties of data with N per cent of far accesses or more (default OMPP_FAR_MIN, "
	"10)\n"
	"  --object=LIST      only these data objects, by their names\n"
	"  --instances        of data objects that are many blocks, those that stand out, with counts of their own\n"
	"  --numa=WORD        the machine's NUMA nodes (auto), or so many imagined ones (emulate:4)\n"
	"  --merge            add up profiles that are not the ranks of one MPI run\n"
	"  --columns=all      in the text of the profiles all columns of data objects, as in CSV\n";

static const char tui[] =
	"Usage: ompp tui [OPTIONS] FILE...\n"
	"\n"
	"Shows the report of a saved profile (.ompp), or of all ranks of an MPI run, on the terminal, to go through:\n"
	"sections, regions as a tree and as a list, the threads of a region, data objects, the source.  ? lists the\n"
	"keys, q ends.  Without colours with NO_COLOR.\n"
	"\n"
	"  --region=LIST      only these regions, as in ompp report\n"
	"  --object=LIST      only these data objects\n"
	"  --instances        of data objects that are many blocks, those that stand out\n"
	"  --property-min=N   only properties with a severity of N per cent or more (default OMPP_PROPERTY_MIN, 1)\n"
	"  --numa=WORD        the machine's NUMA nodes (auto), or so many imagined ones (emulate:4)\n"
	"  --columns=all      all columns of data objects\n"
	"  --merge            add up profiles that are not the ranks of one MPI run\n";

static const char diff[] =
	"Usage: ompp diff [OPTIONS] A... -- B...\n"
	"       ompp diff [OPTIONS] A B\n"
	"\n"
	"Says what changed between the runs of two versions of a program, A and B, whose saved profiles (.ompp) are\n"
	"given.  Regions are the same by their names, or by their constructs and order in a file, although lines "
	"moved; data objects by their names, in the order of their lines.\n"
	"Several runs of each side tell a change from chance: by Welch's t-test, corrected by Holm's method.  The MPI\n"
	"ranks of each run are added up where their files are given.\n"
	"\n"
	"  --format=FORMAT    FORMATS, json, html (a page of one file, for a browser)\n"
	"  --top=N            only the first N rows of each table of text (default 10; 0: all)\n"
	"  --object=LIST      only these data objects, by their names in A or B\n"
	"  --instances        of data objects that are many blocks, those that stand out, by their numbers\n"
	"  --level=N          level of significance (default 0.05)\n"
	"  --fail-over=N%     exit status 3 when something became worse by more than N per cent, and surely where\n"
	"                     there are several runs: the wall time, or the time of a region\n"
	"  --fail-on=LIST     what that may be: program (its wall time), times (execT of regions), classes, counts,\n"
	"                     counters, data, instances (default program,times)\n";

static const char annotate[] =
	"Usage: ompp annotate [OPTIONS] FILE\n"
	"\n"
	"Prints the source of the program whose saved profile (.ompp) the FILE is, as far as it is found where it was\n"
	"compiled, with numbers beside its lines: of all threads in the regions that begin there execT, its share of\n"
	"all threads' time, waiting and how often; counters; accesses to data and modelled misses there; samples of\n"
	"accesses by the line itself, and pages that it touched first.\n"
	"\n"
	"  --file=NAME        this source file alone, by the end of its path\n"
	"  --region=LIST      only these regions, as in ompp report\n"
	"\n"
	"These three choose what stands beside the lines; without them it is all of it:\n"
	"\n"
	"  --object=LIST      accesses to these data objects, modelled misses and samples of them\n"
	"  --counter=LIST     these counters, by their names in the report\n"
	"  --samples          samples by line, with their share of all, and first touches; of the objects of\n"
	"                     --object alone where that is given, too\n"
	"\n"
	"  --all              all lines; without it those with numbers, and three before and behind\n"
	"  --format=FORMAT    FORMATS; for programs the lines with numbers alone\n";

static const char scaling[] =
	"Usage: ompp scaling [OPTIONS] FILE...\n"
	"\n"
	"Says from the saved profiles (.ompp) of runs with several numbers of threads how the time of a program and "
	"of\n"
	"its regions depends on that: speed-up, efficiency, overheads, the serial fraction by Amdahl's law with its\n"
	"error, the part that limits, and what more threads would give.  'ompp run --threads=1,2,4 PROGRAM' makes the\n"
	"runs.  With --size it says how the time depends on the size of the problem: with which power of it the time\n"
	"of the program and of each part grows, and how long larger ones would take.\n"
	"\n"
	"  --size=N           the size of the problem in the runs that follow: --size=1000 a.ompp --size=2000 b.ompp\n"
	"  --format=FORMAT    FORMATS, json, html (a page of one file, for a browser)\n"
	"  --top=N            only the N parts of text that limit most (default 10; 0: all)\n";

static const char regions[] =
	"Usage: ompp regions FILE\n"
	"\n"
	"Lists the OpenMP constructs and user regions that were instrumented, as file:first-last construct name, and "
	"those\n"
	"that kinst could not instrument, with the reason.\n"
	"FILE is a program, object file, archive or shared library built by kinst, or a saved profile.\n";

static const char objects[] =
	"Usage: ompp objects [OPTIONS] FILE\n"
	"\n"
	"Lists the global and static data of a program or shared library, largest first, by the names that\n"
	"OMPP_DATA_NAME and 'ompp run --data' take.  A name may be shortened while it stays unique.\n"
	"\n"
	"  --format=FORMAT    FORMATS\n"
	"  --min-bytes=N      only data of at least N bytes (K M G)\n";

static const char counters[] =
	"Usage: ompp counters [OPTIONS] [NAME...]\n"
	"\n"
	"Without NAMEs, lists the counters that OMPP_CTR and 'ompp run --ctr' take and this machine counts, by their\n"
	"sources, after trying each of them; and what it does not count, with the reason.\n"
	"With NAMEs, tells what these mean and whether they count here.\n"
	"Names with @ are ready groups.\n"
	"\n"
	"  --all              also the names of what is not counted here\n"
	"  --format=FORMAT    FORMATS\n";

static const char place[] =
	"Usage: ompp place [--plain] FILE [-- PROGRAM ARGUMENTS...]\n"
	"\n"
	"Says where the data of a profile should be on a machine with several NUMA nodes, how, and what share of\n"
	"its accesses will be far then.  With a PROGRAM, runs it so, as ompp run does, and shows that run's report.\n"
	"FILE is the saved profile of a run with samples (ompp run --sample).\n"
	"\n"
	"  --plain            the PROGRAM is not built by kinst: all of its memory gets one policy, which is\n"
	"                     possible where all objects are to be on one node, or interleaved\n";

static const char flow[] =
	"Usage: ompp flow [OPTIONS] FILE...\n"
	"\n"
	"Says what a trace of memory accesses (.ompp.flow), which OMPP_TRACE=1 writes, has of objects,\n"
	"pages, functions and threads.  What the options choose is all that is looked at.  Several files, a\n"
	"folder or a 'pattern*' are the processes of one program: threads and memory of each are apart,\n"
	"objects and regions of one name are one, and times are by one clock.\n"
	"\n"
	"  --view=VIEW        objects (the default), object, pages, functions, overlap, private,\n"
	"                     migrations, latency, time (latency over time), paths, processes, events,\n"
	"                     instances (blocks of a call path; or --instances), layouts (where objects would\n"
	"                     best be, as ompp place says)\n"
	"  --slices=N         into how many parts --view=time divides the time (20)\n"
	"  --format=FORMAT    FORMATS, json, html (a page of one file, for a browser)\n"
	"  --top=N            only the first N lines\n"
	"  --object=NAME, --region=FILE:LINE (or its name, file or construct), --function=PART OF A NAME\n"
	"  --process=PID, --thread=N, --allocator=N      accesses of a process; of a thread; to memory that a\n"
	"                     thread allocated\n"
	"  --node=N, --home=N             accesses from, and to, a NUMA node\n"
	"  --numa=WORD        the machine's NUMA nodes (auto), or so many imagined ones (emulate:4)\n"
	"  --kind=LIST        loads, stores, touches, allocations, frees, changes, migrations\n"
	"  --level=LIST       L1, LFB, L2, L3, L4, cache, peer$, remote$, local, remote, persist, CXL, I/O,\n"
	"                     uncached, unknown\n"
	"  --mode=MODE        user or kernel\n"
	"  --time=FROM:TO     seconds of the run\n"
	"  --latency=LEAST:MOST, --address=FIRST:LAST\n"
	"  --sql=FILE         write all of it into a new SQLite database, whose tables are in ompp(1)\n"
	"  --chrome=FILE      write the regions and events for Perfetto and chrome://tracing (JSON)\n"
	"  --compress=FILE    write a compressed copy of the trace, which ompp flow reads as well\n";

static const char pages[] =
	"Usage: ompp pages [OPTIONS] FILE\n"
	"\n"
	"Says what a trace of pages (.ompp.pages), which OMPP_PAGES=auto writes, has of objects, regions, pages and\n"
	"threads.  What the options choose is all that is looked at.\n"
	"\n"
	"  --view=VIEW        objects (the default), regions, pages, history, time (the working set), heat (pages and\n"
	"                     times), threads (pages and threads), sharing (threads that use the same pages), nodes\n"
	"                     (accesses from NUMA node to NUMA node), producers, csv, framesoc\n"
	"  --format=FORMAT    FORMATS\n"
	"  --top=N            only the first N lines\n"
	"  --object=NAME, --region=FILE:LINE (or its name, file or construct)\n"
	"  --thread=N, --node=N, --home=N uses by a thread, from a NUMA node, and of pages on one\n"
	"  --kind=LIST        loads, stores\n"
	"  --time=FROM:TO     seconds of the run\n"
	"  --address=FIRST:LAST\n"
	"  --shared           pages alone that several threads use\n"
	"  --svg=FILE         write the view heat, threads or sharing (its matrix) as a picture\n"
	"  --color=WHAT       what its colours are: thread (the default), node or accesses\n"
	"  --producers        the threads of each page in the order of their first uses\n"
	"  --csv, --framesoc  a line for each use of a page, in the columns of Moca and of its export to Framesoc\n";

static const char sensors[] =
	"Usage: ompp sensors [OPTIONS] [NAME...]\n"
	"\n"
	"Lists the sensors: what of this machine can be read over time, or why not.  With NAMEs, lists the events of\n"
	"these sensors, with their units.  'ompp stat' and 'ompp record' read them.\n"
	"\n"
	"  --format=FORMAT       FORMATS\n"
	"  --sensor=FILE, -s     also a sensor of yours, a shared library (ompp_sensor.h)\n";

#define WATCHER_OPTIONS \
	"  --events=LIST, -e     what to read: SENSOR, SENSOR:EVENT or SENSOR:EVENT@SOURCE, with * and ?\n" \
	"  --interval=TIME       the time between samples: 1s, 100ms, 250us\n" \
	"  --samples=N           end after N samples\n" \
	"  --discrete            each CPU, NUMA node, disk … by itself; otherwise all together\n" \
	"  --pid=PID             watch a program that runs already, until it ends\n" \
	"  --sensor=FILE, -s     also a sensor of yours, a shared library (ompp_sensor.h)\n" \
	"  --control=PATH        a FIFO that takes commands, a line each: label TEXT, pause, resume, interval TIME,\n" \
	"                        enable PATTERN, disable PATTERN, record FILE, stop\n" \
	"  --cpus=LIST           the processors of ompp itself; else those that the program does not use, if any\n"

static const char record[] =
	"Usage: ompp record [OPTIONS] [-- PROGRAM ARGUMENTS...]\n"
	"\n"
	"Writes what the machine does into a file, ten times a second, until it is interrupted or the PROGRAM ends,\n"
	"whose exit status it has.  'ompp stat FILE' shows the file, 'ompp export' makes CSV of it.\n"
	"\n" WATCHER_OPTIONS "  --output=FILE, -o     the file; a recording that is there gets another one at its end\n"
	"  --form=FORM           jsonl, numascope (NUMAscope's array), or html\n"
	"  --html                a page of one file, for browsers, which shows the recording\n";

static const char export[] =
	"Usage: ompp export [OPTIONS] FILE\n"
	"\n"
	"Prints a recording of 'ompp record' as CSV: the rates and numbers that 'ompp stat FILE' shows.\n"
	"\n"
	"  --form=FORM           csv, numascope, jsonl, or html: a page of one file\n"
	"  --output=FILE, -o     a new file\n";

static const char stat[] =
	"Usage: ompp stat [OPTIONS] [-- PROGRAM ARGUMENTS...]\n"
	"       ompp stat FILE\n"
	"\n"
	"Prints what the machine does, a line at each interval: of what is counted, how much it grew a second.\n"
	"With a PROGRAM it prints to stderr while that runs, and its exit status is the program's.\n"
	"With a FILE it shows what 'ompp record' has recorded.\n"
	"\n" WATCHER_OPTIONS;

static const char live[] =
	"Usage: ompp live [OPTIONS] [-- PROGRAM ARGUMENTS...]\n"
	"       ompp live FILE\n"
	"\n"
	"Shows what the machine does as a page in a browser, whose address it prints; with a PROGRAM while that runs,\n"
	"whose exit status it has.  With a FILE it shows what 'ompp record' has recorded.  Only who has the whole\n"
	"address, with its token, sees anything.\n"
	"\n" WATCHER_OPTIONS
	"  --listen=ADDR:PORT    where the page is (127.0.0.1:0: this machine alone, any port that is free)\n";

static void print_list(const char *(*name)(size_t i))
{
	for (size_t i = 0; name(i); i++)
		printf("%s%s", i ? ", " : "", name(i));
}

/* Prints a text, with the names of formats and sections for the words FORMATS and VIEWS in it. */
static void print_text(const char *text)
{
	static const struct {
		const char *word;
		const char *(*name)(size_t i);
	} lists[] = { { "ALL_FORMATS", ompp_show_format },
		      { "FORMATS", ompp_report_format },
		      { "VIEWS", ompp_report_view } };

	while (*text) {
		size_t n = 1;

		for (size_t i = 0; i < OMPP_COUNT_OF(lists); i++)
			if (!strncmp(text, lists[i].word, strlen(lists[i].word))) {
				print_list(lists[i].name);
				n = strlen(lists[i].word);
				break;
			}
		if (n == 1)
			putchar(*text);
		text += n;
	}
}

static void options(int as_variables)
{
	for (int i = 0; i < OMPP_N_OPTIONS; i++) {
		const struct ompp_option_info *o = &ompp_option_table[i];
		char name[64];
		size_t n = 0;

		for (; o->name[n] && n < sizeof(name) - 1; n++)
			name[n] = as_variables      ? o->name[n]
			        : o->name[n] == '_' ? '-'
			                            : (char)tolower((unsigned char)o->name[n]);
		name[n] = '\0';
		printf("  %s%s\n      %s", as_variables ? "OMPP_" : "--", name, o->doc);
		if (o->type == OMPP_TYPE_CHOICES || o->type == OMPP_TYPE_CHOICE)
			printf(": %s", o->unit);
		if (o->fallback[0])
			printf(" (default %s)", o->fallback);
		putchar('\n');
	}
}

static void help_run(void)
{
	fputs(run, stdout);
	options(0);
}

static void help_variables(void)
{
	options(1);
}

/* The topics: a text, or the function that prints it. */
/* clang-format off */
static const struct { const char *name, *text; void (*print)(void); } topics[] = {
	{ "run", NULL, help_run }, { "report", report, NULL }, { "annotate", annotate, NULL }, { "tui", tui, NULL }, { "diff", diff, NULL }, { "scaling", scaling, NULL }, { "regions", regions, NULL }, { "objects", objects, NULL },
	{ "counters", counters, NULL }, { "flow", flow, NULL }, { "pages", pages, NULL }, { "sensors", sensors, NULL }, { "stat", stat, NULL }, { "record", record, NULL }, { "live", live, NULL }, { "export", export, NULL }, { "place", place, NULL }, { "help", general, NULL }, { "variables", NULL, help_variables },
	/* clang-format on */
};

static const char *topic(size_t i)
{
	return i < OMPP_COUNT_OF(topics) ? topics[i].name : NULL;
}

int ompp_is_help(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "-h");
}

int ompp_help_about(const char *command)
{
	const char *near;

	for (size_t i = 0; topic(i); i++)
		if (!strcmp(topic(i), command)) {
			if (topics[i].print)
				topics[i].print();
			else
				print_text(topics[i].text);
			return 0;
		}
	near = ompp_nearest_typed(command, topic);
	if (near)
		ompp_complain("help", "'%s' is not a command; did you mean 'ompp help %s'?", command, near);
	else
		ompp_complain("help", "'%s' is not a command; 'ompp help' lists them", command);
	return OMPP_EXIT_USAGE;
}

int ompp_help(int argc, char **argv)
{
	if (!argc)
		return fputs(general, stderr) < 0;
	return ompp_help_about(argc > 1 && !ompp_is_help(argv[1]) ? argv[1] : "help");
}
