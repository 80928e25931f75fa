//go:build !race

package receiver

const underRace = false
