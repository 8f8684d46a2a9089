// duration_section: how long one visit of a thread takes: first, shortest, middle and longest ones.
const regionByTag = new Map(regions.map((_, i) => [tagOf(i), i]));
function durationSection() {
	const t = tableOf("durations", "");
	if (!t || !t.rows.length) return;
	const rows = named(t).map((of) => {
		const region = regionByTag.get(of.region);
		const between = (name) => ({ least: numberOf(of[name + " at least"]), most: numberOf(of[name + " at most"]) });
		return { region, construct: of.type === "TASKEXEC" ? taskExec : regions[region].construct, visits: numberOf(of.visits), first: numberOf(of.firstT), least: numberOf(of.leastT),
			median: between("medianT"), p95: between("95 %T"), most: numberOf(of.mostT), at: numberOf(of.at), thread: of.TID };
	});
	const middleOf = (b) => isMissing(b.least) ? null : b.least + Math.floor((b.most - b.least) / 2);
	const exact = (title, key, tip) => ({ title: title + " (s)", kind: "time", value: (d) => d[key], tip: tip + "\n" + certainty.time });
	const quantile = (title, key, tip) => ({ title: title + " (s)", kind: "time", value: (d) => middleOf(d[key]), cell: (d) => isMissing(d[key].least) ? "-" : show("time", middleOf(d[key])) + "~",
		tipOf: (d) => isMissing(d[key].least) ? "not known: there was no visit but the first ones" : "between " + showFull("time", d[key].least) + " and " + showFull("time", d[key].most) + "\n" + tip });
	const table = searchable([
		{ title: "Region", left: true, kind: "text", value: (d) => tagOf(d.region) },
		{ title: "Type", left: true, kind: "text", value: (d) => constructs[d.construct].name },
		{ title: "Place", left: true, kind: "text", value: (d) => placeOf(d.region) },
		{ title: "Visits", kind: "count", value: (d) => d.visits, tip: "of all threads, the first ones with them; " + certainty.count },
		exact("First", "first", "the longest first visit of a thread, which is not among the others"),
		exact("Shortest", "least", "without first visits"),
		quantile("Median", "median", "half of the visits take no longer"),
		quantile("95 %", "p95", "95 of 100 visits take no longer"),
		exact("Longest", "most", "without first visits"),
		{ title: "It was", kind: "count", value: (d) => d.at, tip: "the number of the longest visit among its thread's: which one of them it was" },
		{ title: "by thread", left: true, kind: "text", value: (d) => d.thread },
	], { name: "durations of visits", rows, sort: [8, true], pick: (d) => choosePart(partAt(d.region, d.construct)),
		isChosen: (d) => chosen.part && chosen.part.region === d.region && chosen.part.construct === d.construct, filter: (d) => isRegionWanted(d.region, d.construct) });
	filtered.region.push(() => table.refresh());
	section("durations", "Durations of visits", h("p", { class: "soft" }, "How long one visit of a thread takes: a first visit that is long is warm-up, a longest one far above 95 % is an outlier."), table.box);
}
