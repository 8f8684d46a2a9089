// roofline: the picture of a roofline: operations a second over operations a byte, both by powers of ten.
"use strict";
ompp.roofline = (() => {
	const { h, svg: s, axes } = ompp;
	const frame = { width: 860, height: 350, left: 64, right: 20, top: 16, bottom: 46 }, { width, height, left, right, top, bottom } = frame;
	const LEAST = 4, MOST = 16;

	// An axis of powers of ten that holds all values.
	function axisOf(values) {
		const known = values.filter((v) => v > 0 && Number.isFinite(v));
		const from = 10 ** Math.floor(Math.log10(Math.min(1, ...known) / 1.5)), to = 10 ** Math.ceil(Math.log10(Math.max(1, ...known) * 1.5)), ticks = [];
		for (let k = Math.round(Math.log10(from)); k <= Math.round(Math.log10(to)); k++) ticks.push(k < 0 ? 1 / 10 ** -k : 10 ** k);
		return { from, to, ticks, at: (v) => Math.log(v / from) / Math.log(to / from) };
	}

	// Returns the picture.
	//   dots: { name, tip, x (flop/byte), y (Gflop/s, null: not known), weight (of 1), color, pick() }
	//   peaks: horizontal ceilings { name, rate (Gflop/s), tip }; slopes: ceilings by bandwidth { name, rate (GB/s), tip }
	return (dots, peaks, slopes) => {
		const most = Math.max(0, ...peaks.map((p) => p.rate));
		const xAxis = axisOf([0.01, 100, ...dots.map((d) => d.x), ...slopes.map((r) => most / r.rate)]);
		const yAxis = axisOf([...dots.map((d) => d.y), ...peaks.map((p) => p.rate), most / 1000]);
		const X = (x) => left + (width - left - right) * xAxis.at(x), Y = (y) => height - bottom - (height - top - bottom) * yAxis.at(y);
		const grid = axes(frame, xAxis.ticks.map((v) => [X(v), String(v)]), yAxis.ticks.map((v) => [Y(v), String(v)]), { acrossName: "flop/byte", upName: "Gflop/s", withColumns: true });
		const ceiling = (name, tip, x1, y1, x2, y2, label) => s("g", { class: "ceiling", tabindex: "0", role: "img", "aria-label": tip, "data-tip": tip },
			s("line", { x1: X(x1), y1: Y(y1), x2: X(x2), y2: Y(y2) }), s("text", label, name));
		// a name that would stand on another one is left to the tip
		let last = -Infinity;
		const isFree = (y) => y - last >= 13 && (last = y, true);
		const flat = peaks.slice().sort((a, b) => b.rate - a.rate).map((p) => ceiling(isFree(Y(p.rate)) ? p.name : "", p.tip, Math.min(xAxis.to, ...slopes.map((r) => p.rate / r.rate)), p.rate, xAxis.to, p.rate,
			{ x: X(xAxis.to) - 4, y: Y(p.rate) - 4, "text-anchor": "end" }));
		// a slope begins where it enters the picture, and ends at the highest of the others
		const steep = slopes.map((r, i) => {
			const from = Math.max(xAxis.from, yAxis.from / r.rate), to = Math.max(from, Math.min(xAxis.to, (most || yAxis.to) / r.rate));
			const at = Math.exp(Math.log(from) + Math.log(to / from) * (0.12 + 0.1 * i)), angle = Math.atan2(Y(to * r.rate) - Y(from * r.rate), X(to) - X(from)) * 180 / Math.PI;
			return ceiling(r.name, r.tip, from, from * r.rate, to, to * r.rate, { x: X(at), y: Y(at * r.rate) - 5,
				transform: "rotate(" + angle.toFixed(1) + " " + X(at).toFixed(1) + " " + (Y(at * r.rate) - 5).toFixed(1) + ")" });
		});
		const seen = dots.filter((d) => d.x > 0).sort((a, b) => b.weight - a.weight).map((d) => {
			const mark = { class: "dot", tabindex: "0", role: "img", "aria-label": d.tip, "data-tip": d.tip, style: "color:var(--" + d.color + ")" };
			const e = d.y > 0 ? s("circle", { ...mark, cx: X(d.x), cy: Y(d.y), r: LEAST + (MOST - LEAST) * Math.sqrt(d.weight) }) :
				s("line", { ...mark, x1: X(d.x), x2: X(d.x), y1: top, y2: height - bottom });
			e.addEventListener("click", d.pick);
			return e;
		});
		return h("div", { class: "plot" }, s("svg", { class: "lines roofline", viewBox: "0 0 " + width + " " + height, role: "group", "aria-label": "roofline" },
			grid, flat, steep, seen));
	};
})();
