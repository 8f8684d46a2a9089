// hot_section: functions by processor time, by samples.  Given: P.hot (page_hot.c).
const hotTip = "by samples of the kernel's clock in user mode; the error is the standard error";
function hotSection() {
	const hot = P.hot;
	if (!hot) return;
	const shareText = (row) => percent(row.share, 1e9) + " ± " + percent(row.shareError, 1e9);
	const whereOf = (row) => row.region < 0 ? hot.outside : tagOf(row.region) + " " + constructs[regions[row.region].construct].name + " " + placeOf(row.region);
	for (const row of hot.rows) for (const key of ["samples", "ns", "error"]) row[key] = Number(row[key]);
	const table = searchable([
		{ title: "Function", left: true, kind: "text", value: (row) => row.function },
		{ title: "Line", left: true, kind: "text", value: (row) => row.place, tip: "the line with most samples of the function", tipOf: (row) => row.file ? row.file + (row.line ? ":" + row.line : "") : "not known" },
		{ title: "CPU time (s)", kind: "time", value: (row) => row.ns, cell: (row) => show("time", row.ns) + "~", tip: hotTip,
			tipOf: (row) => showFull("time", row.ns) + plusMinus(row.error) + ", " + grouped(row.samples) + (row.samples === 1 ? " sample\n" : " samples\n") + hotTip },
		{ title: "% of the region", kind: "share", value: (row) => row.share, tipOf: (row) => shareText(row) + " of the region's samples" },
		{ title: "% of all", kind: "share", value: (row) => row.shareAll, tip: "of all samples of the run" },
		{ title: "In", left: true, kind: "text", value: whereOf },
	], { name: "hot spots", rows: hot.rows, sort: [2, true], pick: (row) => { if (row.region >= 0) choosePart(partAt(row.region) || partAt(row.region, taskExec)); },
		isChosen: (row) => row.region >= 0 && !!chosen.part && chosen.part.region === row.region,
		filter: (row) => matchesAt(whereOf(row) + " " + row.function + " " + row.place, splitWords(filters.region), row.file, row.line, row.line) ||
			(row.region >= 0 && isRegionWanted(row.region, regions[row.region].construct)) });
	filtered.region.push(() => table.refresh());
	const plural = (n, noun) => grouped(n) + " " + noun + (n === 1 ? "" : "s");
	const lacks = [hot.lost ? plural(hot.lost, "sample") + " found no room, as a thread had no event for long: their function is not known." : "",
		hot.own ? plural(hot.own, "more sample") + " in kinst's own code, which counts accesses and times regions, left out." : "",
		hot.stopped ? plural(hot.stopped, "thread") + " sampled at the beginning only, as sampling all of it would take more than 1 % longer." : "",
		hot.leftOut ? plural(hot.leftOut, "more function") + " with fewer samples are not in the page." : ""].filter(Boolean);
	section("hot", "Hot spots", h("p", { class: "soft" }, "Functions by processor time in user mode: " + plural(hot.samples, "sample") + ", one each " + time(hot.period) + " of a thread's. Choose one to see its region's threads."),
		lacks.map((text) => h("p", { class: "note" }, text)), table.box);
}
