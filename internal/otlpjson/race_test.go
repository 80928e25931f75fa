//go:build race

package otlpjson

// underRace is set where the race detector makes everything slow. What is
// converted by one goroutine needs no second look by it.
const underRace = true
