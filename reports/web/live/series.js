// series: a series as the reader sees it: its unit, its values and how they are written.
// Writes a number with four digits.
function short(number) {
	if (!isFinite(number))
		return "-";
	const size = Math.abs(number), steps = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]];
	for (const [step, letter] of steps)
		if (size >= step)
			return String(Number((number / (step === 1e4 ? 1e3 : step)).toPrecision(4))) + letter;
	return size && size < 1e-4 ? number.toExponential(2) : String(Number(number.toPrecision(4)));
}

function unit_of(one) {
	return one.unit + (one.is_gauge ? "" : "/s");
}

// Is the series drawn in per cent of its limit?
function is_share(one) {
	return view.is_share && one.limit > 0 && one.unit !== "%";
}

function shown_unit(one) {
	return is_share(one) ? "% of the limit" : unit_of(one);
}

// Returns what a series is at sample i: of a counter the growth a second.
function value_at(one, i) {
	return one.is_gauge ? one.at[i] : one.at[i] / one.told.at[i];
}

// Returns the first sample at the time or behind it.
function index_of(t) {
	let from = 0, to = times.n;
	while (from < to) {
		const middle = (from + to) >> 1;
		if (times.at[middle] < t)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

function clock(t) {
	return short(t) + " s";
}
