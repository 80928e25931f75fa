//go:build !race

package otlpjson

const underRace = false
