/*
 * Brief: a report of at most 4 KB for programs and people that read many: the machine's state, how time divides,
 * findings with ids that stay, what each may save, and the command that shows more.  As JSON
 * (env/ompp-brief-1.schema.json) and as Markdown.
 *
 * The bound holds for any profile.  Names and sentences are cut between characters, findings that do not fit lose their
 * sentences, and then are left out; how many were is said.
 */
#include "reports/exchange/exchange.h"

#include <errno.h>
#include <string.h>

#include "config.h"
#include "reports/analysis/untimed.h"
#include "reports/exchange/quote.h"
#include "reports/findings/finding_id.h"
#include "reports/findings/time_shares.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

enum { BRIEF_BYTES = 4096, FORMAT_VERSION = 1 };

/* The most bytes of names and sentences, as they are written. */
enum { APP_BYTES = 64, CPU_BYTES = 100, STAMP_BYTES = 80, PLACE_BYTES = 120, OBJECT_BYTES = 64, EVIDENCE_BYTES = 300 };
enum { ADVICE_BYTES = 180, PATH_BYTES = 200 };

enum { SHORT_BYTES = 240, MOST_SHORT = 3 }; /* kept free for findings without sentences, while there are more */
enum { LEFT_BYTES = 160 };                  /* for the numbers of what was left out */

static const uint64_t most_exact = (UINT64_C(1) << 53) - 1;
static const char ellipsis[] = "\xe2\x80\xa6";

struct brief {
	const struct ompp_analysis *a;
	int is_markdown;
	struct ompp_text *t; /* where parts are added */
	size_t n_cut;        /* names and sentences that were cut or left out */
	int rc;              /* -ENOMEM once a text had no memory */
};

/* A text on its way into the brief: what fits of it. */
struct cut {
	struct ompp_text *t;
	size_t end; /* no more bytes than that */
	int is_cut;
};

static void cut_put(void *to, const char *bytes, size_t n_bytes)
{
	struct cut *cut = to;

	if (n_bytes == 1 && bytes[0] == '"') /* the quotes around it; those within are escaped */
		return;
	if (cut->is_cut || cut->t->n_bytes + n_bytes > cut->end) {
		cut->is_cut = 1;
		return;
	}
	ompp_text_strn(cut->t, bytes, n_bytes);
}

