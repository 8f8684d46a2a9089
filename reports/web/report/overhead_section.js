// overhead_section: the overheads of each parallel region, by their four classes.
const overheadColors = ["synch", "imbal", "limpar", "mgmt"];
function overheadSection() {
	if (!classes.list.length) return;
	const lost = (c) => c.overheads.reduce((a, b) => a + b, 0);
	const partsOfClass = (c) => [{ ns: Math.max(0, c.total - lost(c)), color: "work", name: "work" },
		...c.overheads.map((ns, k) => ({ ns, color: overheadColors[k], name: classes.names[k] }))];
	const table = searchable([
		{ title: "Region", left: true, kind: "text", value: (c) => tagOf(c.region) },
		{ title: "Place", left: true, kind: "text", value: (c) => constructs[regions[c.region].construct].name + " " + placeOf(c.region) },
		{ title: "Total (s)", kind: "time", value: (c) => c.total, tip: "of all threads of the region, from making the team to its end\n" + certainty.time },
		{ title: "Work and overheads", unsortable: true, class: "bar", value: lost, cell: (c) => stack(partsOfClass(c), c.total, true), tipOf: () => "" },
		{ title: "Ovhds %", kind: "share", value: (c) => c.total ? Math.round(1e9 * lost(c) / c.total) : null, tip: "of the region's own time" },
		{ title: "of run %", kind: "share", value: (c) => run.capacity ? Math.round(1e9 * lost(c) / run.capacity) : null, tip: "of all threads' time in the run" },
		...classes.names.map((name, k) => ({ title: name + " (s)", kind: "time", value: (c) => c.overheads[k], cell: (c) => show("time", c.overheads[k]) + (plusMinus(c.errors[k]) && "~"),
			tipOf: (c) => showFull("time", c.overheads[k]) + plusMinus(c.errors[k]) + "\n" + certainty.time })),
	], { name: "overheads of parallel regions", class: "wraps", rows: classes.list, sort: [5, true], pick: (c) => choosePart(partAt(c.region)),
		isChosen: (c) => chosen.part && chosen.part.region === c.region, filter: (c) => isRegionWanted(c.region, regions[c.region].construct) });
	filtered.region.push(() => table.refresh());
	section("overheads", "Overheads", h("p", { class: "soft" }, "Each waiting is charged once, to the innermost parallel region around it."),
		legend(partsOfClass({ total: 0, overheads: [0, 0, 0, 0] }).map(({ name, color: c }) => ({ name, color: c }))), table.box);
}
