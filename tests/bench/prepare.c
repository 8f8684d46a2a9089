/*
 * Prepare: what tests/bench/prepare.sh needs: texts of many lines, a compiler that does nothing, and a clock.
 *
 *   prepare text KIND LINES CONSTRUCTS    a preprocessed text to stdout
 *   prepare time N COMMAND…               run it N times; the least processor time in µs, with what it runs
 *   as gcc or gfortran                    with -E copies its last argument to what follows -o; else does nothing
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int n_lines;

static void line(const char *text)
{
	puts(text);
	n_lines++;
}

/* ---- C ---- */

static const char *const c_constructs[] = {
	"#pragma omp parallel for schedule(static) reduction(+:s) firstprivate(k)\n"
	"\tfor (int i = 0; i < n; i++) {\n\t\ts += a[i];\n\t}",
	"#pragma omp critical (name)\n\ts++;",
	"#pragma omp task shared(s) if(n > 3)\n\t{\n\t\ts++;\n\t}",
	"#pragma omp barrier",
	"#pragma omp parallel num_threads(k)\n\t{\n#pragma omp single nowait\n\t\ts++;\n\t}",
	"#pragma omp atomic\n\ts++;",
};

static const char *const fortran_constructs[] = {
	"!$omp parallel do schedule(static) reduction(+:s) &\n!$omp& firstprivate(k)\n  do i = 1, n\n    s = s + a(i)\n  end do",
	"!$omp critical (name)\n  s = s + 1\n!$omp end critical (name)",
	"!$omp task shared(s) if(n > 3)\n  s = s + 1\n!$omp end task",
	"!$omp barrier",
	"!$omp parallel num_threads(k)\n!$omp single\n  s = s + 1\n!$omp end single\n!$omp end parallel",
	"!$omp atomic\n  s = s + 1",
};

static void construct(const char *const *all, int i)
{
	const char *text = all[i % 6];

	line(text);
	for (; *text; text++)
		n_lines += *text == '\n';
}

static void marker(int number, const char *file)
{
	printf("# %d \"%s\"\n", number, file);
	n_lines++;
}

static void statement(int i)
{
	static const char *const statements[] = {
		"\ta[k + 1] = a[k] * 2.5 + (n > 3 ? s : -s);", "\tif (a[k] > s && (n & 1))\n\t\ts += a[k];\n\telse\n\t\ts -= 1;",
		"\tk = (k + 17) % n;", "\tputs(\"text with \\\"quotes\\\" and a brace {\");", "\tfor (int j = 0; j < 3; j++)\n\t\ts += j;",
		"", "\t/* a comment of some words that stays */",
	};
	const char *text = statements[i % 7];

	line(text);
	for (; *text; text++)
		n_lines += *text == '\n';
}

static void fortran_statement(int i)
{
	static const char *const statements[] = {
		"  a(k + 1) = a(k) * 2.5 + s", "  if (a(k) > s .and. n > 1) then\n    s = s + a(k)\n  else\n    s = s - 1\n  end if",
		"  k = mod(k + 17, n)", "  print *, 'text with ''quotes'' and a bang !'", "  do j = 1, 3\n    s = s + j\n  end do", "",
		"  ! a comment of some words that stays", "  call work(a, b, &\n    & c, d)",
	};
	const char *text = statements[i % 8];

	line(text);
	for (; *text; text++)
		n_lines += *text == '\n';
}

/* Functions of 100 lines, constructs spread evenly. */
static void functions(int lines, int constructs, int n_in_function)
{
	int done = 0;

	for (int f = 0; n_lines < lines; f++) {
		int end = n_lines + n_in_function;

		printf("static int f%d(double *a, int n, int k)\n{\n\tdouble s = 0;\n", f);
		n_lines += 3;
		for (int i = 0; n_lines < end; i++) {
			statement(i);
			if ((long)done * lines < (long)constructs * n_lines)
				construct(c_constructs, done++);
		}
		line("\treturn s > 0;\n}");
		n_lines++;
	}
}

static void fortran(int lines, int constructs)
{
	int done = 0;

	for (int f = 0; n_lines < lines; f++) {
		int end = n_lines + 500;

		printf("subroutine f%d(a, n, k)\n  integer :: n, k, i, j\n  real :: a(*), s\n", f);
		n_lines += 3;
		for (int i = 0; n_lines < end; i++) {
			fortran_statement(i);
			if ((long)done * lines < (long)constructs * n_lines)
				construct(fortran_constructs, done++);
		}
		printf("end subroutine f%d\n", f);
		n_lines++;
	}
}

/* One unit with loops that have no end directive, and labelled ones. */
static void loops(int lines, int constructs)
{
	int done = 0;

	line("program p\n  integer :: i, k, n\n  real :: s, a(10)");
	for (int i = 0; n_lines < lines; i++) {
		fortran_statement(i);
		if ((long)done * lines >= (long)constructs * n_lines)
			continue;
		if (done++ % 2)
			line("!$omp parallel do\n  do i = 1, n\n    s = s + 1\n  end do");
		else
			printf("!$omp parallel do\n  do %d i = 1, n\n    s = s + 1\n%d continue\n", done, done);
		n_lines += 3;
	}
	line("end program");
}

/* What headers look like: markers, declarations, attributes. */
static void headers(int lines, int constructs)
{
	while (n_lines < lines * 9 / 10) {
		marker(n_lines % 500 + 1, "/usr/include/some/header.h");
		line("extern int some_function (const char *__restrict __s, unsigned long int __n) "
		     "__attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));");
		line("");
		line("typedef struct { int __a[4]; union { long int __b; void *__c; } __u; } __some_t;");
		line("");
	}
	marker(1, "a.c");
	functions(lines, constructs, 100);
}

