package violations

// spanTimes checks when a span started and ended, in nanoseconds.
func (w *walker) spanTimes(start, end uint64) {
	if start == 0 {
		w.report(spanTime, "start_time_unix_nano", words("none"), "the time when the span started")
	}
	switch {
	case end == 0:
		w.report(spanTime, "end_time_unix_nano", words("none"), "the time when the span ended")
	case end < start:
		w.report(spanOrder, "end_time_unix_nano", interval{start, end}, "an end that is not before the start")
	}
}

// logTimes checks when a log record happened and was seen.
func (w *walker) logTimes(happened, seen uint64) {
	if happened == 0 && seen == 0 {
		w.report(logAnyTime, "time_unix_nano", words("neither this nor observed_time_unix_nano"), "at least one of them")
	}
}

// pointTimes checks the interval of a data point. Its start may be unknown.
func (w *walker) pointTimes(start, end uint64) {
	switch {
	case end == 0:
		w.report(noTime, "time_unix_nano", words("none"), "the time of the value")
	case end < start:
		w.report(pointOrder, "time_unix_nano", interval{start, end}, "an end that is not before the start")
	}
}
