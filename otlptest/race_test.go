//go:build race

package otlptest_test

// underRace is set where the race detector is at work, which allocates memory of
// its own and empties pools.
const underRace = true
