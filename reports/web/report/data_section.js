// data_section: data objects: their accesses by region and thread, latencies, and the matrix of NUMA nodes.
function objectThreads() {
	if (!P.objectThreads || !P.objectThreads.length) return null;
	const isNamed = (o) => !["(other)", "(stack)"].includes(o.object), size = (o) => o.rows.reduce((sum, row) => sum + Number(row[4] || 0), 0);
	P.objectThreads.sort((a, b) => isNamed(b) - isNamed(a) || size(b) - size(a));
	let refresh = () => {};
	const draw = (o) => {
		const used = P.trafficTitles.map((_, k) => o.rows.some((row) => row[k + 1]));
		const of = o.rows.some((row) => row[4]) ? 3 : 0, most = Math.max(1, ...o.rows.map((row) => row[of + 1] || 0));
		const table = new Table([
			{ title: "Thread", left: true, kind: "text", value: (row) => threads[row[0]] },
			{ title: P.trafficTitles[of], unsortable: true, class: "bar", value: (row) => row[of + 1], tipOf: () => "", cell: (row) => stack([{ ns: row[of + 1] || 0, color: "work", name: P.trafficTitles[of] }], most, true) },
			...P.trafficTitles.map((title, k) => ({ title, kind: "count", value: (row) => row[k + 1], tip: /misses/.test(title) ? "modelled" : certainty.data })).filter((_, k) => used[k]),
		], { name: "threads of " + o.object, rows: o.rows, filter: (row) => isThreadWanted(threads[row[0]]) });
		refresh = () => table.refresh();
		return [table.element];
	};
	threadFilters.push(() => refresh());
	filtered.thread.push(() => refresh());
	return h("div", {}, h("h3", {}, "Threads of an object"), chooser("object: ", { id: "object-of-threads", "aria-label": "object" }, P.objectThreads, (o) => o.object, draw));
}

function histograms() {
	if (!P.histograms || !P.histograms.length) return null;
	const draw = (o) => {
		const n = o.n.reduce((a, b) => a + b, 0), most = Math.max(1, ...o.n), first = o.n.findIndex((v) => v);
		return [h("table", { class: "histogram", "aria-label": "latencies of " + o.kind + " of " + o.object }, h("thead", {}, h("tr", {}, h("th", { class: "left" }, h("span", { class: "plain" }, run.sampleLatencies || "latency")),
			h("th", {}, h("span", { class: "plain" }, "samples")), h("th", {}, h("span", { class: "plain" }, "")))), h("tbody", {}, o.n.map((v, i) => i < first ? null : h("tr", {},
			h("td", { class: "left" }, o.least[i] + (o.least[i + 1] > o.least[i] + 1 ? "–" + (o.least[i + 1] - 1) : "")), h("td", { "data-tip": grouped(v) + " of " + grouped(n) + " samples\n" + certainty.sample }, grouped(v)),
			h("td", { style: "width:70%" }, stack([{ ns: v, color: "work", name: "samples" }], most, true))))))];
	};
	return h("div", { id: "latencies" }, h("h3", {}, "How long accesses took"), chooser("of: ", { "aria-label": "object and kind" }, P.histograms, (o) => o.object + ", " + o.kind, draw));
}

// The matrix of NUMA nodes, or of threads in their place: a row is what was accessed from one of them.
function numaMatrix(t) {
	const at = (title) => columnOf(t, title), first = Math.max(at("accesses"), at("accesses +-")) + 1;
	const places = t.columns.map((c, i) => i).filter((i) => i >= first && t.columns[i].kind === "count");
	if (!first || !places.length || at("from") < 0) return null;
	const box = h("div", {}), draw = () => {
		const rows = t.rows.filter((row) => at("object") < 0 || isObjectWanted(String(row[at("object")])));
		const whole = rows.map((row) => places.reduce((sum, i) => sum + Number(row[i] || 0), 0));
		const share = (r, c) => whole[r] > 0 && !isMissing(rows[r][places[c]]) ? Number(rows[r][places[c]]) / whole[r] : null;
		box.replaceChildren(heatMap("from where to where", rows.map((row) => (at("object") < 0 ? "" : row[at("object")] + " ") + "from " + row[at("from")]), places.map((i) => t.columns[i].title), share,
			(r, c) => isMissing(share(r, c)) ? "-" : (100 * share(r, c)).toFixed(1) + " %",
			(r, c) => isMissing(share(r, c)) ? "not known" : grouped(rows[r][places[c]]) + " of " + grouped(whole[r]) + " accesses\n" + certainty.sample));
	};
	draw();
	filtered.object.push(draw);
	return h("div", { id: "numa-matrix" }, h("h3", {}, sentence(t)), box);
}

function row0(t, title) { return String(t.rows[0][t.columns.findIndex((c) => c.title === title)]); }

function dataSections() {
	const data = tables("data"), memory = [...tables("memory"), ...tables("lines")], numa = [...tables("touch"), ...tables("numa")];
	const real = (list) => list.filter((t) => t.rows.length && t.columns.length);
	if (real(data).length) {
		const byRegion = tableOf("data", "data objects by region");
		section("data", "Data", h("p", { class: "soft" }, certainty.data), byRegion ? objectHeat(byRegion) : null, objectThreads(), real(data).map((t) => plainTable(t, certainty.data)));
	}
	const fields = real(tables("fields"));
	if (fields.length) section("fields", "Fields of structures", h("p", { class: "soft" }, "Each line is one cache line; the darker a member, the more accesses. " + certainty.data),
		fields.map((t) => [t.tag === "structure members" ? structureMap(t) : null, plainTable(t, certainty.data)]));
	if (real(memory).length) section("memory", "Memory accesses", h("p", { class: "soft" }, certainty.sample), histograms(), real(memory).map((t) => plainTable(t, certainty.sample)));
	if (real(numa).length) section("numa", "First touches and NUMA", real(numa).map((t) => t.tag === "numa matrix" ? numaMatrix(t) || plainTable(t, certainty.sample) : plainTable(t, certainty.sample)));
}
