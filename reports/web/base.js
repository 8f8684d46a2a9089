// base: what any page needs: elements, numbers with their units, tips, tables that draw what is seen, bars, dark and light.
// All text goes into elements as text and never as HTML, as strangers wrote some of it.
"use strict";
const ompp = (() => {
	// ---- elements ----

	// Returns an element: h("p", { class: "soft", onclick: f }, "text", child, null …).
	function h(tag, attributes, ...children) {
		const e = document.createElement(tag);
		for (const [key, value] of Object.entries(attributes || {})) {
			if (value === null || value === undefined || value === false) continue;
			if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
			else if (key === "style") e.style.cssText = value;
			else e.setAttribute(key, value === true ? "" : value);
		}
		e.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
		return e;
	}

	// Returns an element of a drawing, in the same way; it has no handlers.
	function svg(tag, attributes, ...children) {
		const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
		for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) e.setAttribute(key, value);
		e.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined));
		return e;
	}

	const color = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

	// ---- numbers ----

	const grouped = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");

	// Four significant digits of a number that is not negative, without a power of ten.
	function digits(x) {
		if (x === 0) return "0";
		const whole = Math.floor(Math.log10(Math.abs(x))) + 1;
		return x.toFixed(Math.max(0, Math.min(9, 4 - whole)));
	}

	// Four digits with a letter for powers of a thousand, where a number may be of any size: 12.35M.
	function brief(x) {
		if (isMissing(x) || !isFinite(x)) return "-";
		const size = Math.abs(Number(x.toPrecision(4))); // 999,999 is 1M, as 1000k would be longer
		for (const [letter, power, least] of [["P", 1e15, 1e15], ["T", 1e12, 1e12], ["G", 1e9, 1e9], ["M", 1e6, 1e6], ["k", 1e3, 1e4]])
			if (size >= least) return Number((x / power).toPrecision(4)) + letter;
		return size && size < 1e-4 ? x.toExponential(2) : String(Number(x.toPrecision(4)));
	}

	// How each kind of number looks: short in a table, in full with its unit on hover.  Missing is "-", never 0.
	const kinds = {
		time: { short: (ns) => digits(ns / 1e9), full: (ns) => seconds(ns) + " s" },
		share: { short: (n) => (n / 1e7).toFixed(2), full: (n) => (n / 1e7).toFixed(7) + " %" },
		count: { short: (n) => grouped(n), full: (n) => grouped(n) },
		decimal: { short: (n) => digits(Number(n)), full: (n) => String(n) },
		range: { short: (r) => r[0] === r[1] ? grouped(r[0]) : grouped(r[0]) + "–" + grouped(r[1]),
			full: (r) => "between " + grouped(r[0]) + " and " + grouped(r[1]) },
		text: { short: String, full: String },
		none: { short: () => "-", full: () => "not measured" },
	};

	// All nine decimals of a time, which are what the profile has.
	function seconds(ns) {
		const text = String(Math.abs(Math.round(ns))).padStart(10, "0");
		return (ns < 0 ? "-" : "") + text.slice(0, -9) + "." + text.slice(-9);
	}

	const isMissing = (v) => v === null || v === undefined;
	const show = (kind, v) => isMissing(v) ? "-" : kinds[kind].short(v);
	const showFull = (kind, v) => isMissing(v) ? "not measured" : kinds[kind].full(v);

	// A time for a sentence: "12.3 ms".
	function time(ns) {
		if (isMissing(ns)) return "-";
		for (const [unit, least] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]])
			if (Math.abs(ns) >= least * 0.9995) return Number((ns / least).toPrecision(4)) + " " + unit;
		return Math.round(ns) + " ns";
	}
	// What stands behind a time that is an estimate, as not all visits were timed: " ± " and its standard error; else "".
	const plusMinus = (ns, text) => ns === 0 || ns === undefined ? "" : isMissing(ns) ? " ± ?" : " ± " + text(ns);
	const percent = (part, whole) => whole > 0 && !isMissing(part) ? (100 * part / whole).toFixed(2) + " %" : "-";

	// The step of an axis: one, two or five times a power of ten, so that there are n steps or fewer between two values.
	function stepOf(range, n) {
		const raw = range / n, power = 10 ** Math.floor(Math.log10(raw));
		return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= raw);
	}

	// The round values from one to another, n steps or fewer.
	function ticksOf(from, to, n = 5) {
		const step = stepOf(to - from, n), list = [];
		for (let k = Math.ceil(from / step); k * step <= to + 1e-6 * step; k++) list.push(k * step);
		return list;
	}

	// Of n things in order, the first one of which isReached(i) is true; n where it is true of none.
	function firstOf(n, isReached) {
		let from = 0, to = n;
		while (from < to) {
			const middle = (from + to) >> 1;
			if (isReached(middle)) to = middle;
			else from = middle + 1;
		}
		return from;
	}

	// The words of a search, and whether a text has all of them.
	const splitWords = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
	const matches = (text, words) => words.every((word) => text.toLowerCase().includes(word));

	// For sorting: numbers by their size, texts as people order them, what is missing last.
	function compare(a, b) {
		if (isMissing(a) || isMissing(b)) return isMissing(a) - isMissing(b);
		if (Array.isArray(a)) return a[0] - b[0];
		if (typeof a === "number" && typeof b === "number") return a - b;
		const x = Number(a), y = Number(b);
		if (a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y)) return x - y;
		return String(a).localeCompare(String(b), undefined, { numeric: true });
	}

	// ---- tips: what a number is, in full, where the pointer or the focus is ----

	const tip = h("div", { id: "tip", role: "tooltip", hidden: true });
	// Shows a text, or elements, beside a point of the window; nothing hides what was shown.
	function showTip(content, x, y) {
		tip.hidden = !content;
		if (!content) return;
		tip.replaceChildren(...[content].flat());
		const box = tip.getBoundingClientRect();
		tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - box.width - 8)) + "px";
		tip.style.top = (y + 18 + box.height > innerHeight ? Math.max(4, y - box.height - 10) : y + 18) + "px";
	}
	if (document.body) document.body.append(tip);
	else document.addEventListener("DOMContentLoaded", () => document.body.append(tip)); // where scripts come first
	function tipOf(target) {
		const e = target instanceof Element && target.closest("[data-tip]");
		return e ? e.dataset.tip : "";
	}
	document.addEventListener("mousemove", (event) => {
		if (!(event.target instanceof HTMLCanvasElement)) showTip(tipOf(event.target), event.clientX, event.clientY);
	});
	document.addEventListener("focusin", (event) => {
		const box = event.target.getBoundingClientRect();
		showTip(tipOf(event.target), box.left, box.bottom - 10);
	});
	document.addEventListener("focusout", () => showTip(""));
	document.addEventListener("scroll", () => showTip(""), true);
	document.addEventListener("keydown", (event) => { if (event.key === "Escape") showTip(""); });

	// ---- tables ----

	// A long name loses its middle where it is wider than its place, as names and paths differ at their ends.
	const SHORT = 40, TAIL = 26;
	const middle = (text) => typeof text !== "string" || text.length <= SHORT ? text :
		h("span", { class: "middle" }, h("span", {}, text.slice(0, -TAIL)), h("span", {}, text.slice(-TAIL)));

	const ROW_POINTS = 27, MOST_PRINTED = 500;

	// A table that holds any number of rows and draws those that are seen.
	//   columns: { title, tip, kind, left, value(row), cell(row) → node or text, tipOf(row), class, unsortable }
	//   options: name (for screen readers), rows, sort: [column, descending], pick(row), isChosen(row), filter(row), most
	// setRows(), refresh(), and reveal(row) change what it shows.
	class Table {
		constructor(columns, options) {
			this.columns = columns;
			this.options = options;
			this.rows = options.rows || [];
			this.sort = options.sort || null;
			this.head = h("tr", { class: "head" });
			this.body = h("tbody");
			this.table = h("table", { role: options.pick ? "grid" : null, "aria-label": options.name, class: options.class }, h("thead", {}, this.head), this.body);
			this.element = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": options.name }, this.table);
			this.count = h("span", { class: "soft count", role: "status" });
			this.element.addEventListener("scroll", () => this.drawSoon());
			this.element.addEventListener("keydown", (event) => this.key(event));
			if ("ResizeObserver" in window) new ResizeObserver(() => this.drawSoon()).observe(this.element);
			addEventListener("beforeprint", () => this.drawFor(true));
			addEventListener("afterprint", () => this.drawFor(false));
			this.heads();
			this.refresh();
		}

		heads() {
			this.head.replaceChildren(...this.columns.map((column, i) => {
				const sorted = this.sort && this.sort[0] === i ? (this.sort[1] ? "descending" : "ascending") : null;
				const arrow = sorted ? (this.sort[1] ? " ▾" : " ▴") : "";
				return h("th", { scope: "col", class: column.left ? "left" : null, "aria-sort": sorted },
					column.unsortable ? h("span", { class: "plain", "data-tip": column.tip }, column.title) :
						h("button", { "data-tip": column.tip, onclick: () => this.sortBy(i) }, column.title + arrow));
			}));
		}

		sortBy(i) {
			const down = this.sort && this.sort[0] === i ? !this.sort[1] : !this.columns[i].left;
			this.sort = [i, down];
			this.heads();
			this.refresh();
			this.head.children[i].querySelector("button").focus();
		}

		setRows(rows) {
			this.rows = rows;
			this.refresh();
		}

		// Filters and sorts anew.
		refresh() {
			const { filter } = this.options;
			this.seen = filter ? this.rows.filter(filter) : this.rows.slice();
			if (this.sort) {
				const [i, down] = this.sort, value = this.columns[i].value;
				const keys = new Map(this.seen.map((row) => [row, value(row)]));
				this.seen.sort((a, b) => {
					const x = keys.get(a), y = keys.get(b);
					if (isMissing(x) || isMissing(y)) return isMissing(x) - isMissing(y);
					return down ? compare(y, x) : compare(x, y);
				});
			}
			this.count.textContent = this.seen.length === this.rows.length ? grouped(this.rows.length) + (this.rows.length === 1 ? " row" : " rows") :
				grouped(this.seen.length) + " of " + grouped(this.rows.length) + " rows";
			this.table.setAttribute("aria-rowcount", this.seen.length + 1);
			this.draw();
		}

		drawSoon() {
			if (this.waits) return;
			this.waits = true;
			requestAnimationFrame(() => { this.waits = false; this.draw(); });
		}

		// Draws it for paper or for the screen, and so from then on, whatever changes its rows.
		drawFor(paper) {
			this.isOnPaper = paper;
			this.draw();
		}

		draw() {
			const forPaper = this.isOnPaper, height = this.element.clientHeight || 400;
			let from = 0, to = this.seen.length;
			if (forPaper) to = Math.min(to, MOST_PRINTED);
			else if (to > 60) {
				from = Math.max(0, Math.floor(this.element.scrollTop / ROW_POINTS) - 10);
				to = Math.min(to, from + Math.ceil(height / ROW_POINTS) + 25);
			}
			const pad = (n) => n ? h("tr", { class: "pad", "aria-hidden": "true" },
				h("td", { colspan: this.columns.length, style: "height:" + n * ROW_POINTS + "px" })) : null;
			const rows = [];
			for (let i = from; i < to; i++) rows.push(this.row(this.seen[i], i));
			const left = this.seen.length - to;
			const after = forPaper && left ? h("tr", {}, h("td", { colspan: this.columns.length, class: "left" },
				grouped(left) + " more rows are in the page itself")) : forPaper ? null : pad(left);
			this.body.replaceChildren(...[forPaper ? null : pad(from), ...rows, after].filter(Boolean));
			if (!this.seen.length)
				this.body.replaceChildren(h("tr", {}, h("td", { colspan: this.columns.length, class: "left soft" }, "nothing")));
		}

		row(row, i) {
			const { pick, isChosen } = this.options;
			const chosen = isChosen && isChosen(row);
			const tr = h("tr", { class: "row" + (pick ? " pick" : "") + (chosen ? " chosen" : ""), "aria-rowindex": i + 2,
				"aria-selected": pick ? String(!!chosen) : null, tabindex: pick ? (chosen ? "0" : "-1") : null });
			for (const column of this.columns) {
				const value = column.value(row);
				const content = middle(column.cell ? column.cell(row) : show(column.kind, value));
				tr.append(h("td", { class: [column.left ? "left" : "", column.class || ""].join(" ").trim() || null,
					"data-tip": column.tipOf ? column.tipOf(row) : column.kind && column.kind !== "text" ?
						showFull(column.kind, value) + (column.tip ? "\n" + column.tip : "") : isMissing(value) ? null : value }, content));
			}
			if (pick) tr.addEventListener("click", (event) => { if (!event.target.closest("button")) this.choose(i, false); });
			return tr;
		}

		choose(i, focus) {
			const row = this.seen[i];
			if (!row && row !== 0) return;
			this.at = i;
			this.options.pick(row);
			if (focus) {
				this.showIndex(i);
				const tr = this.body.querySelector('[aria-rowindex="' + (i + 2) + '"]');
				if (tr) tr.focus({ preventScroll: true });
			}
		}

		showIndex(i) {
			const top = i * ROW_POINTS, height = this.element.clientHeight - 40;
			if (top < this.element.scrollTop || top + ROW_POINTS > this.element.scrollTop + height)
				this.element.scrollTop = Math.max(0, top - height / 2);
			this.draw();
		}

		reveal(row) {
			const i = this.seen.indexOf(row);
			if (i >= 0) {
				this.at = i;
				this.showIndex(i);
			} else this.draw();
		}

		key(event) {
			if (!this.options.pick || event.target.closest("th")) return;
			const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
			const end = { Home: 0, End: this.seen.length - 1 }[event.key];
			if (step === undefined && end === undefined) return;
			event.preventDefault();
			const at = this.at === undefined ? -1 : this.at;
			this.choose(end !== undefined ? end : Math.max(0, Math.min(this.seen.length - 1, at + step)), true);
		}
	}

	// A table with its search field, which looks at all its texts; more tools may follow.
	function searchable(columns, options, ...tools) {
		let words = [];
		const own = options.filter;
		const textOf = (row) => columns.map((c) => c.kind === "text" || c.left ? String(c.value(row) ?? "") : "").join(" ");
		const table = new Table(columns, { ...options, filter: (row) => (!own || own(row)) && (!words.length || matches(textOf(row), words)) });
		const input = h("input", { type: "search", placeholder: "search", "aria-label": "search " + options.name, oninput: () => {
			words = splitWords(input.value);
			table.element.scrollTop = 0;
			table.refresh();
		} });
		table.search = input;
		table.box = h("div", {}, h("div", { class: "tools" }, input, ...tools, table.count), table.element);
		return table;
	}

	// ---- bars ----

	// A bar of parts, one behind the other: [{ ns, color, name }]; all of them are `whole`.
	function stack(parts, whole, thin) {
		const label = parts.filter((p) => p.ns > 0).map((p) => p.name + " " + percent(p.ns, whole)).join(", ");
		return h("div", { class: "stack" + (thin ? " thin" : ""), role: "img", "aria-label": label },
			parts.filter((p) => p.ns > 0).map((p) => h("i", { style: "width:" + (whole > 0 ? 100 * p.ns / whole : 0) + "%;background:var(--" +
				p.color + ")", "data-tip": p.name + ": " + seconds(p.ns) + " s, " + percent(p.ns, whole) + (p.tip ? "\n" + p.tip : "") })));
	}

	function legend(parts, whole) {
		return h("ul", { class: "legend" }, parts.map((p) => h("li", { "data-tip": p.tip }, h("i", { style: "background:var(--" + p.color + ")" }),
			p.ns === undefined ? null : h("b", {}, percent(p.ns, whole) + " "), p.name)));
	}

	// ---- canvases ----

	// Pixels of the screen to a point.  It has no bound: where it is large (a page that is zoomed, a telephone), the page has
	// fewer points, and the texts of a canvas are to be as sharp as those beside it.
	const pixelRatio = () => devicePixelRatio || 1;
	const MOST_PIXELS_HIGH = 16384; // some browsers leave a canvas empty that is higher

	// Makes a canvas sharp on any screen, and empty; returns its context, with points as units.
	function context(canvas, width, height) {
		const ratio = Math.min(pixelRatio(), MOST_PIXELS_HIGH / height);
		const wide = Math.round(width * ratio), high = Math.round(height * ratio), c = canvas.getContext("2d");
		if (canvas.width !== wide || canvas.height !== high) {
			canvas.width = wide;
			canvas.height = high;
			canvas.style.height = height + "px";
		}
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		c.clearRect(0, 0, width, height);
		return c;
	}

	// ---- drawings ----

	// The lines and texts of a plot's axes.  frame: { width, height, left, right, top, bottom }; across, up: [place, text] of
	// what stands at the axes; names of the axes; withColumns: whether there are lines from above to below, too.
	function axes({ width, height, left, right, top, bottom }, across, up, { acrossName, upName, withColumns }) {
		const middle = (top + height - bottom) / 2, low = height - bottom;
		return [
			across.map(([x, text]) => [withColumns ? svg("line", { class: "grid", x1: x, x2: x, y1: top, y2: low }) : null,
				svg("text", { x, y: low + 17, "text-anchor": "middle" }, text)]),
			up.map(([y, text]) => [svg("line", { class: "grid", x1: left, x2: width - right, y1: y, y2: y }),
				svg("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, text)]),
			svg("text", { x: (left + width - right) / 2, y: height - 7, "text-anchor": "middle" }, acrossName),
			upName ? svg("text", { x: 14, y: middle, "text-anchor": "middle", transform: "rotate(-90 14 " + middle + ")" }, upName) : null];
	}

	// ---- dark and light ----

	const dark = matchMedia("(prefers-color-scheme: dark)");
	let theme = null;
	const listeners = [];
	function setTheme() {
		document.documentElement.dataset.theme = theme || (dark.matches ? "dark" : "light");
		for (const f of listeners) f();
	}
	dark.addEventListener("change", setTheme);
	addEventListener("beforeprint", () => { document.documentElement.dataset.theme = "light"; for (const f of listeners) f(); });
	addEventListener("afterprint", setTheme);
	document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
	function themeButton(attributes, text = "dark / light") {
		return h("button", { id: "theme", ...attributes, onclick: () => {
			theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
			setTheme();
		} }, text);
	}

	// Calls f now and whenever the width or the colours change.
	function redrawn(element, f) {
		let width = 0;
		if ("ResizeObserver" in window) new ResizeObserver(() => {
			if (element.clientWidth !== width) { width = element.clientWidth; f(); }
		}).observe(element);
		listeners.push(f);
	}

	// ---- flame graphs ----

	const HIGH = 22;

	// A tree from above: each box is as wide as its weight, and below it are its children.  Of the tree are said: parent and
	// children, by node (0 is the root); weight(i), isWanted(i), name(i), tip(i), isChosen(i); paint(), which gives a function of
	// the node's colour, for one drawing; choose(i); and label and legend.
	class Flame {
		constructor(tree) {
			this.tree = tree;
			this.root = 0;
			this.canvas = h("canvas", { tabindex: "0", role: "img", "aria-label": tree.label + "; arrow keys move, Enter zooms, Escape zooms out; the table below has the same" });
			this.said = h("div", { class: "hidden", role: "status" });
			this.back = h("button", { onclick: () => this.zoom(0), disabled: true }, "whole program");
			this.box = h("div", {}, h("div", { class: "tools" }, this.back, h("span", { class: "soft" }, "Click to choose, double-click to zoom."),
				legend(tree.legend)), h("div", { class: "plot" }, this.canvas), this.said);
			this.canvas.addEventListener("mousemove", (event) => {
				const i = this.at(event);
				showTip(i === null ? "" : tree.tip(i), event.clientX, event.clientY);
				this.canvas.style.cursor = i === null ? "default" : "pointer";
			});
			this.canvas.addEventListener("mouseleave", () => showTip(""));
			this.canvas.addEventListener("click", (event) => { const i = this.at(event); if (i) this.choose(i); });
			this.canvas.addEventListener("dblclick", (event) => { const i = this.at(event); if (i !== null) this.zoom(i); });
			this.canvas.addEventListener("keydown", (event) => this.key(event));
			redrawn(this.canvas, () => this.draw());
		}
		zoom(i) {
			this.root = i;
			this.back.disabled = !i;
			this.draw();
		}
		choose(i) {
			this.focus = i;
			this.said.textContent = this.tree.tip(i);
			this.tree.choose(i);
			this.draw();
		}
		below(i) {
			return this.tree.children[i].filter((k) => this.tree.isWanted(k));
		}
		key(event) {
			const i = this.focus || this.root, siblings = i ? this.below(this.tree.parent[i]) : [0], at = siblings.indexOf(i);
			const next = { ArrowDown: () => this.below(i)[0], ArrowUp: () => i === this.root ? undefined : this.tree.parent[i], ArrowRight: () => siblings[at + 1], ArrowLeft: () => siblings[at - 1] }[event.key];
			if (event.key === "Enter") this.zoom(i);
			else if (event.key === "Escape") this.zoom(0);
			else if (next) {
				const k = next();
				if (k !== undefined) this.choose(k);
			} else return;
			event.preventDefault();
		}
		at(event) {
			const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
			const hit = this.boxes && this.boxes.find((b) => x >= b.x && x < b.x + b.w && y >= b.y && y < b.y + HIGH);
			return hit ? hit.i : null;
		}
		draw() {
			const width = this.canvas.clientWidth || 800, { tree } = this;
			this.boxes = [];
			// the children of a box stand side by side in its width; where they are longer together (host threads side by side), narrower
			const place = (i, x, w, y) => {
				if (w < 0.4) return;
				this.boxes.push({ i, x, w, y });
				const below = this.below(i), whole = Math.max(tree.weight(i), below.reduce((s, k) => s + tree.weight(k), 0));
				let left = x;
				if (whole > 0) for (const k of below) {
					const wide = w * tree.weight(k) / whole;
					place(k, left, wide, y + HIGH);
					left += wide;
				}
			};
			place(this.root, 0, width, 0);
			const height = Math.max(HIGH, ...this.boxes.map((b) => b.y + HIGH));
			const c = context(this.canvas, width, height), ink = color("ink"), back = color("back"), fill = tree.paint();
			c.font = "12px system-ui, sans-serif";
			c.textBaseline = "middle";
			for (const b of this.boxes) {
				c.fillStyle = fill(b.i);
				c.fillRect(b.x, b.y, Math.max(0.5, b.w - (b.w > 3 ? 1 : 0)), HIGH - 1);
				if (b.i && tree.isChosen(b.i)) {
					c.strokeStyle = ink;
					c.lineWidth = 2;
					c.strokeRect(b.x + 1, b.y + 1, Math.max(1, b.w - 3), HIGH - 3);
				}
				if (b.w > 36) {
					c.save();
					c.beginPath();
					c.rect(b.x + 4, b.y, b.w - 9, HIGH);
					c.clip();
					c.fillStyle = b.i && !tree.isPale?.(b.i) ? back : ink;
					c.fillText(tree.name(b.i), b.x + 5, b.y + HIGH / 2);
					c.restore();
				}
			}
		}
	}

	// ---- the frame ----

	const section = (id, title, ...content) => ({ id, title,
		element: h("section", { id, "aria-labelledby": id + "-title" }, h("h2", { id: id + "-title" }, title), ...content) });

	const tile = (value, label, text) => h("div", { class: "tile", "data-tip": text }, h("b", {}, value), h("span", {}, label));

	// Fills the page: its head, links to the sections, tools for all of them, and the sections.
	function frame(title, what, sections, ...tools) {
		document.body.prepend(
			h("a", { class: "skip", href: "#" + sections[0].id }, "to the " + sections[0].title.toLowerCase()),
			h("header", { class: "top" }, h("h1", {}, title), h("span", { class: "soft" }, what), h("span", { class: "grow" }), themeButton()),
			h("nav", { "aria-label": "sections" }, sections.map((s) => h("a", { href: "#" + s.id }, s.title))),
			h("main", {}, tools.length ? h("div", { class: "tools", id: "filters", role: "search", "aria-label": "filters of all sections" }, tools) : null,
				sections.map((s) => s.element)));
	}

	return { section, tile, frame, h, svg, color, grouped, digits, brief, seconds, time, plusMinus, percent, show, showFull, isMissing, compare, stepOf, ticksOf,
		firstOf, splitWords, matches, Table, searchable, stack, legend, middle, pixelRatio, context, axes, themeButton, redrawn, showTip, Flame };
})();
