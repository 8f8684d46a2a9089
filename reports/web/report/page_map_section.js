// page_map_section: which pages of memory were used when, and by which threads.  Given: P.pageMap (page_accesses.c).
const N_COLORS = 12; // of threads (color.def)

function pageMapSection() {
	const map = P.pageMap;
	if (!map) return;
	if (map.error) return section("page-map", "Pages over time", h("p", { class: "note" }, map.file + ": " + map.error));
	const how = (map.hasTold ? "found by " : "counted by ") + map.method + (map.hasTold ? ", where a page that the kernel tells to be written is one access" : "") + (map.unseen ? "; not seen: " + map.unseen : "");
	const lacks = [map.isWhole ? "" : "the run did not come to its end: the trace ends with what was written last",
		map.leftOut ? grouped(map.leftOut) + " uses of pages are left out, as the trace had reached its limit (OMPP_PAGES_LIMIT)" : "",
		map.objectsLeftOut ? grouped(map.objectsLeftOut) + " more objects have no pictures of their own here; ompp pages --view=heat --object=NAME shows them" : "",
		map.damaged ? grouped(map.damaged) + " bytes of the trace are damaged or cut off" : ""].filter(Boolean);
	const threadName = (key) => key < 0 ? "a thread that is not known" : "thread " + key, keyColor = (key) => key < 0 ? "unsure" : "one-" + key % N_COLORS;
	const number = (list, c) => Number((list && list[c]) || 0), name = (o) => isMissing(o) ? "all pages" : o;
	const sizeText = (row) => !row.sized ? "" : " of " + show("range", row.pageBytes) + " bytes" + (row.sized === row.pages ? "" : " (known of " + grouped(row.sized) + ")");
	const rowText = (row) => (row.object || "-") + ", " + row.first + " to " + row.last + ": " + grouped(row.pages) + (row.pages > 1 ? " pages" : " page") + sizeText(row);

	// What a cell of a picture of accesses is.
	const accessesText = (grid, columnText) => (r, c) => rowText(grid.rows[r]) + "\n" + columnText(c) + ": " + (number(grid.rows[r].accesses, c) ? grouped(number(grid.rows[r].accesses, c)) + " accesses" +
		(grid.rows[r].keys ? ", most by " + threadName(grid.rows[r].keys[c]) : "") : "no access") + "\n" + how;

	// The matrix of threads and threads as a grid: its numbers are the pages that both use.
	function matrixOf(sharing) {
		const n = sharing.threads, rows = Array.from({ length: n }, (_, a) => ({ object: "thread " + a, accesses: new Array(n).fill(0), written: new Array(n).fill(0) }));
		for (const [a, b, pages, written] of sharing.pairs.map((pair) => pair.map(Number))) {
			rows[a].accesses[b] = rows[b].accesses[a] = pages;
			rows[a].written[b] = rows[b].written[a] = written;
		}
		return { rows, columns: n, isSquare: true };
	}
	function matrix(sharing) {
		const title = "Pages that each two threads both use" + (sharing.threadsLeftOut ? "; " + sharing.threadsLeftOut + " more threads are left out, and ompp pages --view=sharing --svg=FILE draws them" : "");
		if (!sharing.pairs.length) return h("div", {}, h("h3", {}, title), h("p", { class: "soft" }, "no two threads are known to use the same page"));
		const grid = matrixOf(sharing);
		return pageGrid("page-sharing", title, grid, () => "heat", (a, b) => a === b ? "thread " + a + " itself" : "threads " + a + " and " + b + ": " +
			(grid.rows[a].accesses[b] ? grouped(grid.rows[a].accesses[b]) + (grid.rows[a].accesses[b] === 1 ? " page, " : " pages, ") + grouped(grid.rows[a].written[b]) + " of them written" : "no page of both") +
			"\ncounted by " + map.method, ["thread 0", "thread " + (sharing.threads - 1)]);
	}

	const draw = (one) => {
		if (!one.time || !one.threads) return [h("p", { class: "soft" }, "nothing")];
		if (!one.time.rows.length) return [h("p", { class: "soft" }, "no use of pages")];
		const { time: overTime, threads: byThread } = one, step = (overTime.to - overTime.from) / overTime.columns;
		const used = [...new Set(overTime.rows.flatMap((row) => (row.keys || []).filter((_, c) => number(row.accesses, c))))].sort((a, b) => a - b);
		const sum = (row) => row.accesses.reduce((all, n) => all + Number(n), 0);
		const rows = overTime.rows.map((row, r) => ({ ...row, total: sum(byThread.rows[r]), by: byThread.rows[r].accesses.map((n, t) => [Number(n), t]).filter(([n]) => n),
			times: row.accesses.map((n, c) => [Number(n), c]).filter(([n]) => n).map(([, c]) => c) }));
		const table = searchable([
			{ title: "Object", left: true, kind: "text", value: (row) => row.object },
			{ title: "First page", left: true, kind: "text", value: (row) => row.first, tipOf: rowText },
			{ title: "Pages", kind: "count", value: (row) => row.pages },
			{ title: "Accesses", kind: "count", value: (row) => row.total, tip: how },
			{ title: "Threads", kind: "count", value: (row) => row.by.length, tipOf: (row) => "used by " + row.by.map(([, t]) => "thread " + t).join(", ") + "\n" + how },
			{ title: "Most by", left: true, kind: "text", value: (row) => row.by.length ? "thread " + row.by.reduce((a, b) => b[0] > a[0] ? b : a)[1] : null },
			{ title: "From (s)", kind: "time", value: (row) => row.times.length ? Math.round(overTime.from + step * row.times[0]) : null, tip: "of the run, to " + time(step) },
			{ title: "To (s)", kind: "time", value: (row) => row.times.length ? Math.round(overTime.from + step * (row.times[row.times.length - 1] + 1)) : null, tip: "of the run, to " + time(step) },
			{ title: "Page bytes", kind: "range", value: (row) => row.pageBytes, tipOf: rowText },
		], { name: "pages of " + name(one.object), rows });
		return [legend(used.slice(0, 24).map((key) => ({ name: threadName(key), color: keyColor(key) }))),
			h("div", { class: "panes" }, pageGrid("page-times", "Over time: " + time(overTime.from) + " to " + time(overTime.to) + " of the run", overTime, (row, c) => keyColor(row.keys[c]),
				accessesText(overTime, (c) => time(overTime.from + c * step) + " to " + time(overTime.from + (c + 1) * step)),
				[0, 0.25, 0.5, 0.75, 1].map((share) => seconds(overTime.from + share * step * overTime.columns).slice(0, -6) + " s")),
			pageGrid("page-threads", "By threads 0 to " + (byThread.columns - 1) + (byThread.columnsLeftOut ? "; " + byThread.columnsLeftOut + " more are left out" : ""), byThread, (_, c) => keyColor(c), accessesText(byThread, (c) => "thread " + c), ["thread 0"].concat(byThread.columns > 1 ? "thread " + (byThread.columns - 1) : [])), one.sharing ? matrix(one.sharing) : []), table.box];
	};
	section("page-map", "Pages over time", h("p", { class: "soft" }, "From top to bottom: pages in the order of their addresses, without the gaps between them; beside them their object, or the address of the first page of the row. A colour is the thread with most accesses; each lighter shade is half as many. They are " + how +
		(map.interval ? "; a use is known to within " + time(map.apart) + (map.longest > map.apart ? ", a few to " + time(map.longest) : "") +
			(map.ahead ? "; loops that are counted as a whole went on up to " + time(map.ahead) + " behind that" : "") + ": of uses that overlap in time the order is not known" : "")), lacks.map((text) => h("p", { class: "note" }, text)), chooser("pages of: ", { id: "page-map-object", "aria-label": "pages of" }, map.pictures, (one) => name(one.object), draw));
}
