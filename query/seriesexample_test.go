package query_test

import (
	"fmt"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/query"
)

// received is what a view, such as srv.Points(where.Name("jobs")), holds after
// three collections of a counter that is broken down by queue, with a restart
// before the last.
func received() []query.Point {
	begin := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	point := func(queue string, start, end time.Duration, total int64) query.Point {
		return query.Point{
			Name: "jobs", Type: query.Sum, Temporality: query.Cumulative, Monotonic: true,
			Attrs: query.Attrs{query.Attr("queue", queue)},
			Start: begin.Add(start), Time: begin.Add(end), Value: query.IntValue(total),
		}
	}
	return []query.Point{
		point("mail", 0, 10*time.Second, 5), point("print", 0, 10*time.Second, 1),
		point("mail", 0, 20*time.Second, 8), point("print", 0, 20*time.Second, 1),
		point("mail", 30*time.Second, 40*time.Second, 2),
	}
}

func ExampleSeriesOf() {
	for _, s := range query.SeriesOf(received()) { // or of srv.Points(where.Name("jobs"))
		fmt.Println(s)
	}
	// Output:
	// "jobs"  service=  queue="mail"  cumulative monotonic sum  3 points
	// "jobs"  service=  queue="print"  cumulative monotonic sum  2 points
}

func ExampleOneSeries() {
	_, err := query.OneSeries(received())
	fmt.Println(err)
	// Output:
	// got 2 series, want exactly 1:
	//   "jobs"  attr.queue="mail"  3 points
	//   "jobs"  attr.queue="print"  2 points
}

func ExampleSeries_Total() {
	mail := query.SeriesOf(received())[0]
	total, err := mail.Total() // 8 before the restart, 2 after it
	fmt.Println(total, err)
	rate, err := mail.Rate() // in the 20 s before, and in 10 s after
	fmt.Printf("%.2f/s %v\n", rate, err)
	// Output:
	// 10 <nil>
	// 0.33/s <nil>
}

func ExampleSeries_Breaks() {
	for _, b := range query.SeriesOf(received())[0].Breaks() {
		fmt.Println(b)
	}
	// Output:
	// reset at 2000-01-01T00:00:40Z: got a new start of 2000-01-01T00:00:30Z, want that of the point before, 2000-01-01T00:00:00Z
}

func ExampleSeries_Delta() {
	deltas, err := query.SeriesOf(received())[0].Delta()
	if err != nil {
		fmt.Println(err)
	}
	for _, p := range deltas.Points {
		fmt.Println(p.Start.Format("05"), p.Time.Format("05"), p.Value)
	}
	// Output:
	// 00 10 5
	// 10 20 3
	// 30 40 2
}

func ExampleSeries_Quantile() {
	begin := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	s, err := query.OneSeries([]query.Point{{
		Name: "http.server.request.duration", Unit: "s", Type: query.HistogramType, Temporality: query.Delta,
		Start: begin, Time: begin.Add(time.Minute),
		Histogram: &query.Histogram{
			Count: 10, Sum: query.FloatValue(2.1), Max: query.FloatValue(0.9),
			Bounds: []query.Float{0.1, 0.25, 0.5}, Counts: []uint64{4, 4, 1, 1},
		},
	}})
	if err != nil {
		fmt.Println(err)
	}
	for _, q := range []float64{0.5, 0.9, 1} {
		e, err := s.Quantile(q)
		fmt.Printf("%g: %v %v\n", q, e, err)
	}
	// Output:
	// 0.5: 0.1375 (0.1 to 0.25) <nil>
	// 0.9: 0.5 (0.25 to 0.5) <nil>
	// 1: 0.9 <nil>
}

func ExampleTolerance() {
	t := query.Tolerance{Fraction: 1e-9}
	fmt.Println(t.Float64s(0.1+0.2, 0.3))
	fmt.Println(cmp.Equal(query.FloatValue(1+1e-12), query.FloatValue(1), cmp.Comparer(t.Values), cmp.Comparer(t.Floats)))
	// Output:
	// true
	// true
}
