//go:build race

package store_test

// underRace is set where the race detector is at work.
const underRace = true
