// series: a series as the reader sees it: its unit, its values and how they are written.
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
	return firstOf(times.n, i => times.at[i] >= t);
}

function clock(t) {
	return brief(t) + " s";
}
