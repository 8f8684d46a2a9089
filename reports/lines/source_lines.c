/*
 * Source lines: see source_lines.h.
 */
#include "reports/lines/source_lines.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/classes.h"
#include "reports/analysis/traffic.h"

/* The file at hand, and its lines. */
struct file {
	const struct ompp_analysis *analysis;
	const char *path;
	struct ompp_source_lines *lines;
};

static struct ompp_source_line *line_of(const struct file *f, const char *path, uint32_t number)
{
	return number && number <= f->lines->n && !strcmp(f->path, path) ? &f->lines->list[number - 1] : NULL;
}

static struct ompp_source_line *line_of_region(const struct file *f, uint32_t region)
{
	const struct ompp_region *r = &f->analysis->profile->regions[region];

	return line_of(f, r->file, r->begin_line);
}

static int add_regions(const struct file *f, const struct ompp_region_sums *regions)
{
	const struct ompp_profile *p = f->analysis->profile;

	for (size_t i = 0; i < regions->n; i++) {
		const struct ompp_region_sum *sum = &regions->list[i];
		enum ompp_construct construct = sum->kind ? OMPP_TASKEXEC : p->regions[sum->region].construct;
		struct ompp_source_line *line = line_of_region(f, sum->region);
		int64_t lost[OMPP_N_OVERHEADS] = { 0 }, errors[OMPP_N_OVERHEADS] = { 0 };

		if (!line)
			continue;
		if (!line->metrics)
			line->metrics = ompp_arena_alloc(f->analysis->arena, p->n_metrics * sizeof(*line->metrics));
		if (!line->metrics)
			return -ENOMEM;
		line->has_region = 1;
		ompp_overhead_charge(construct, &sum->cell, lost);
		ompp_overhead_charge_error(construct, &sum->cell, errors);
		line->exec_ns = ompp_add(line->exec_ns, sum->cell.exec_ns);
		line->exec_error_ns = ompp_error_add(line->exec_error_ns, sum->cell.error_ns);
		line->n_exec = ompp_add(line->n_exec, ompp_count(sum->cell.n_exec));
		for (int k = 0; k < OMPP_N_OVERHEADS; k++)
			if (k != OMPP_MGMT) {
				line->waiting_ns = ompp_add(line->waiting_ns, lost[k]);
				line->waiting_error_ns = ompp_error_add(line->waiting_error_ns, errors[k]);
			}
		for (size_t m = 0; m < p->n_metrics; m++)
			line->metrics[m] = ompp_add_known(line->metrics[m], regions->metrics[i * p->n_metrics + m]);
	}
	return 0;
}

static void add_accesses(const struct file *f, const struct ompp_usage *usage)
{
	const struct ompp_analysis *a = f->analysis;

	for (size_t i = 0; i < usage->n_parts; i++) {
		const struct ompp_object_part *part = &usage->parts[i];
		struct ompp_source_line *line = part->key == OMPP_SERIAL ? NULL
		                                                         : line_of_region(f, (uint32_t)(part->key / 2));

		if (!line || !a->traffic->shown[part->object] || !a->shown[part->key / 2])
			continue;
		ompp_traffic_add(line->traffic, part->values);
		line->has_traffic = 1;
	}
}

int ompp_source_object_is_shown(const struct ompp_analysis *a, uint32_t object)
{
	return !a->traffic || a->traffic->shown[object];
}

static void add_samples(const struct file *f)
{
	const struct ompp_profile *p = f->analysis->profile;

	for (size_t i = 0; i < p->n_sample_lines; i++) {
		const struct ompp_sampled_line *sample = &p->sample_lines[i];
		struct ompp_source_line *line = line_of(f, sample->file, sample->line);

		if (!line || !ompp_source_object_is_shown(f->analysis, sample->object))
			continue;
		line->has_sample = 1;
		ompp_sampled_add(&line->sampled, &sample->sum);
	}
	for (size_t i = 0; i < p->n_first_touches; i++) {
		const struct ompp_first_touch *touch = &p->first_touches[i];
		struct ompp_source_line *line = line_of(f, touch->file, touch->line);

		if (!line || !ompp_source_object_is_shown(f->analysis, touch->object))
			continue;
		line->has_sample = 1;
		line->n_pages = ompp_add(line->n_pages, ompp_count(touch->n_pages));
	}
}

static void add_hot_spots(const struct file *f)
{
	const struct ompp_profile *p = f->analysis->profile;

	for (size_t i = 0; i < p->n_hot_spots; i++) {
		struct ompp_source_line *line = line_of(f, p->hot_spots[i].file, p->hot_spots[i].line);

		if (!line)
			continue;
		line->n_hot += p->hot_spots[i].n;
		line->hot_ns = ompp_add(line->hot_ns, p->hot_spots[i].ns);
	}
}

static int divide(char *text, struct ompp_arena *arena, struct ompp_source_lines *lines)
{
	size_t n_lines = 0;

	for (const char *c = text; *c; c++)
		n_lines += *c == '\n';
	lines->list = ompp_arena_alloc(arena, (n_lines + 1) * sizeof(*lines->list));
	if (!lines->list)
		return -ENOMEM;
	for (lines->n = 0; *text; lines->n++) {
		size_t n_bytes = strcspn(text, "\n");
		int is_last = !text[n_bytes];

		if (n_bytes && text[n_bytes - 1] == '\r')
			text[n_bytes - 1] = '\0';
		text[n_bytes] = '\0';
		lines->list[lines->n].text = text;
		text += n_bytes + !is_last;
	}
	return 0;
}

int ompp_source_lines(const struct ompp_region_sums *regions, const struct ompp_usage *usage, const char *path,
                      char *text, struct ompp_source_lines *lines)
{
	struct file f = { regions->analysis, path, lines };
	int rc = divide(text, regions->analysis->arena, lines);

	if (!rc)
		rc = add_regions(&f, regions);
	if (rc)
		return rc;
	if (usage)
		add_accesses(&f, usage);
	add_samples(&f);
	add_hot_spots(&f);
	return 0;
}
