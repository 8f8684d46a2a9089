/*
 * Pages SVG: see pages_svg.h.
 */
#include "reports/pages/pages_svg.h"

#include <errno.h>
#include <string.h>

#include "reports/web/color.h"
#include "runtime/base/clean.h"

enum { NAME_BYTES = 1024 };

unsigned int ompp_svg_strength(double number, double most, unsigned int n)
{
	unsigned int s = n;

	if (number <= 0)
		return 0;
	for (; s > 1 && number * 2 <= most; s--)
		most /= 2;
	return s;
}

double ompp_svg_opacity(unsigned int strength)
{
	return 0.2 + 0.8 * strength / OMPP_SVG_STRENGTHS;
}

void ompp_svg_name(FILE *f, const char *name)
{
	char clean[NAME_BYTES];

	snprintf(clean, sizeof(clean), "%s", ompp_shown(name));
	for (const char *p = clean; *p; p++) {
		if (*p == '&')
			fputs("&amp;", f);
		else if (*p == '<')
			fputs("&lt;", f);
		else if (*p == '>')
			fputs("&gt;", f);
		else if (*p == '"')
			fputs("&quot;", f);
		else if ((unsigned char)*p >= ' ' && *p != 0x7f)
			fputc(*p, f);
	}
}

void ompp_svg_begin(FILE *f, const struct ompp_flow_look *look, size_t width, size_t height, const char *what)
{
	fprintf(f,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" font-family=\"sans-serif\" "
	        "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n<text x=\"4\" y=\"18\" "
	        "font-size=\"14\">",
	        width, height, ompp_color(OMPP_COLOR_back));
	ompp_svg_name(f, ompp_flow_info(look->flow)->app);
	fprintf(f, ": %s</text>\n", what);
}

int ompp_svg_write(struct ompp_flow_look *look, void (*put)(FILE *f, struct ompp_flow_look *look, const void *picture),
                   const void *picture)
{
	FILE *f = fopen(look->svg, "w");
	int rc;

	if (!f) {
		ompp_complain(look->svg, "cannot be written: %s; give another file to --svg", strerror(errno));
		return OMPP_EXIT_FAILED;
	}
	put(f, look, picture);
	rc = ferror(f);
	rc |= fclose(f);
	if (rc)
		ompp_complain(look->svg, "could be written only in part: %s", strerror(errno));
	return rc ? OMPP_EXIT_FAILED : 0;
}