/* Hands a clean text to cut_put(), character by character, with what Markdown would take as its own escaped. */
static void cut_markdown(struct cut *cut, const char *text)
{
	while (*text) {
		char escaped[8] = { '\\', *text };
		size_t n = 1;

		while (((unsigned char)text[n] & 0xc0) == 0x80)
			n++;
		if (*text == '<' || *text == '>' || *text == '&')
			cut_put(cut, *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;", *text == '&' ? 5 : 4);
		else if (strchr("\\`*_[]|#~\"", *text))
			cut_put(cut, escaped, 2);
		else
			cut_put(cut, text, n);
		text += n;
	}
}

/* Adds a name or a sentence, in JSON with quotes, of which at most so many bytes are written. */
static void brief_text(struct brief *b, const char *text, size_t n_most)
{
	struct cut cut = { b->t, b->t->n_bytes + n_most - sizeof(ellipsis), 0 };
	const char *clean = ompp_clean_copy(text, 0, b->a->arena);

	if (!clean) {
		b->rc = -ENOMEM;
		clean = "";
	}
	if (b->is_markdown) {
		cut_markdown(&cut, clean);
	} else {
		ompp_text_char(b->t, '"');
		cut.end += 1;
		ompp_json_quote(clean, cut_put, &cut);
	}
	if (cut.is_cut)
		ompp_text_str(b->t, ellipsis);
	b->n_cut += (size_t)cut.is_cut;
	if (!b->is_markdown)
		ompp_text_char(b->t, '"');
}

static void brief_number(struct brief *b, int64_t n)
{
	int is_large = n != OMPP_MISSING && (n < 0 ? -(uint64_t)n : (uint64_t)n) > most_exact;

	ompp_text_str(b->t, is_large ? "\"" : "");
	if (n == OMPP_MISSING)
		ompp_text_str(b->t, "null");
	else
		ompp_text_i64(b->t, n);
	ompp_text_str(b->t, is_large ? "\"" : "");
}

/* Adds the name of a member, behind a comma where it is not the first. */
static void brief_key(struct brief *b, const char *name)
{
	char last = b->t->n_bytes ? b->t->data[b->t->n_bytes - 1] : '{';

	ompp_text_str(b->t, last == '{' || last == '[' ? "\"" : ",\"");
	ompp_text_str(b->t, name);
	ompp_text_str(b->t, "\":");
}

static void text_member(struct brief *b, const char *name, const char *text, size_t n_most)
{
	brief_key(b, name);
	if (text && text[0])
		brief_text(b, text, n_most);
	else
		ompp_text_str(b->t, "null");
}

static void number_member(struct brief *b, const char *name, int64_t n)
{
	brief_key(b, name);
	brief_number(b, n);
}

static void flag_member(struct brief *b, const char *name, int is_set)
{
	brief_key(b, name);
	ompp_text_str(b->t, is_set < 0 ? "null" : is_set ? "true" : "false");
}

/* Adds a number of 10^-9 as a fraction of six digits. */
static void share_member(struct brief *b, const char *name, int64_t share)
{
	brief_key(b, name);
	if (share == OMPP_MISSING)
		ompp_text_str(b->t, "null");
	else
		ompp_text_fixed(b->t, share, 9, 6);
}

static void put_seconds(struct brief *b, int64_t ns)
{
	if (ns == OMPP_MISSING)
		ompp_text_char(b->t, '-');
	else
		ompp_say_seconds(b->t, ns, 4);
}

static void put_percent(struct brief *b, int64_t share)
{
	if (share == OMPP_MISSING)
		ompp_text_char(b->t, '-');
	else
		ompp_text_fixed(b->t, share, 7, 2);
}

/* ---- the run and the machine ---- */

/* Did other programs take processors from it?  -1 when the kernel does not say. */
static int brief_is_busy(const struct ompp_profile *p)
{
	return p->queued_ns == OMPP_MISSING ? -1 : ompp_find_is_queued(p);
}

static int64_t cpu_ns(const struct ompp_profile *p)
{
	return p->user_ns == OMPP_MISSING || p->system_ns == OMPP_MISSING ? OMPP_MISSING
	                                                                  : ompp_add(p->user_ns, p->system_ns);
}

static void json_run(struct brief *b)
{
	const struct ompp_profile *p = b->a->profile;

	ompp_text_str(b->t, "{\"format\":\"ompp-brief\"");
	number_member(b, "version", FORMAT_VERSION);
	ompp_text_str(b->t, ",\"generator\":\"ompp " PACKAGE_VERSION "\"");
	ompp_text_str(b->t, ",\n\"run\":{");
	text_member(b, "app", p->app, APP_BYTES);
	text_member(b, "stamp", p->build_stamp, STAMP_BYTES);
	text_member(b, "commit", p->build_commit, STAMP_BYTES);
	number_member(b, "start_unix_ns", p->start_unix_ns);
	number_member(b, "wall_ns", p->duration_ns);
	number_member(b, "cpu_ns", cpu_ns(p));
	number_member(b, "threads", b->a->n_threads);
	number_member(b, "processes", p->n_merged ? p->n_merged : 1);
	flag_member(b, "is_final", p->final);
	flag_member(b, "is_damaged", p->is_damaged);
	ompp_text_str(b->t, "},\n\"machine\":{");
	text_member(b, "processor", ompp_profile_condition(p, "CPU"), CPU_BYTES);
	number_member(b, "numa_nodes", p->n_numa_nodes ? (int64_t)p->n_numa_nodes : OMPP_MISSING);
	flag_member(b, "is_busy", brief_is_busy(p));
	number_member(b, "waited_for_processors_ns", p->queued_all_ns);
	number_member(b, "stolen_ns", p->stolen_ns);
	ompp_text_str(b->t, "}");
}

static void markdown_run(struct brief *b)
{
	const struct ompp_profile *p = b->a->profile;
	const char *processor = ompp_profile_condition(p, "CPU");
	int is_busy = brief_is_busy(p);

	ompp_text_str(b->t, "# ");
	brief_text(b, p->app, APP_BYTES);
	ompp_text_str(b->t, "\n\nWall time ");
	put_seconds(b, p->duration_ns);
	ompp_text_str(b->t, " s, CPU time ");
	put_seconds(b, cpu_ns(p));
	ompp_text_str(b->t, " s, threads: ");
	ompp_text_u64(b->t, b->a->n_threads);
	if (p->n_merged) {
		ompp_text_str(b->t, ", processes: ");
		ompp_text_u64(b->t, p->n_merged);
	}
	ompp_text_str(b->t, p->final ? "" : ", the run so far");
	ompp_text_str(b->t, p->is_damaged ? ", from a damaged file" : "");
	if (p->build_stamp && p->build_stamp[0]) {
		ompp_text_str(b->t, ", built from ");
		brief_text(b, p->build_stamp, STAMP_BYTES);
	}
	ompp_text_str(b->t, ".\n\nMachine: ");
	brief_text(b, processor[0] ? processor : "-", CPU_BYTES);
	ompp_text_str(b->t, "; NUMA nodes: ");
	if (p->n_numa_nodes)
		ompp_text_u64(b->t, p->n_numa_nodes);
	else
		ompp_text_char(b->t, '-');
	ompp_text_str(b->t, is_busy < 0 ? "; busy: -" : is_busy ? "; busy: yes" : "; busy: no");
	ompp_text_str(b->t, ", threads waited for processors ");
	put_seconds(b, p->queued_all_ns);
	ompp_text_str(b->t, " s.\n");
}

/* ---- how time divides ---- */

static void brief_shares(struct brief *b, const struct ompp_time_shares *shares)
{
	int is_first = 1;

	ompp_text_str(b->t, b->is_markdown ? "\n| seconds | +- | % of all threads' time | what |\n|--:|--:|--:|---|\n"
	                                   : ",\n\"time\":[");
	for (int i = 0; i < OMPP_TIME_SHARES; i++) {
		const struct ompp_time_share *s = &shares->list[i];

		if (!ompp_time_share_is_shown(shares, i))
			continue;
		if (b->is_markdown) {
			ompp_text_str(b->t, "| ");
			put_seconds(b, s->ns);
			ompp_text_str(b->t, " | ");
			put_seconds(b, s->error_ns ? s->error_ns : OMPP_MISSING);
			ompp_text_str(b->t, " | ");
			put_percent(b, ompp_share(s->ns, shares->base_ns));
			ompp_text_str(b->t, " | ");
			ompp_text_str(b->t, s->words);
			ompp_text_str(b->t, " |\n");
			continue;
		}
		ompp_text_str(b->t, is_first ? "\n{" : ",\n{");
		is_first = 0;
		text_member(b, "what", s->words, BRIEF_BYTES);
		number_member(b, "ns", s->ns);
		share_member(b, "share", ompp_share(s->ns, shares->base_ns));
		text_member(b, "certainty", s->error_ns ? "sampled" : "measured", BRIEF_BYTES);
		if (s->error_ns)
			number_member(b, "error_ns", s->error_ns);
		ompp_text_char(b->t, '}');
	}
	ompp_text_str(b->t, b->is_markdown ? "" : "]");
}

/* ---- findings ---- */

static const char *brief_location(struct brief *b, const struct ompp_finding *f)
{
	const char *location = ompp_finding_location(b->a, f);

	if (!location)
		b->rc = -ENOMEM;
	return location ? location : "";
}

/* Are times of the region estimates, as visits of it or of what is directly below it were not timed?  For the whole
 * program, which has parts of all regions: those of any region. */
static int finding_is_sampled(const struct ompp_analysis *a, const struct ompp_finding *f)
{
	const struct ompp_profile *p = a->profile;

	if (f->region == OMPP_NONE)
		return a->has_untimed;
	for (uint32_t i = 1; a->has_untimed && i < p->n_nodes; i++)
		if (p->nodes[i].region == f->region && (ompp_untimed_at(p, i) || ompp_untimed_below(a, i)))
			return 1;
	return 0;
}

static const char *finding_certainty(const struct ompp_analysis *a, const struct ompp_finding *f)
{
	return f->severity == OMPP_MISSING ? "counted" : finding_is_sampled(a, f) ? "sampled" : "measured";
}

static void json_finding(struct brief *b, const struct ompp_finding *f, const char *id, int is_whole)
{
	ompp_text_str(b->t, "{");
	text_member(b, "id", id, BRIEF_BYTES);
	text_member(b, "name", f->name, BRIEF_BYTES);
	text_member(b, "place", brief_location(b, f), PLACE_BYTES);
	if (f->object)
		text_member(b, "object", f->object, OBJECT_BYTES);
	share_member(b, "severity", f->severity);
	/* a gain is an upper bound, so nothing may be saved at the least */
	number_member(b, "saves_from_ns", f->gain_ns == OMPP_MISSING ? OMPP_MISSING : 0);
	number_member(b, "saves_to_ns", f->gain_ns);
	text_member(b, "certainty", finding_certainty(b->a, f), BRIEF_BYTES);
	if (is_whole) {
		text_member(b, "evidence", f->evidence, EVIDENCE_BYTES);
		text_member(b, "advice", f->advice, ADVICE_BYTES);
	}
	ompp_text_str(b->t, "}");
}

static void markdown_finding(struct brief *b, const struct ompp_finding *f, const char *id, int is_whole)
{
	ompp_text_str(b->t, "- `");
	ompp_text_str(b->t, id);
	ompp_text_str(b->t, "` **");
	ompp_text_str(b->t, f->name);
	ompp_text_str(b->t, "** ");
	brief_text(b, brief_location(b, f), PLACE_BYTES);
	if (f->object) {
		ompp_text_str(b->t, ", ");
		brief_text(b, f->object, OBJECT_BYTES);
	}
	ompp_text_str(b->t, ", severity ");
	put_percent(b, f->severity);
	if (f->gain_ns == OMPP_MISSING) {
		ompp_text_str(b->t, " %, saves -");
	} else {
		ompp_text_str(b->t, " %, saves 0 to ");
		put_seconds(b, f->gain_ns);
		ompp_text_str(b->t, " s");
	}
	ompp_text_str(b->t, " (");
	ompp_text_str(b->t, finding_certainty(b->a, f));
	ompp_text_str(b->t, ").");
	if (is_whole) {
		ompp_text_char(b->t, ' ');
		brief_text(b, f->evidence, EVIDENCE_BYTES);
		ompp_text_char(b->t, ' ');
		brief_text(b, f->advice ? f->advice : "", ADVICE_BYTES);
	}
	ompp_text_char(b->t, '\n');
}

/* Writes a finding into a text of its own. */
static void brief_finding(struct brief *b, const struct ompp_finding *f, const struct ompp_finding_id *id, int is_whole,
                          struct ompp_text *t)
{
	struct ompp_text *whole = b->t;

	t->n_bytes = 0;
	t->data[0] = '\0';
	b->t = t;
	(b->is_markdown ? markdown_finding : json_finding)(b, f, id->text, is_whole);
	b->t = whole;
}

/* Adds as many findings as fit into the bytes: whole ones, while some room is left for those behind them, and then
 * without their sentences.  Returns how many it added. */
static size_t put_findings(struct brief *b, const struct ompp_findings *findings, const struct ompp_finding_id *ids,
                           size_t end)
{
	char buffer[BRIEF_BYTES];
	struct ompp_text one;
	size_t i = 0;

	ompp_text_init(&one, buffer, sizeof(buffer));
	for (; i < findings->n; i++) {
		size_t n_behind = findings->n - i - 1, n_cut = b->n_cut,
		       room = i ? SHORT_BYTES * (n_behind < MOST_SHORT ? n_behind : MOST_SHORT) : 0;
		const char *between = b->is_markdown ? "" : i ? ",\n" : "\n";

		brief_finding(b, &findings->list[i], &ids[i], 1, &one);
		if (b->t->n_bytes + one.n_bytes + strlen(between) + room > end) {
			b->n_cut = n_cut + 2; /* evidence and advice */
			brief_finding(b, &findings->list[i], &ids[i], 0, &one);
		}
		if (b->t->n_bytes + one.n_bytes + strlen(between) > end) {
			b->n_cut = n_cut;
			break;
		}
		ompp_text_str(b->t, between);
		ompp_text_str(b->t, one.data);
	}
	return i;
}

/* ---- what comes next ---- */

/* Adds the profile's name as a shell takes it; FILE where it is not known, too long, or not fit for a line, for
 * Markdown, or for JSON as it is: so PATH_BYTES are its bytes in both. */
static void put_path(struct ompp_text *t, const char *path)
{
	if (!path || strlen(path) > PATH_BYTES || !ompp_is_clean(path, 0) || strpbrk(path, "'`<>&\"\\")) {
		ompp_text_str(t, "FILE");
		return;
	}
	if (path[0] == '-')
		ompp_text_str(t, "./");
	if (ompp_is_plain_word(path)) {
		ompp_text_str(t, path);
		return;
	}
	ompp_text_char(t, '\'');
	ompp_text_str(t, path);
	ompp_text_char(t, '\'');
}

static void put_command(struct brief *b, const char *view, uint32_t region, int is_first)
{
	char line[2 * PATH_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "ompp report --view=");
	ompp_text_str(&t, view);
	if (region != OMPP_NONE) {
		ompp_text_str(&t, " --region=R");
		ompp_text_zeros(&t, b->a->profile->regions[region].id, 5);
	}
	ompp_text_char(&t, ' ');
	put_path(&t, b->a->path);
	if (b->is_markdown) {
		ompp_text_str(b->t, "    ");
		ompp_text_str(b->t, line);
		ompp_text_char(b->t, '\n');
		return;
	}
	ompp_text_str(b->t, is_first ? "" : ",");
	brief_text(b, line, BRIEF_BYTES);
}

/* Writes the commands that show more into a text of its own. */
static void brief_next(struct brief *b, const struct ompp_findings *findings, struct ompp_text *t)
{
	uint32_t region = findings->n ? findings->list[0].region : OMPP_NONE;
	struct ompp_text *whole = b->t;

	b->t = t;
	ompp_text_str(t, b->is_markdown ? "\nNext:\n\n" : ",\n\"next\":[");
	if (findings->n)
		put_command(b, region == OMPP_NONE ? "properties,hot" : "properties,flat", region, 1);
	put_command(b, "all", OMPP_NONE, !findings->n);
	ompp_text_str(t, b->is_markdown ? "" : "]}\n");
	b->t = whole;
}

static void brief_left_out(struct brief *b, size_t n_findings, size_t n_below)
{
	if (!b->is_markdown) {
		ompp_text_str(b->t, ",\n\"left_out\":{");
		number_member(b, "findings", ompp_count(n_findings));
		number_member(b, "findings_below", ompp_count(n_below));
		number_member(b, "texts", ompp_count(b->n_cut));
		ompp_text_char(b->t, '}');
		return;
	}
	ompp_text_str(b->t, "\nLeft out: findings ");
	ompp_text_u64(b->t, n_findings);
	ompp_text_str(b->t, ", findings below the threshold ");
	ompp_text_u64(b->t, n_below);
	ompp_text_str(b->t, ", texts cut or left out ");
	ompp_text_u64(b->t, b->n_cut);
	ompp_text_str(b->t, ".\n");
}

static int brief_write(const struct ompp_analysis *a, struct ompp_out *out, int is_markdown)
{
	char buffer[2 * BRIEF_BYTES], tail[BRIEF_BYTES];
	struct ompp_text whole, next;
	struct brief b = { a, is_markdown, &whole, 0, 0 };
	struct ompp_findings findings;
	const struct ompp_finding_id *ids;
	struct ompp_classes classes;
	struct ompp_time_shares shares;
	size_t n_put;
	int rc = ompp_classes(a, &classes);

	if (!rc)
		rc = ompp_findings(a, &findings);
	if (rc)
		return rc;
	ids = ompp_finding_ids(a, &findings);
	if (!ids)
		return -ENOMEM;
	ompp_time_shares(a, &classes, &shares);
	ompp_text_init(&whole, buffer, sizeof(buffer));
	ompp_text_init(&next, tail, sizeof(tail));
	brief_next(&b, &findings, &next);
	(is_markdown ? markdown_run : json_run)(&b);
	brief_shares(&b, &shares);
	ompp_text_str(&whole, is_markdown ? findings.n ? "\nFindings:\n\n" : "\nNo findings.\n" : ",\n\"findings\":[");
	n_put = put_findings(&b, &findings, ids, BRIEF_BYTES - next.n_bytes - LEFT_BYTES);
	ompp_text_str(&whole, is_markdown ? "" : "]");
	brief_left_out(&b, findings.n - n_put, findings.n_below);
	ompp_text_str(&whole, next.data);
	if (b.rc)
		return b.rc;
	if (whole.n_bytes > BRIEF_BYTES) /* the bounds above do not let it; half a document must not leave */
		return -EOVERFLOW;
	ompp_out_str(out, whole.data);
	return 0;
}

static int write_brief(const struct ompp_analysis *a, struct ompp_out *out)
{
	return brief_write(a, out, 0);
}

static int write_brief_md(const struct ompp_analysis *a, struct ompp_out *out)
{
	return brief_write(a, out, 1);
}

const struct ompp_exchange ompp_exchange_brief = { .write = write_brief };
const struct ompp_exchange ompp_exchange_brief_md = { .write = write_brief_md };
