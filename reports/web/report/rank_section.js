// rank_section: what each rank spent in each region, as a picture (ranks.js) and a table.
// Returns what each rank spent in a part of the program, the sum of its threads; null when the page has no threads of it.
function ofRanks(part, ranks, measure) {
	const cells = decodeCells(P.threads[part.i]), values = new Array(ranks.length).fill(null);
	for (const cell of cells ?? []) {
		const rank = ranks.index.get(cell.label.split(":")[0]);
		values[rank] = (values[rank] ?? 0) + measure(part, cell);
	}
	return cells && values;
}

function ranksSection() {
	if (!(run.processes > 1)) return;
	const ranks = [...new Set(threads.map((label) => label.split(":")[0]))], MOST = 40;
	ranks.index = new Map(ranks.map((name, i) => [name, i]));
	const measures = { time: (part, cell) => known(cell.exec), body: (part, cell) => known(hasBody(part.construct) ? cell.body : cell.exec), waiting: (part, cell) => waitingOf(part.construct, cell) };
	const select = h("select", {}, Object.keys(measures).map((name) => h("option", {}, name))), box = h("div", {});
	const draw = () => {
		const wanted = parts.filter((part) => P.threads[part.i] && isRegionWanted(part.region, part.construct)).sort((a, b) => b.exec - a.exec);
		const rows = wanted.slice(0, MOST).map((part) => ({ part, name: regionText(part.region, part.construct), values: ofRanks(part, ranks, measures[select.value]), pick: () => choosePart(part, true) }));
		for (const row of rows) {
			const there = row.values.map((ns, rank) => ({ ns, rank })).filter(({ ns }) => ns !== null).sort((a, b) => a.ns - b.ns || a.rank - b.rank);
			Object.assign(row, { n: there.length, least: there[0], most: there[there.length - 1], mean: there.reduce((sum, { ns }) => sum + ns, 0) / there.length });
		}
		const tip = (row, rank) => ranks[rank] + ", " + row.name + "\n" + showFull("time", row.values[rank]) + " of all its threads; of all ranks at least " + time(row.least.ns) + " (" + ranks[row.least.rank] + "), at most " +
			time(row.most.ns) + " (" + ranks[row.most.rank] + ")\n" + certainty.time;
		const table = new Table([{ title: "Region", left: true, kind: "text", value: (row) => row.name }, { title: "Ranks", kind: "count", value: (row) => row.n },
			{ title: "Least (s)", kind: "time", value: (row) => row.least.ns }, { title: "Rank", left: true, kind: "text", value: (row) => ranks[row.least.rank] }, { title: "Mean (s)", kind: "time", value: (row) => Math.round(row.mean) },
			{ title: "Most (s)", kind: "time", value: (row) => row.most.ns }, { title: "Rank ", left: true, kind: "text", value: (row) => ranks[row.most.rank] }], { name: "ranks", rows });
		box.replaceChildren(...rows.length ? [ompp.ranks.draw(ranks, rows, tip), table.element] : [], ...wanted.length > MOST ? [h("p", { class: "note" }, "Of " + wanted.length + " regions those with most time are drawn; the filter of regions chooses others.")] : []);
		if (rows.length) table.draw();
	};
	select.addEventListener("change", draw);
	filtered.region.push(draw);
	draw();
	section("ranks", "Ranks", h("p", { class: "soft" }, "A column is a rank, a row is a region; a field is the darker the more of the most of its row the rank has, of all its threads. " + certainty.time + "."), h("div", { class: "tools" }, h("label", {}, "show: ", select)), box);
}
