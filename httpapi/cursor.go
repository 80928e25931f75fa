package httpapi

import (
	"fmt"
	"strconv"
	"strings"
)

// cursor is a place in a list: that of the item with a number, or of the nth of
// several with this number.
type cursor struct{ number, nth int }

// to is the cursor of the item that follows and has that number.
func (c cursor) to(number int) cursor {
	if c.number == number {
		return cursor{number, c.nth + 1}
	}
	return cursor{number, 1}
}

func (c cursor) before(d cursor) bool {
	return c.number < d.number || c.number == d.number && c.nth < d.nth
}

// String is "12", or "12.3" for the third with number 12.
func (c cursor) String() string {
	if c.nth > 1 {
		return fmt.Sprintf("%d.%d", c.number, c.nth)
	}
	return strconv.Itoa(c.number)
}

// parseCursor reads what String writes; the empty text is before everything.
func parseCursor(text string) (c cursor, err error) {
	if text == "" {
		return c, nil
	}
	number, nth, several := strings.Cut(text, ".")
	c.nth = 1
	if c.number, err = strconv.Atoi(number); err == nil && several {
		c.nth, err = strconv.Atoi(nth)
	}
	if err != nil || c.number < 0 || c.nth < 1 {
		return c, invalid("after", "got %q, want the next of an earlier answer", text)
	}
	return c, nil
}
