// course: the picture of how many threads did what when: areas on each other, by the time of the run.
"use strict";
ompp.course = (() => {
	const { h, svg: s, digits, showTip } = ompp;
	const width = 860, height = 240, left = 48, right = 12, top = 12, bottom = 40;

	// Returns round numbers up to most, some five of them.
	const ticks = (most) => {
		const raw = most / 5, unit = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map((k) => k * unit).find((v) => v >= raw);
		return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => i * step);
	};

	// Returns the picture.
	//   slices: [{ from, to (s), values: threads by area }]; areas: [{ name, color }], from below; tip(slice); pick(slice)
	return (slices, areas, tip, pick) => {
		const end = slices[slices.length - 1].to, sum = (v, n) => v.slice(0, n).reduce((a, b) => a + b, 0);
		const most = Math.max(1, ...slices.map((v) => sum(v.values, areas.length)));
		const X = (t) => left + (width - left - right) * t / end, Y = (n) => height - bottom - (height - top - bottom) * n / most;
		const edge = (k) => slices.flatMap((v) => [[X(v.from), Y(sum(v.values, k))], [X(v.to), Y(sum(v.values, k))]]);
		const points = (list) => list.map(([x, y]) => x.toFixed(1) + "," + y.toFixed(1)).join(" ");
		const grid = [...ticks(end).map((t) => s("text", { x: X(t), y: height - bottom + 17, "text-anchor": "middle" }, digits(t))),
			...ticks(most).map((n) => [s("line", { class: "grid", x1: left, x2: width - right, y1: Y(n), y2: Y(n) }),
				s("text", { x: left - 6, y: Y(n) + 4, "text-anchor": "end" }, digits(n))])].flat();
		const shapes = areas.map((a, k) => s("polygon", { points: points([...edge(k + 1), ...edge(k).reverse()]), style: "fill:var(--" + a.color + ")" }));
		const picture = s("svg", { class: "lines course", viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": "threads over the time of the run" }, shapes, grid,
			s("text", { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, "seconds of the run"),
			s("text", { x: 12, y: (top + height - bottom) / 2, "text-anchor": "middle", transform: "rotate(-90 12 " + (top + height - bottom) / 2 + ")" }, "threads"));
		const find = (event) => {
			const box = picture.getBoundingClientRect(), t = ((event.clientX - box.left) * width / box.width - left) / (width - left - right) * end;
			return slices.find((v) => v.from <= t && t < v.to);
		};
		picture.addEventListener("mousemove", (event) => { const v = find(event); showTip(v ? tip(v) : "", event.clientX, event.clientY); });
		picture.addEventListener("mouseleave", () => showTip(""));
		picture.addEventListener("click", (event) => { const v = find(event); if (v) pick(v); });
		return h("div", { class: "plot" }, picture);
	};
})();
