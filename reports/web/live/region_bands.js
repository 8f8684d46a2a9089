// region_bands: which region each thread was in, a band for each thread.
let n_legend = 0;
function draw_bands(colours) {
	el.bands.hidden = !threads.length;
	if (!threads.length || !is_seen(el.bands))
		return;
	if (n_legend !== regions.length) {
		n_legend = regions.length;
		el.band_legend.textContent = "";
		regions.forEach((name, i) => {
			el.band_legend.append(h("button", { "aria-pressed": "true", tabindex: -1 }, swatch(colour_of_one(i)), name));
		});
	}
	const height = TOP + threads.length * BAND + BOTTOM, [c, width] = plot_context(el.band_canvas, height), now = last_time();
	draw_times(c, width, height, colours);
	threads.forEach((runs, i) => {
		const y = TOP + i * BAND;
		c.fillStyle = colours.soft;
		c.textAlign = "right";
		c.fillText(String(i), LEFT - 5, y + 12);
		c.save();
		c.beginPath();
		c.rect(LEFT, y, width - LEFT - 6, BAND - 2);
		c.clip();
		let k = runs.findIndex(one => one[0] > view.from);
		k = Math.max(0, (k < 0 ? runs.length : k) - 1);
		for (; k < runs.length && runs[k][0] < view.to; k++) {
			const [t, region, waits] = runs[k], until = k + 1 < runs.length ? runs[k + 1][0] : now;
			if (region < 0)
				continue;
			const x = x_of(t, width), w = Math.max(1, x_of(until, width) - x);
			c.fillStyle = colour_of_one(region);
			c.globalAlpha = waits ? 0.45 : 1;
			c.fillRect(x, y, w, BAND - 2);
			c.globalAlpha = 1;
			if (waits && w > 3) {
				c.strokeStyle = colour_of_one(region);
				c.save();
				c.beginPath();
				c.rect(x, y, w, BAND - 2);
				c.clip();
				c.beginPath();
				for (let at = Math.max(x, LEFT) - BAND; at < Math.min(x + w, width); at += 6) {
					c.moveTo(at, y + BAND);
					c.lineTo(at + BAND, y);
				}
				c.stroke();
				c.restore();
			}
		}
		c.restore();
	});
	c.save();
	c.beginPath();
	c.rect(LEFT, 0, width - LEFT - 6, height);
	c.clip();
	draw_marks(c, width, height, colours, false);
	draw_selection(c, height - BOTTOM, width, colours);
	c.restore();
}

function hover_bands(x, y) {
	const width = el.band_canvas.clientWidth, t = t_of(x, width), i = Math.floor((y - TOP) / BAND);
	if (!threads[i] || t > last_time())
		return null;
	let found = null;
	for (const one of threads[i])
		if (one[0] <= t)
			found = one;
	const text = !found || found[1] < 0 ? "in no region" : regions[found[1]] + (found[2] ? ", waits" : "");
	return [["thread " + i + " at " + clock(t), ""], [text, ""]];
}
