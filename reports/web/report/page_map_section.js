// page_map_section: which pages of memory were used when, and by which threads.  Given: P.pageMap (page_accesses.c).
const N_COLORS = 12, STRENGTHS = 8; // of threads (color.def); shades

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
	const box = h("div", {}), select = h("select", { id: "page-map-object", "aria-label": "pages of", onchange: () => draw() });
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
		return picture("page-sharing", title, grid, () => "heat", (a, b) => a === b ? "thread " + a + " itself" : "threads " + a + " and " + b + ": " +
			(grid.rows[a].accesses[b] ? grouped(grid.rows[a].accesses[b]) + (grid.rows[a].accesses[b] === 1 ? " page, " : " pages, ") + grouped(grid.rows[a].written[b]) + " of them written" : "no page of both") +
			"\ncounted by " + map.method, ["thread 0", "thread " + (sharing.threads - 1)]);
	}

	// A canvas with a row for some pages, whose cells are times or threads; or one with a row for each thread.  Its left
	// axis has objects and addresses, its lower one the texts of ends, evenly.
	function picture(id, title, grid, colorOf, cellText, ends) {
		const most = Math.max(1, ...grid.rows.flatMap((row) => row.accesses.map(Number)));
		const strength = (n) => n > 0 ? Math.max(1, STRENGTHS - Math.floor(Math.log2(most / n))) : 0;
		const high = Math.max(3, Math.min(grid.isSquare ? 24 : 14, Math.floor(420 / Math.max(1, grid.rows.length))));
		const canvas = h("canvas", { id, tabindex: "0", role: "img", "aria-label": title + ": the arrow keys go through its cells" });
		const axis = h("div", { class: "axis" }, ends.map((text) => h("span", {}, text)));
		let at = null, left = 0;
		const wideIn = (width) => Math.min(grid.isSquare ? high : width, (width - left) / grid.columns);
		function paint() {
			const width = canvas.clientWidth || 600, height = grid.rows.length * high, c = ompp.context(canvas, width, height);
			left = width > 500 ? 140 : 0;
			const wide = wideIn(width), colors = new Map();
			c.fillStyle = color("panel");
			c.fillRect(left, 0, wide * grid.columns, height);
			axis.style.marginLeft = left + "px";
			axis.style.width = wide * grid.columns + "px";
			let named = -1;
			c.font = "11px sans-serif";
			grid.rows.forEach((row, r) => {
				row.accesses.forEach((n, k) => {
					const s = strength(Number(n));
					if (!s) return;
					c.globalAlpha = 0.15 + 0.85 * s / STRENGTHS;
					const name = colorOf(row, k);
					if (!colors.has(name)) colors.set(name, color(name));
					c.fillStyle = colors.get(name);
					const x = Math.floor(left + k * wide); // no seams between cells
					c.fillRect(x, r * high, Math.max(1, Math.floor(left + (k + 1) * wide) - x), high);
				});
				c.globalAlpha = 1;
				const isNew = !r || row.object !== grid.rows[r - 1].object, isFree = named < 0 || (r - named) * high >= 12;
				if (left && isFree && (isNew || (row.first && (r - named) * high >= 24))) {
					c.fillStyle = color(isNew ? "ink" : "soft");
					c.fillText(isNew ? row.object : row.first, 2, r * high + 10, left - 6);
					named = r;
				}
			});
			if (at && document.activeElement === canvas) {
				c.strokeStyle = color("link");
				c.lineWidth = 2;
				c.strokeRect(left + at.c * wide, at.r * high, Math.max(3, wide), high);
			}
		}
		const cellAt = (event) => {
			const rect = canvas.getBoundingClientRect(), wide = wideIn(rect.width);
			const r = Math.floor((event.clientY - rect.top) / high), k = Math.floor((event.clientX - rect.left - left) / wide);
			return r >= 0 && r < grid.rows.length && k >= 0 && k < grid.columns ? { r, c: k } : null;
		};
		canvas.addEventListener("mousemove", (event) => {
			const cell = cellAt(event);
			ompp.showTip(cell ? cellText(cell.r, cell.c) : "", event.clientX, event.clientY);
		});
		canvas.addEventListener("mouseleave", () => ompp.showTip(""));
		canvas.addEventListener("blur", paint);
		canvas.addEventListener("keydown", (event) => {
			const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
			if (!step || !grid.rows.length) return;
			event.preventDefault();
			at = at ? { r: Math.max(0, Math.min(grid.rows.length - 1, at.r + step[0])), c: Math.max(0, Math.min(grid.columns - 1, at.c + step[1])) } : { r: 0, c: 0 };
			paint();
			const rect = canvas.getBoundingClientRect();
			ompp.showTip(cellText(at.r, at.c), rect.left + left + (at.c + 0.5) * wideIn(rect.width), rect.top + at.r * high);
		});
		ompp.redrawn(canvas, paint);
		requestAnimationFrame(paint);
		return h("div", {}, h("h3", {}, title), canvas, axis);
	}

	const draw = () => {
		const one = map.pictures[Number(select.value)];
		if (!one || !one.time || !one.threads) return box.replaceChildren(h("p", { class: "soft" }, "nothing"));
		if (!one.time.rows.length) return box.replaceChildren(h("p", { class: "soft" }, "no use of pages"));
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
		box.replaceChildren(legend(used.slice(0, 24).map((key) => ({ name: threadName(key), color: keyColor(key) }))),
			h("div", { class: "panes" }, picture("page-times", "Over time: " + time(overTime.from) + " to " + time(overTime.to) + " of the run", overTime, (row, c) => keyColor(row.keys[c]),
				accessesText(overTime, (c) => time(overTime.from + c * step) + " to " + time(overTime.from + (c + 1) * step)),
				[0, 0.25, 0.5, 0.75, 1].map((share) => seconds(overTime.from + share * step * overTime.columns).slice(0, -6) + " s")),
			picture("page-threads", "By threads 0 to " + (byThread.columns - 1) + (byThread.columnsLeftOut ? "; " + byThread.columnsLeftOut + " more are left out" : ""), byThread, (_, c) => keyColor(c), accessesText(byThread, (c) => "thread " + c), ["thread 0"].concat(byThread.columns > 1 ? "thread " + (byThread.columns - 1) : [])), one.sharing ? matrix(one.sharing) : []), table.box);
	};
	const fill = () => {
		select.replaceChildren(...map.pictures.map((one, i) => [one, i]).filter(([one]) => isMissing(one.object) || isObjectWanted(one.object)).map(([one, i]) => h("option", { value: i }, name(one.object))));
		draw();
	};
	fill();
	filtered.object.push(fill);
	section("page-map", "Pages over time", h("p", { class: "soft" }, "From top to bottom: pages in the order of their addresses, without the gaps between them; beside them their object, or the address of the first page of the row. A colour is the thread with most accesses; each lighter shade is half as many. They are " + how +
		(map.interval ? "; a use is known to within " + time(map.apart) + (map.longest > map.apart ? ", a few to " + time(map.longest) : "") +
			(map.ahead ? "; loops that are counted as a whole went on up to " + time(map.ahead) + " behind that" : "") + ": of uses that overlap in time the order is not known" : "")), lacks.map((text) => h("p", { class: "note" }, text)), h("div", { class: "tools" }, h("label", {}, "pages of: ", select)), box);
}
