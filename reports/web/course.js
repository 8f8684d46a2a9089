// course: the picture of how many threads did what when: areas on each other, by the time of the run.
"use strict";
ompp.course = (() => {
	const { h, svg: s, digits, axes, ticksOf, showTip } = ompp;
	const frame = { width: 860, height: 240, left: 48, right: 12, top: 12, bottom: 40 }, { width, height, left, right, top, bottom } = frame;

	// Returns the picture.
	//   slices: [{ from, to (s), values: threads by area }]; areas: [{ name, color }], from below; tip(slice); pick(slice)
	return (slices, areas, tip, pick) => {
		const end = slices[slices.length - 1].to, sum = (v, n) => v.slice(0, n).reduce((a, b) => a + b, 0);
		const most = Math.max(1, ...slices.map((v) => sum(v.values, areas.length)));
		const X = (t) => left + (width - left - right) * t / end, Y = (n) => height - bottom - (height - top - bottom) * n / most;
		const edge = (k) => slices.flatMap((v) => [[X(v.from), Y(sum(v.values, k))], [X(v.to), Y(sum(v.values, k))]]);
		const points = (list) => list.map(([x, y]) => x.toFixed(1) + "," + y.toFixed(1)).join(" ");
		const grid = axes(frame, ticksOf(0, end).map((t) => [X(t), digits(t)]), ticksOf(0, most).map((n) => [Y(n), digits(n)]), { acrossName: "seconds of the run", upName: "threads" });
		const shapes = areas.map((a, k) => s("polygon", { points: points([...edge(k + 1), ...edge(k).reverse()]), style: "fill:var(--" + a.color + ")" }));
		const picture = s("svg", { class: "lines course", viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": "threads over the time of the run" }, shapes, grid);
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
