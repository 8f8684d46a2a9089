// profile: the data of the page, which stand in the element "profile" (page_model.c and page_*.c write them), their tables, and what
// is said about numbers: how they were measured, and how sure they are.
const { h, color, grouped, brief, seconds, time, percent, show, showFull, isMissing, splitWords, matches, Table, searchable, stack, legend, middle, tile } = ompp;
const P = JSON.parse(document.getElementById("profile").textContent);
const { run, regions, constructs, rows: threads, nodes, flat, classes } = P;
// Numbers that a double does not hold exactly come as texts, which are lossless; for sums and plots the nearest will do.
const toNumbers = (o) => {
	for (const [key, v] of Object.entries(o))
		if (typeof v === "string" && /^-?\d+$/.test(v)) o[key] = Number(v);
		else if (v && typeof v === "object") toNumbers(v);
};
for (const o of [nodes, flat, classes]) toNumbers(o);
for (const f of P.findings) for (const key of ["ns", "severity", "gain"]) if (typeof f[key] === "string") f[key] = Number(f[key]);
const tables = (view, tag) => P.tables.filter((t) => t.view === view && (tag === undefined || t.tag === tag));
const tableOf = (view, tag) => tables(view, tag)[0];
// The number of a table's column, -1: there is none; its rows as objects, whose members are the titles of columns.
const columnOf = (t, title) => t.columns.findIndex((c) => c.title === title);
const named = (t) => t.rows.map((values) => Object.fromEntries(t.columns.map((c, i) => [c.title, values[i]])));
const numberOf = (v) => isMissing(v) ? null : Number(v);

const certainty = {
	time: "measured by the clock “" + run.clock + "”; the profiler's own cost is taken out" +
		(run.hooked ? ", but not that of access hooks" : ""),
	wall: "wall-clock time: that of threads side by side counts once",
	count: "counted, exact",
	finding: "the time of all threads that it costs, of " + run.threads + " × " + time(run.measured),
	data: run.dataMethod ? "counted by " + run.dataMethod : "",
	sample: run.sampleSource ? "sampled (" + run.sampleSource + "), not exact: see the error beside it" : "",
};
const costlyTip = "costly: the profiler's own cost may be more than a tenth of this region's time; it is taken out, " +
	"but how much it is depends on what runs around it";
const errorTip = "~: its visits are many and short, so some were timed, chosen at random, and all counted; " +
	"its times are estimates with this standard error";
const marksOf = (r) => r.costly || r.error ? " [" + [r.costly ? "costly" : "", r.error].filter(Boolean).join(", ") + "]" : "";
const tipsOf = (r) => [r.costly ? costlyTip : "", r.error ? errorTip : ""].filter(Boolean).join("\n");
