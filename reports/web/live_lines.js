/*
 * Lines: many series over time, as points of the screen.
 *
 * A canvas takes seconds to stroke some 100,000 pieces of lines, each with soft edges that cross the others'.  Here each
 * series is brought down to what it is in each column of points (its first, least, greatest and last value), and columns
 * are filled from one row to another, with soft ends.  What a column has is found once: as the picture scrolls, columns
 * and points move on, and those that came in are added.
 */
"use strict";
const ompp_lines = (() => {
const SPARE = 2; // points above and below, for the width of lines
const MOST_SOFT = 50000; // columns of all series: with more, ends are hard, as lines cover each other anyway

// Returns a colour, "#rrggbb", as a number whose bytes are in the order of a canvas's, without how much it covers.
function colour_number(colour) {
	const number = parseInt(colour.slice(1), 16);
	return number >> 16 | number & 0xff00 | (number & 255) << 16;
}

// Lays a colour over a point that may have one; cover: 0 to 255.
function lay(points, i, colour, cover) {
	const under = points[i], before = under >>> 24;
	if (!before) {
		points[i] = cover << 24 | colour;
		return;
	}
	const after = cover + before - cover * before / 255, share = cover / after;
	let mixed = Math.round(after) << 24;
	for (let shift = 0; shift < 24; shift += 8) {
		const a = under >> shift & 255, b = colour >> shift & 255;
		mixed |= Math.round(a + (b - a) * share) << shift;
	}
	points[i] = mixed;
}

// The lines of one plot.  times: { at, n, gone }: of the samples, and how many older ones are no more kept; a series is
// { at, colour, is_gauge, factor, told: { at } }, with the times in which a counter grew in told.
class Lines {
	constructor() {
		this.forget();
	}

	// Gives back the memory.
	forget() {
		this.list = [];
		this.n = this.step = this.first = this.begin = this.until = this.n_scanned = 0;
		this.low = this.high = this.positive = this.head = this.tail = this.state = this.image = this.points = null;
		this.look = "";
		this.dirty = [0, 0];
	}

	// Brings the columns up to date: n of them, each `step` seconds wide, the first of them number `first` since time 0.
	// Returns how many values were looked at.
	take(times, list, step, first, n) {
		if (Math.abs(step / this.step - 1) < 1e-9)
			step = this.step;
		const is_same = step === this.step && n === this.n && list.length === this.list.length &&
			list.every((one, i) => one === this.list[i]);
		const by = first - this.first, column = i => Math.floor(times.at[i] / step) - first, gone = times.gone;
		const index = number => ompp.firstOf(times.n, i => column(i) >= number); // of the first sample in that column or behind it
		const begin = index(0), end = index(n);
		this.times = times;
		this.n_scanned = 0;
		if (!is_same || Math.abs(by) >= n || this.begin < gone) {
			this.reset(list, step, first, n);
			this.scan(begin, end, first);
			this.dirty = [0, n];
		} else {
			const old_begin = this.begin - gone, old_end = this.until - gone;
			const changed = old_end > 0 ? column(old_end - 1) : 0; // what follows the last sample may go another way now
			this.first = first;
			this.shift(by);
			if (by < 0) {
				this.scan(begin, Math.min(old_begin, end), first);
				this.soil(0, old_begin < times.n ? column(old_begin) + 1 : n);
			}
			if (end > old_end)
				this.scan(Math.max(old_end, begin), end, first);
			if (by > 0 || end > old_end)
				this.soil(Math.min(changed, n - by), n);
		}
		this.begin = begin + gone;
		this.until = end + gone;
		return this.n_scanned;
	}

	reset(list, step, first, n) {
		const room = list.length * n;
		if (!this.state || this.state.length !== room) {
			for (const part of ["low", "high", "positive", "head", "tail"])
				this[part] = new Float64Array(room);
			this.state = new Uint8Array(room);
		} else {
			this.state.fill(0);
		}
		Object.assign(this, { list: list.slice(), step, first, n });
	}

	soil(from, to) {
		from = Math.max(0, from);
		to = Math.min(this.n, to);
		if (from < to)
			this.dirty = this.dirty[0] < this.dirty[1] ? [Math.min(from, this.dirty[0]), Math.max(to, this.dirty[1])] : [from, to];
	}

	// Moves all by so many columns to the left.
	shift(by) {
		if (!by)
			return;
		const n = this.n, at = part => by > 0 ? part.copyWithin(0, by) : part.copyWithin(-by, 0);
		for (const part of [this.low, this.high, this.positive, this.head, this.tail, this.state])
			at(part);
		for (let s = 0; s < this.list.length; s++)
			if (by > 0)
				this.state.fill(0, (s + 1) * n - by, (s + 1) * n);
			else
				this.state.fill(0, s * n, s * n - by);
		if (this.points)
			at(this.points);
		if (this.dirty[0] < this.dirty[1])
			this.dirty = [this.dirty[0] - by, this.dirty[1] - by];
		this.soil(by > 0 ? n - by : 0, by > 0 ? n : -by);
	}

	// Adds samples to the columns.  state: 0 nothing is known, 1 something, 2 something behind a gap.
	scan(from, to, first) {
		if (from >= to)
			return;
		const { times, n, step, low, high, positive, head, tail, state } = this, columns = [], starts = [];
		for (let i = from; i < to; i++) {
			const column = Math.floor(times.at[i] / step) - first;
			if (column !== columns[columns.length - 1]) {
				columns.push(column);
				starts.push(i);
			}
		}
		starts.push(to);
		this.list.forEach((one, s) => {
			const values = one.at, widths = one.is_gauge ? null : one.told.at, factor = one.factor;
			let is_gap = from === 0 || !isFinite(this.value(one, from - 1));
			for (let c = 0; c < columns.length; c++) {
				const k = s * n + columns[c], end = starts[c + 1];
				let is = state[k], least = is ? low[k] : Infinity, most = is ? high[k] : -Infinity, last = NaN;
				let above = is ? positive[k] : Infinity;
				for (let i = starts[c]; i < end; i++) {
					const v = (widths ? values[i] / widths[i] : values[i]) * factor;
					if (!(v - v === 0)) { // neither missing nor endless
						is_gap = true;
						continue;
					}
					if (!is) {
						head[k] = v;
						is = is_gap ? 2 : 1;
					}
					if (v < least) least = v;
					if (v > most) most = v;
					if (v > 0 && v < above) above = v;
					last = v;
					is_gap = false;
				}
				if (last !== last)
					continue;
				state[k] = is;
				low[k] = least;
				high[k] = most;
				positive[k] = above;
				tail[k] = last;
			}
		});
		this.n_scanned += (to - from) * this.list.length;
	}

	value(one, i) {
		return (one.is_gauge ? one.at[i] : one.at[i] / one.told.at[i]) * one.factor;
	}

	// Returns the least, the greatest and the least positive value of all columns.
	bounds() {
		const { low, high, positive, state } = this;
		let least = Infinity, most = -Infinity, above = Infinity;
		for (let k = 0; k < state.length; k++) {
			if (!state[k])
				continue;
			if (low[k] < least) least = low[k];
			if (high[k] > most) most = high[k];
			if (positive[k] < above) above = positive[k];
		}
		return [least, most, above];
	}

	// Draws what has changed, and returns the picture, of n by rows + 2 * SPARE points, for putImageData().
	// scale: { low, high, is_log }: the values at the lower and upper end; thick: of lines
	picture(rows, scale, thick) {
		const height = rows + 2 * SPARE, look = [rows, scale.low, scale.high, scale.is_log, thick, ...this.list.map(one => one.colour)].join();
		if (!this.points || this.look !== look || this.image.width !== this.n || this.image.height !== height) {
			if (!this.image || this.image.width !== this.n || this.image.height !== height) {
				this.image = new ImageData(this.n, height);
				this.points = new Uint32Array(this.image.data.buffer);
			}
			this.look = look;
			this.dirty = [0, this.n];
		}
		const from = Math.max(0, this.dirty[0]), to = this.dirty[1];
		if (from < to)
			this.fill(from, to, rows, height, scale, thick);
		this.dirty = [0, 0];
		return this.image;
	}

	// Draws columns, one behind the other in memory, and turns them into the picture's rows.
	fill(from, to, rows, height, scale, thick) {
		const { n, low, high, head, tail, state, times, first, step } = this, points = new Uint32Array((to - from) * height);
		const factor = rows / (scale.high - scale.low), half = thick / 2, floor = 10 ** scale.low;
		const row = scale.is_log ? v => SPARE + (scale.high - Math.log10(v > floor ? v : floor)) * factor
			: v => SPARE + (scale.high - v) * factor;
		const begin = this.begin - times.gone, end = this.until - times.gone, is_hard = this.list.length * n > MOST_SOFT;
		let colour = 0;
		// Fills a column from one row to another, in any order, each of them in the middle of a line.
		const bar = (column, a, b) => {
			if (column < from || column >= to)
				return;
			const top = Math.max(0, (a < b ? a : b) - half), bottom = Math.min(height, (a < b ? b : a) + half);
			const whole = is_hard ? top + 0.5 | 0 : Math.ceil(top), last = is_hard ? bottom + 0.5 | 0 : Math.floor(bottom);
			const at = (column - from) * height;
			if (is_hard) {
				for (let i = at + whole; i < at + last; i++)
					points[i] = 0xff000000 | colour;
				return;
			}
			if (whole > last) { // within one point
				lay(points, at + last, colour, (bottom - top) * 255 | 0);
				return;
			}
			if (whole > top)
				lay(points, at + whole - 1, colour, (whole - top) * 255 | 0);
			if (last < bottom)
				lay(points, at + last, colour, (bottom - last) * 255 | 0);
			if (last - whole > 24)
				points.fill(0xff000000 | colour, at + whole, at + last);
			else
				for (let i = at + whole; i < at + last; i++)
					points[i] = 0xff000000 | colour;
		};
		if (is_hard && this.list.every((_, s) => this.is_whole(s, from, to)))
			this.fill_whole(from, to, height, row, half, points);
		else this.list.forEach((one, s) => {
			const row_at = s * n;
			let was = -1, was_y = 0, a = 0, b = 0, is_any = false, is_alone = false;
			colour = colour_number(one.colour);
			// Draws the line from the column before to this one, and remembers what this one has.
			const go = (column, y, is_joined) => {
				let start = y;
				if (is_any && is_joined) {
					const slope = (y - was_y) / (column - was), until = was_y + slope / 2;
					if (until < a) a = until;
					if (until > b) b = until;
					bar(was, a, b);
					const stop = Math.min(column, to);
					for (let k = Math.max(was + 1, from); k < stop; k++)
						bar(k, was_y + slope * (k - was - 0.5), was_y + slope * (k - was + 0.5));
					start = y - slope / 2;
					is_alone = false;
				} else {
					if (is_any)
						finish();
					is_alone = true;
				}
				is_any = true;
				a = start < y ? start : y;
				b = start < y ? y : start;
				was = column;
			};
			const finish = () => {
				bar(was, a, b);
				if (is_alone && b - a < 1)
					for (const beside of [was - 1, was, was + 1])
						bar(beside, a - 1 + half, b + 1 - half);
			};
			let k = from - 1;
			while (k >= 0 && !state[row_at + k])
				k--;
			if (k >= 0) {
				go(k, was_y = row(tail[row_at + k]), false);
				is_alone = false;
			} else if (begin > 0 && isFinite(this.value(one, begin - 1))) {
				go(Math.floor(times.at[begin - 1] / step) - first, was_y = row(this.value(one, begin - 1)), false);
				is_alone = false;
			}
			let column = from;
			for (; column < to || (column < n && is_any); column++) {
				const at = row_at + column;
				if (!state[at])
					continue;
				const is_flat = low[at] === high[at], y = row(head[at]);
				go(column, y, state[at] === 1);
				if (!is_flat) {
					const y_low = row(low[at]), y_high = row(high[at]);
					if (y_high < a) a = y_high;
					if (y_low > b) b = y_low;
					was_y = row(tail[at]);
				} else {
					was_y = y;
				}
				if (column >= to) // the line leaves what is drawn
					break;
			}
			if (!is_any)
				return;
			if (was < to && end < times.n && isFinite(this.value(one, end)))
				go(Math.max(n, Math.floor(times.at[end] / step) - first), row(this.value(one, end)), true);
			else
				finish();
		});
		for (let column = from; column < to; column++)
			for (let y = 0, i = (column - from) * height, k = column; y < height; y++, k += n)
				this.points[k] = points[i++];
	}

	// Has a series something in each of these columns?
	is_whole(s, from, to) {
		for (let at = s * this.n + from; at < s * this.n + to; at++)
			if (this.state[at] !== 1 && (at > s * this.n || !this.state[at]))
				return false;
		return true;
	}

	// Draws series that have something in each column, with hard ends.  The last one is drawn first, and what it covers
	// is left out of the others.
	fill_whole(from, to, height, row, half, points) {
		const { n, low, high, head, tail, state, times, first, step } = this;
		const begin = this.begin - times.gone - 1, end = this.until - times.gone; // samples beside the picture
		const distance = (i, column) => Math.abs(Math.floor(times.at[i] / step) - first - column);
		const covered = new Int32Array(2 * (to - from)); // from a row to another, of each column
		for (let s = this.list.length - 1; s >= 0; s--) {
			const row_at = s * n, solid = (0xff000000 | colour_number(this.list[s].colour)) >>> 0;
			const one = this.list[s];
			let before = NaN, y = row(head[row_at + from]), after = NaN; // where it comes from, and goes to, half a column away
			if (from && state[row_at + from - 1] && state[row_at + from] === 1)
				before = (row(tail[row_at + from - 1]) + y) / 2;
			else if (!from && begin >= 0 && state[row_at] === 1)
				before = y + (row(this.value(one, begin)) - y) / distance(begin, 0) / 2;
			if (to === n && end < times.n) {
				const out = row(tail[row_at + n - 1]);
				after = out + (row(this.value(one, end)) - out) / distance(end, n - 1) / 2;
			}
			for (let column = from, at = 0, c = 0; column < to; column++, at += height, c += 2) {
				const k = row_at + column, h = high[k], l = low[k];
				let top = y, bottom = y, out = y;
				if (h !== l) {
					top = row(h);
					bottom = row(l);
					out = row(tail[k]);
				}
				const next = column + 1 < n && state[k + 1] === 1 ? row(head[k + 1]) : NaN;
				const left = before, right = column + 1 < n ? (out + next) / 2 : after;
				if (left < top) top = left; // none of these is true of NaN
				if (left > bottom) bottom = left;
				if (right < top) top = right;
				if (right > bottom) bottom = right;
				before = right;
				y = next;
				const start = top - half > 0 ? top - half + 0.5 | 0 : 0;
				const end = bottom + half < height ? bottom + half + 0.5 | 0 : height;
				const upper = covered[c], lower = covered[c + 1];
				if (start >= upper && end <= lower)
					continue;
				const is_apart = end < upper || start > lower;
				const stop = is_apart ? end : Math.min(end, upper);
				for (let i = at + start; i < at + stop; i++)
					if (!points[i])
						points[i] = solid;
				for (let i = at + (is_apart ? end : Math.max(start, lower)); i < at + end; i++)
					if (!points[i])
						points[i] = solid;
				if (!is_apart) {
					covered[c] = Math.min(start, upper);
					covered[c + 1] = Math.max(end, lower);
				} else if (end - start > lower - upper) {
					covered[c] = start;
					covered[c + 1] = end;
				}
			}
		}
	}
}

return { Lines, SPARE };
})();
