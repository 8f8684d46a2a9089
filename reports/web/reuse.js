// reuse: the picture of miss ratios: the share of accesses that miss over the size of a cache, by powers of two.
"use strict";
ompp.reuse = (() => {
	const { h, svg: s, digits, axes } = ompp;
	const frame = { width: 860, height: 300, left: 54, right: 20, top: 24, bottom: 46 }, { width, height, left, right, top, bottom } = frame;

	const size = (bytes) => {
		let unit = 0;
		for (bytes /= 1024; bytes >= 1024 && unit < 3; unit++) bytes /= 1024;
		return digits(bytes).replace(/\.0+$/, "") + " " + ["KiB", "MiB", "GiB", "TiB"][unit];
	};

	// Returns the picture.
	//   curves: { name, tip, points: [{ bytes, percent, error }] in the order of bytes, color, pick() }
	//   caches: sizes that the machine has { name, bytes }
	const draw = (curves, caches) => {
		const all = curves.flatMap((c) => c.points), sizes = [...all.map((p) => p.bytes), ...caches.map((c) => c.bytes)];
		const from = Math.min(...sizes), to = Math.max(2 * from, ...sizes), most = Math.max(1e-6, ...all.map((p) => p.percent)) * 1.05;
		const X = (bytes) => left + (width - left - right) * Math.log(bytes / from) / Math.log(to / from), Y = (percent) => height - bottom - (height - top - bottom) * percent / most;
		const ticks = [], each = Math.max(1, Math.ceil(Math.log2(to / from) / 12));
		for (let bytes = from; bytes <= to; bytes *= 2 ** each) ticks.push(bytes);
		const grid = axes(frame, ticks.map((v) => [X(v), size(v)]), [0, 0.25, 0.5, 0.75, 1].map((v) => [Y(v * most), Number((v * most).toPrecision(3))]),
			{ acrossName: "size of a thread's cache", upName: "misses (%)", withColumns: true });
		const marks = caches.map((c) => s("g", { class: "ceiling", role: "img", "aria-label": c.name + ": " + size(c.bytes), "data-tip": c.name + ": " + size(c.bytes) },
			s("line", { x1: X(c.bytes), x2: X(c.bytes), y1: top, y2: height - bottom }), s("text", { x: X(c.bytes), y: top - 6, "text-anchor": "middle" }, c.name)));
		const lines = curves.map((c) => {
			// a size has its misses up to the next size that is known
			const path = c.points.map((p, i) => (i ? "H" + X(p.bytes).toFixed(1) + "V" : "M" + X(p.bytes).toFixed(1) + " ") + Y(p.percent).toFixed(1)).join("");
			const e = s("g", { class: "part", tabindex: "0", role: "img", "aria-label": c.tip, "data-tip": c.tip, style: "color:var(--" + c.color + ")" }, s("path", { d: path }),
				c.points.map((p) => s("circle", { cx: X(p.bytes), cy: Y(p.percent), r: 3, "data-tip": c.name + "\n" + size(p.bytes) + ": " + Number(p.percent.toPrecision(4)) + " % +- " + Number(p.error.toPrecision(2)) + " % of its accesses miss" })));
			e.addEventListener("click", c.pick);
			return e;
		});
		return h("div", { class: "plot" }, s("svg", { class: "lines roofline reuse", viewBox: "0 0 " + width + " " + height, role: "group", "aria-label": "miss ratios" },
			grid, marks, lines));
	};
	return { draw, size };
})();