/* Long initialisers. */
static void declarations(int lines, int constructs)
{
	line("int table[] = {");
	while (n_lines < lines * 9 / 10)
		line("\t{ 1, 2.5e-3, 0x1234, 'a', \"text\", sizeof(int) }, { 4, 5, 6, 'b', \"more\", -1 },");
	line("};");
	functions(lines, constructs, 100);
}

/* Brackets in brackets, and constructs in constructs. */
static void nested(int lines, int constructs)
{
	int depth = constructs > 150 ? 150 : constructs;

	while (n_lines < lines) {
		line("void f(int n, int k, double s, double *a)\n{");
		for (int i = 0; i < depth; i++)
			line(i % 3 ? "#pragma omp task\n{" : i % 2 ? "#pragma omp parallel\n{" : "#pragma omp critical\n{");
		for (int i = 0; i < 100; i++)
			line("if (n) {");
		for (int i = 0; i < 200; i++)
			line("s = ((((((((((((((((((((((((((((((((((((((((((((((((((((k))))))))))))))))))))))))))))))))))))))))))))))))))));");
		for (int i = 0; i < depth + 100; i++)
			line("}");
		line("}");
	}
}

/* Regions of the user's own. */
static void user(int lines, int constructs)
{
	int done = 0;

	line("void f(int n, int k, double s, double *a)\n{");
	for (int i = 0; n_lines < lines; i++) {
		statement(i);
		if ((long)done * lines >= (long)constructs * n_lines)
			continue;
		printf("#pragma pomp inst begin(region%d)\n\ts++;\n#pragma pomp inst end(region%d)\n", done, done);
		n_lines += 3;
		done++;
	}
	line("}");
}

/* One parallel region with all in it. */
static void inside(int lines, int constructs)
{
	int done = 0;

	line("void f(int n, int k, double s, double *a)\n{\n#pragma omp parallel\n{\n#pragma omp sections\n{");
	for (int i = 0; n_lines < lines; i++) {
		statement(i);
		if ((long)done * lines < (long)constructs * n_lines)
			construct(c_constructs, done++);
		if (i % 50 == 49)
			line("#pragma omp section");
	}
	line("}\n}\n}");
}

/* An if … else if … of all lines, with constructs as its statements. */
static void chain(int lines, int constructs)
{
	int done = 0;

	line("void f(int n, int k, double s, double *a)\n{");
	for (int i = 0; n_lines < lines; i++) {
		printf("\tif (n == %d)\n", i);
		n_lines++;
		if ((long)done * lines < (long)constructs * n_lines)
			construct(c_constructs, done++);
		else
			line("\t\ts++;");
		line("\telse");
	}
	line("\ts--;\n}");
}

static int make_text(const char *kind, int lines, int constructs)
{
	if (!strcmp(kind, "fortran") || !strcmp(kind, "loops")) {
		(*kind == 'f' ? fortran : loops)(lines, constructs);
		return 0;
	}
	marker(1, "a.c");
	if (!strcmp(kind, "plain"))
		functions(lines, constructs, 100);
	else if (!strcmp(kind, "functions"))
		functions(lines, constructs, 10);
	else if (!strcmp(kind, "headers"))
		headers(lines, constructs);
	else if (!strcmp(kind, "declarations"))
		declarations(lines, constructs);
	else if (!strcmp(kind, "nested"))
		nested(lines, constructs);
	else if (!strcmp(kind, "user"))
		user(lines, constructs);
	else if (!strcmp(kind, "inside"))
		inside(lines, constructs);
	else if (!strcmp(kind, "chain"))
		chain(lines, constructs);
	else
		return 2;
	return 0;
}

/* ---- the clock, and the compiler ---- */

static double us(struct timeval t)
{
	return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

static int measure(int n, char **command)
{
	double least = 0;

	for (int i = 0; i < n; i++) {
		struct rusage usage;
		double took;
		int status;
		pid_t child = fork();

		if (!child) {
			execvp(*command, command);
			_exit(127);
		}
		if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status)
			return 1;
		took = us(usage.ru_utime) + us(usage.ru_stime);
		least = !i || took < least ? took : least;
	}
	printf("%.0f\n", least);
	return 0;
}

static int copy(const char *from, const char *to)
{
	static char buffer[1 << 20];
	int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	ssize_t n;

	if (in < 0 || out < 0)
		return 1;
	while ((n = read(in, buffer, sizeof(buffer))) > 0)
		if (write(out, buffer, (size_t)n) != n)
			return 1;
	return 0;
}

static int compile(int argc, char **argv)
{
	const char *to = NULL;
	int preprocess = 0;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-v"))
			fputs("COLLECT_GCC=gcc\n\ngcc version 12\n", stderr);
		preprocess |= !strcmp(argv[i], "-E");
		if (!strcmp(argv[i], "-o") && i + 1 < argc)
			to = argv[i + 1];
	}
	return preprocess && to ? copy(argv[argc - 1], to) : 0;
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];

	if (!strcmp(name, "gcc") || !strcmp(name, "gfortran"))
		return compile(argc, argv);
	if (argc == 5 && !strcmp(argv[1], "text"))
		return make_text(argv[2], atoi(argv[3]), atoi(argv[4]));
	if (argc > 3 && !strcmp(argv[1], "time"))
		return measure(atoi(argv[2]), argv + 3);
	fputs("usage: prepare text KIND LINES CONSTRUCTS | prepare time N COMMAND…\n", stderr);
	return 2;
}
