package violations

import (
	"fmt"
	"strings"
	"testing"
)

func TestEachCheckOfABody(t *testing.T) {
	for _, row := range bodyRows {
		t.Run(row.name, func(t *testing.T) {
			sep := " "
			if strings.HasPrefix(row.want, ":") {
				sep = ""
			}
			same(t, look(t, row.body), fmt.Sprintf("%s %s  export 1%s%s", row.check.Rule, row.check.Level, sep, row.want))
		})
	}
}
