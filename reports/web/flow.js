// flow: the page of a view of a trace.  What it shows stands in the element "flow": tables with kinds of numbers (ompp-flow(1)).
"use strict";
(() => {
	const { h, show, showFull, isMissing, searchable, section } = ompp;
	const F = JSON.parse(document.getElementById("flow").textContent);

	const LEFT = ["text", "none"];
	const refreshed = [];

	function tableOf(t, name) {
		const columns = t.columns.map((column, i) => ({
			title: column.title,
			left: LEFT.includes(column.kind),
			value: (row) => row[i],
			cell: (row) => show(column.kind, row[i]),
			tipOf: (row) => column.title + ": " + showFull(column.kind, row[i]),
		}));
		const table = searchable(columns, { name, rows: t.rows });
		refreshed.push(table);
		return table.box;
	}

	const facts = F.processes.map((p) => [h("dt", {}, "process " + (p.process ?? p.pid)), h("dd", {},
		p.path + (p.moved_ns ? "; its times are moved by " + showFull("time", p.moved_ns) + ", as its clock is another one" : "") +
		(isMissing(p.lost) ? "; the trace has no end" : p.lost || p.left_out ? "; " + p.left_out + " events are left out, " + p.lost + " lost" : "") +
		(p.damaged_bytes ? "; " + p.damaged_bytes + " bytes are damaged" : ""))]);
	const sections = F.tables.map((t, i) => section(t.tag || F.view + (i || ""), t.tag || F.view, h("p", { class: "soft" }, t.heading), tableOf(t, t.tag || F.view)));
	sections.push(section("traces", "Traces",
		h("p", {}, "Numbers are estimates from samples; +- is their standard error." + (F.latencies ? " Latencies are in " + F.latencies + "." : "") +
			(F.imagined_nodes ? " NUMA nodes are emulated: the threads are assigned to " + F.imagined_nodes + " of them, and pages lie where they were touched first." : "")),
		h("dl", { class: "facts" }, facts)));
	ompp.frame(F.app || "trace", "ompp flow --view=" + F.view, sections);
	for (const table of refreshed) table.refresh();
	document.documentElement.dataset.ready = "1";
})();
