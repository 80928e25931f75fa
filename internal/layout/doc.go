// Package layout guards the shape of the module: which package may import
// which, what a user's test links, and that adding the module to a go.mod
// moves nothing in it. It holds nothing but tests.
package layout
