//go:build race

package receiver

// underRace is set where the race detector is at work.
const underRace = true
