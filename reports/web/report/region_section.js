// region_section: the table of regions, and below it the threads of the one that is chosen.
const partColumns = [
	{ title: "Region", left: true, kind: "text", value: (p) => tagOf(p.region), tip: "number of the region, in order of first execution" },
	{ title: "Type", left: true, kind: "text", value: (p) => constructs[p.construct].name + marksOf(regions[p.region]),
		tipOf: (p) => constructs[p.construct].name + (tipsOf(regions[p.region]) ? "\n" + tipsOf(regions[p.region]) : "") },
	{ title: "Place", left: true, kind: "text", value: (p) => placeOf(p.region),
		tipOf: (p) => regions[p.region].file + "\n" + placeOf(p.region) + (regions[p.region].clauses ? "\n" + regions[p.region].clauses : "") +
			(regions[p.region].sites ? "\nset at " + regions[p.region].sites : "") },
	{ title: "Time (s)", kind: "time", value: (p) => p.exec, tipOf: (p) => showFull("time", p.exec) + plusMinus(p.error) + " of all threads\n" + certainty.time + costTip(p) },
	{ title: "%", kind: "share", value: (p) => p.share, tip: "of all threads' time in the run" },
	{ title: "How it divides", value: (p) => p.exec, unsortable: true, class: "bar", cell: (p) => stack(partsOf(p.construct, p), p.exec, true),
		tipOf: () => "" },
	{ title: "Waiting %", kind: "share", value: (p) => p.waitingShare, tipOf: (p) => showFull("time", p.waiting) + "\n" + showFull("share", p.waitingShare) +
		" of all threads' time in the run\n" + certainty.time },
	{ title: "Imbalance %", kind: "share", value: (p) => p.imbalance,
		tip: "how much less than the busiest thread the threads do on average (of the body, where there is one)" },
	{ title: "Times", kind: "count", value: (p) => p.count, tip: "how often threads entered it; " + certainty.count },
];

let partTable, nodeTable, flame, pathFlame;
const drawFlames = () => [flame, pathFlame].forEach((f) => f && f.draw());
const threadBox = h("div", { id: "threads" });

function choosePart(part, move) {
	if (!part) return;
	chosen.part = part;
	chosen.node = null;
	showThreads();
	if (move) {
		partTable.search.value = "";
		partTable.search.dispatchEvent(new Event("input"));
		document.getElementById("regions").scrollIntoView();
		partTable.reveal(part);
	} else partTable.draw();
	if (nodeTable) nodeTable.draw();
	drawFlames();
}

function chooseNode(node) {
	chosen.node = node;
	chosen.part = partAt(nodes.region[node], nodes.construct[node]) || null;
	showThreads();
	partTable.draw();
	nodeTable.draw();
	drawFlames();
}

const pathOf = (node) => {
	const path = [];
	for (let i = node; i > 0; i = nodes.parent[i]) path.unshift(tagOf(nodes.region[i]));
	return path.join(" › ");
};

function threadColumns(construct, cells, most) {
	const shown = partsOf(construct, cells[0] || { exec: 0 }).map((p, i) => ({ title: p.name + " (s)", kind: "time",
		value: (cell) => partsOf(construct, cell)[i].ns, tip: [p.tip, certainty.time].filter(Boolean).join("\n"),
		cell: (cell) => show("time", partsOf(construct, cell)[i].ns) + (plusMinus(partsOf(construct, cell)[i].error) && "~"),
		tipOf: (cell) => showFull("time", partsOf(construct, cell)[i].ns) + plusMinus(partsOf(construct, cell)[i].error) }));
	return [
		{ title: "Thread", left: true, kind: "text", value: (cell) => cell.label, tip: "by its number in its team: 2.1 is thread 1 of the team that thread 2 made" },
		{ title: "", value: (cell) => cell.exec, unsortable: true, class: "bar", tipOf: () => "", cell: (cell) => stack(partsOf(construct, cell), most, true) },
		{ title: "execT (s)", kind: "time", value: (cell) => cell.exec, cell: (cell) => show("time", cell.exec) + (plusMinus(cell.error) && "~"),
			tipOf: (cell) => showFull("time", cell.exec) + plusMinus(cell.error) + "\n" + certainty.time + costTip(cell) },
		{ title: "execC", kind: "count", value: (cell) => cell.count, tip: certainty.count },
		...(shown.length > 1 ? shown : []),
		...(constructs[construct].form === "target" ? bytesOf : []).map((name) => ({ title: name + "B", kind: "count", value: (cell) => cell[name],
			tip: "bytes that clauses ask to be copied " + (name === "mapTo" ? "to the device" : "back") + ", whether copied or not; " + certainty.count })),
		...P.metrics.map((metric, m) => ({ title: metric.name, kind: "count", value: (cell) => cell.metrics[m],
			tip: [metric.unit && "in " + metric.unit, metric.certainty, metric.detail].filter(Boolean).join(", ") })),
	];
}

function showThreads() {
	const { part, node } = chosen;
	if (!part) {
		threadBox.replaceChildren(h("p", { class: "soft" }, "Choose a region, or a call path, to see what each thread did in it."));
		return;
	}
	const isPath = node !== null && part.paths > 1;
	const construct = part.construct, cells = decodeCells(isPath ? P.pathThreads[node] : P.threads[part.i]);
	const title = h("h3", {}, (isPath ? "Threads at " + pathOf(node) : "Threads in " + tagOf(part.region)) + " " + constructs[construct].name + " " + placeOf(part.region));
	const r = regions[part.region];
	const about = h("p", { class: "soft" }, [r.clauses, tipsOf(r), isPath ? "this call path alone" : part.paths > 1 ? part.paths + " call paths together" : ""]
		.filter(Boolean).join("; "));
	if (!cells) {
		threadBox.replaceChildren(title, about, h("p", { class: "note" }, "The threads of this " + (isPath ? "call path" : "region") +
			" are not in this file, which has those with most time up to its size. 'ompp report --region=" + tagOf(part.region) + "' prints them."));
		return;
	}
	const most = Math.max(...cells.map((cell) => cell.exec));
	for (const cell of cells) cell.region = part.region;
	const table = new Table(threadColumns(construct, cells, most), { name: "threads of " + tagOf(part.region), rows: cells,
		filter: (cell) => isThreadWanted(cell.label) });
	table.element.classList.add("threads");
	filtered.thread.splice(0, filtered.thread.length, () => table.refresh(), ...threadFilters);
	const source = sourceLink(part.region);
	threadBox.replaceChildren(title, about, source || "", legend(partsOf(construct, part), part.exec),
		h("div", { class: "tools" }, table.count), table.element);
}
const threadFilters = [];
let sourceLink = () => null;

function regionSection() {
	partTable = searchable(partColumns, { name: "regions", rows: parts, sort: [3, true], pick: (part) => choosePart(part),
		isChosen: (part) => chosen.part === part, filter: (part) => isRegionWanted(part.region, part.construct) });
	filtered.region.push(() => partTable.refresh());
	section("regions", "Regions",
		h("p", { class: "soft" }, "Sums of all call paths and threads. Choose one to see its threads."),
		partTable.box, threadBox);
	showThreads();
}
