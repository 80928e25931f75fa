package receiver

import (
	"crypto/subtle"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/query"
)

// authorized says whether an Authorization header is one of those that are
// asked for, if any is. The name of its scheme is compared in any case.
func (r *Receiver) authorized(header string) bool {
	if len(r.Authorization) == 0 {
		return true
	}
	scheme, rest, _ := strings.Cut(header, " ")
	for _, want := range r.Authorization {
		wantScheme, wantRest, _ := strings.Cut(want, " ")
		if strings.EqualFold(scheme, wantScheme) && subtle.ConstantTimeCompare([]byte(strings.TrimSpace(rest)), []byte(wantRest)) == 1 {
			return true
		}
	}
	return false
}

// unauthenticated is the answer to a request without the right Authorization.
func (r *Receiver) unauthenticated() answer {
	return answer{
		outcome: query.Refused, code: codes.Unauthenticated, challenge: r.challenges(),
		message: "the Authorization header is missing or not one that the server accepts",
	}
}

// challenges is the value of WWW-Authenticate: the schemes that are accepted.
func (r *Receiver) challenges() string {
	var schemes []string
	for _, a := range r.Authorization {
		scheme, _, _ := strings.Cut(a, " ")
		schemes = append(schemes, scheme+` realm="otlptest"`)
	}
	return strings.Join(schemes, ", ")
}
