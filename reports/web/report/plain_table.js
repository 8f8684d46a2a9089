// plain_table: a table of the report as it is, with a search field and the page's filters.
const columnTips = {
	"loads": "times", "stores": "times", "atomics": "atomic operations", "accesses": "loads and stores that could not be told apart, or all", "bytes": "of all these accesses",
	"threads": "how many threads access the object", "min": "accesses of the thread with least", "avg": "accesses of a thread in the mean", "max": "accesses of the thread with most",
	"imbal": "what the busiest thread has above the average, of its own accesses", "class": "how threads share the object (README)",
};

// A table as the section has it: search, sort, and the filters of regions and objects.
function plainTable(t, note) {
	const at = (title) => columnOf(t, title), object = at("object"), region = at("region"), thread = at("TID"),
		from = at("begin") < 0 ? at("line") : at("begin"), to = at("end") < 0 ? from : at("end");
	const isModelled = (title) => /misses/.test(title), isFile = (title) => /file$/.test(title);
	const titleOf = (c) => (c.title || t.tag) + (c.kind === "share" && !c.title.includes("%") ? " %" : c.kind === "time" ? " (s)" : "");
	// lines that are not known, and columns of which nothing is
	const valueOf = (c, v) => ["begin", "end", "line", "source line"].includes(c.title) && Number(v) === 0 && v !== "" ? null : v;
	const isThere = (c, i) => t.rows.some((row) => !isMissing(row[i]) && row[i] !== "");
	const table = searchable(t.columns.map((c, i) => ({ isThere: isThere(c, i), title: titleOf(c), kind: c.kind, left: c.kind === "text", value: (row) => valueOf(c, row[i]),
		cell: isFile(c.title) ? (row) => isMissing(row[i]) ? "-" : String(row[i]).replace(/^.*\//, "") : undefined,
		tip: [columnTips[c.title], isModelled(c.title) ? "modelled" : note].filter(Boolean).join("\n") })).filter((c) => c.isThere), { name: t.tag || t.heading, rows: t.rows, filter: (row) =>
		(object < 0 || isObjectWanted(String(row[object]))) && (region < 0 || matchesAt(row.join(" "), splitWords(filters.region), row[at("file")], row[from], row[to])) && (thread < 0 || isThreadWanted(String(row[thread]))) });
	for (const key of ["object", "region"]) filtered[key].push(() => table.refresh());
	if (thread >= 0) {
		threadFilters.push(() => table.refresh());
		filtered.thread.push(() => table.refresh());
	}
	return h("div", {}, h("h3", {}, sentence(t)), table.box);
}
const sentence = (t) => {
	const text = t.heading ? t.heading.replace(/:$/, "") : t.tag;
	return text.charAt(0).toUpperCase() + text.slice(1);
};
