// source_section: source files, with the times of the regions that begin at a line.  Given: P.sources (page_source.c).
function sourceSection() {
	if (!P.sources || !P.sources.length) return;
	const files = P.sources, hasSamples = files.some((f) => f.sums && f.sums.some((sum) => sum.samples !== undefined));
	// The first part of the region that begins at a line is chosen with it.
	const partAt = new Map(), key = (file, line) => file + "\n" + line;
	for (const part of parts) {
		const r = regions[part.region], k = key(r.file, r.begin);
		if (r.file && r.begin && !partAt.has(k)) partAt.set(k, part);
	}
	const hotAt = new Map(), hasHot = files.some((f) => f.hot.length);
	for (const f of files) for (const [line, n, ns, error] of f.hot) hotAt.set(key(f.file, line), { n: Number(n), ns: Number(ns), error: Number(error) });
	const select = h("select", { id: "source-file", "aria-label": "source file", onchange: () => draw() }, files.map((f, i) => h("option", { value: i }, f.file + (f.lines ? "" : " (" + f.why + ")"))));
	const box = h("div", {});
	let table = null, rows = [];
	const draw = () => {
		const f = files[Number(select.value)];
		table = null;
		if (!f.lines) {
			box.replaceChildren(h("p", { class: "note" }, f.file + ": " + f.why));
			return;
		}
		const sums = new Map(f.sums.map((sum) => [sum.line, sum]));
		rows = f.lines.map((text, i) => ({ n: i + 1, text, part: partAt.get(key(f.file, i + 1)), hot: hotAt.get(key(f.file, i + 1)), ...sums.get(i + 1) }));
		table = new Table([
			{ title: "Line", kind: "count", value: (row) => row.n, unsortable: true },
			{ title: "Time (s)", kind: "time", value: (row) => row.exec, unsortable: true, cell: (row) => row.exec === undefined ? "" : show("time", row.exec),
				tipOf: (row) => row.exec === undefined ? "" : showFull("time", row.exec) + " of all threads, in the regions that begin here\n" + certainty.time },
			{ title: "Waiting (s)", kind: "time", value: (row) => row.waiting, unsortable: true, cell: (row) => row.exec === undefined ? "" : show("time", row.waiting), tipOf: (row) => row.exec === undefined ? "" : showFull("time", row.waiting) },
			{ title: "Times", kind: "count", value: (row) => row.count, unsortable: true, cell: (row) => row.count === undefined ? "" : show("count", row.count), tipOf: () => certainty.count },
			...(hasHot ? [{ title: "CPU (s)", kind: "time", value: (row) => row.hot?.ns, unsortable: true, class: "hot", tip: "processor time of the line itself, in all regions\n" + hotTip,
				cell: (row) => row.hot ? show("time", row.hot.ns) + "~" : "", tipOf: (row) => row.hot ? showFull("time", row.hot.ns) + plusMinus(row.hot.error) + ", " + grouped(row.hot.n) + (row.hot.n === 1 ? " sample\n" : " samples\n") + hotTip : "" }] : []),
			...(hasSamples ? [{ title: "Samples", kind: "count", value: (row) => row.samples, unsortable: true, cell: (row) => row.samples === undefined ? "" : show("count", row.samples), tipOf: () => certainty.sample }] : []),
			{ title: "Source", left: true, value: (row) => row.text, unsortable: true, class: "code", cell: (row) => row.text, tipOf: () => "" },
		], { name: "source", class: "source", rows, pick: (row) => { if (row.part) choosePart(row.part); }, isChosen: (row) => !!row.part && chosen.part === row.part });
		box.replaceChildren(f.changed ? h("p", { class: "note" }, "This file was changed after the run began: its lines may not be those of the program.") : "", table.element);
		const wanted = rows.find((row) => row.part && row.part === chosen.part) || rows.find((row) => row.part);
		if (wanted) requestAnimationFrame(() => table.reveal(wanted));
	};
	draw();
	sourceLink = (region) => {
		const i = files.findIndex((f) => f.file === regions[region].file && f.lines);
		return i < 0 ? null : h("p", {}, h("button", { onclick: () => {
			select.value = i;
			draw();
			document.getElementById("source").scrollIntoView();
			table.reveal(rows[regions[region].begin - 1]);
		} }, "show its source"));
	};
	section("source", "Source", h("div", { class: "tools" }, h("label", {}, "file: ", select)), box);
}
