//go:build !race

package otlptest_test

const underRace = false
