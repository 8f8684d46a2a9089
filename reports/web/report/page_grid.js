// page_grid: a picture whose cells are pages over time, or by threads, or pairs of threads; the arrow keys go through them.
const STRENGTHS = 8; // shades

// A canvas with a row for some pages, whose cells are times or threads; or one with a row for each thread.  Its left
// axis has objects and addresses, its lower one the texts of ends, evenly.
function pageGrid(id, title, grid, colorOf, cellText, ends) {
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
