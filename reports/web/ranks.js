// ranks: the picture of what each rank did in each region: a column for each rank, a row for each region.
"use strict";
ompp.ranks = (() => {
	const { h, color, showTip } = ompp;
	const LEAST = 3, MOST = 24, ROW = 18, WIDTH = 860;

	// Returns the picture.  A field is the darker the more of the row's most it has; one without a number is empty.
	//   ranks: names; rows: [{ name, values: by rank, null: none, pick() }]; tip(row, rank)
	const draw = (ranks, rows, tip) => {
		const side = Math.max(1, Math.min(MOST, Math.floor(WIDTH / ranks.length) || 1)), each = Math.max(1, Math.ceil(ranks.length * LEAST / (4 * WIDTH)));
		const columns = Math.ceil(ranks.length / each), width = columns * Math.max(side, LEAST);
		const canvas = h("canvas", { class: "rankmap", width, height: rows.length * ROW, role: "img", tabindex: "0",
			"aria-label": "time of " + ranks.length + " ranks in " + rows.length + " regions" });
		const g = canvas.getContext("2d"), side2 = width / columns;
		const rankAt = (row, x) => { // of several ranks in a column that with most
			const from = Math.floor(x / side2) * each, of = [];
			for (let r = from; r < Math.min(from + each, ranks.length); r++) if (row.values[r] !== null) of.push(r);
			return of.reduce((best, r) => best === undefined || row.values[r] > row.values[best] ? r : best, undefined);
		};
		rows.forEach((row, i) => {
			const most = Math.max(...row.values.map((v) => v ?? 0), 1);
			for (let c = 0; c < columns; c++) {
				const r = rankAt(row, c * side2);
				if (r === undefined) continue;
				g.fillStyle = color("work");
				g.globalAlpha = 0.05 + 0.95 * row.values[r] / most;
				g.fillRect(c * side2, i * ROW, side2, ROW - 1);
			}
		});
		const find = (event) => {
			const box = canvas.getBoundingClientRect(), x = (event.clientX - box.left) * width / box.width;
			const row = rows[Math.floor((event.clientY - box.top) * rows.length / box.height)];
			return { row, rank: row && x >= 0 && x < width ? rankAt(row, x) : undefined };
		};
		canvas.addEventListener("mousemove", (event) => {
			const { row, rank } = find(event);
			showTip(rank === undefined ? "" : tip(row, rank), event.clientX, event.clientY);
		});
		canvas.addEventListener("mouseleave", () => showTip(""));
		canvas.addEventListener("click", (event) => find(event).row?.pick());
		return h("div", { class: "plot ranks" }, h("div", { class: "names", style: "line-height:" + ROW + "px" }, rows.map((row) => h("div", { "data-tip": row.name }, row.name))), canvas);
	};
	return { draw };
})();
