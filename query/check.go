package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Check is one thing that must hold of a report. It returns nil if it does,
// and otherwise an error that names the check, what was got, what was wanted,
// and the batches and exports that it is about, the first few of them. Where
// there is nothing that it could look at, the error has [ErrNothingToCheck] in
// its chain: a check never passes for want of evidence.
type Check func(Report) error

// ErrNothingToCheck is in the chain of the error of a check that found nothing
// to look at.
var ErrNothingToCheck = errors.New("nothing to check")

// Verify makes all checks and joins their errors ([errors.Join]). It is an
// error to verify a report without exports, and to name no check.
func (r Report) Verify(checks ...Check) error {
	switch {
	case len(r.ledger().exports) == 0:
		return fmt.Errorf("%w: no export has come", ErrNothingToCheck)
	case len(checks) == 0:
		return fmt.Errorf("%w: no check was named", ErrNothingToCheck)
	}
	errs := make([]error, len(checks))
	for i, check := range checks {
		errs[i] = check(r)
	}
	return errors.Join(errs...)
}

// failure is the error of a check. Details are lines about what failed, of
// which the first few are shown.
func failure(check, got, want string, details []string) error {
	const most = 3
	text := fmt.Sprintf("%s: got %s, want %s", check, got, want)
	for i, d := range details {
		if i == most {
			text += fmt.Sprintf("\n  … and %d more", len(details)-most)
			break
		}
		text += "\n  " + d
	}
	return errors.New(text)
}

// nothing is the error of a check that found nothing to look at.
func nothing(check, why string) error {
	return fmt.Errorf("%s: %w: %s", check, ErrNothingToCheck, why)
}

// exportList is such as "export 2" or "exports 2, 4, 7 and 3 more".
func exportList(numbers []int) string {
	const most = 5
	numbers = slices.Compact(slices.Sorted(slices.Values(numbers)))
	if len(numbers) == 1 {
		return fmt.Sprintf("export %d", numbers[0])
	}
	var shown []string
	for _, n := range numbers[:min(most, len(numbers))] {
		shown = append(shown, fmt.Sprint(n))
	}
	list := "exports " + strings.Join(shown, ", ")
	if more := len(numbers) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
