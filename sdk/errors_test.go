package sdk_test

import (
	"bytes"
	"errors"
	"log"
	"os"
	"strings"
	"testing"

	"go.opentelemetry.io/otel"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/sdk"
)

// quiet keeps errors that a test causes on purpose out of the output.
func quiet(t testing.TB) *sdk.Errors {
	t.Helper()
	return sdk.CaptureErrors(t)
}

// handler is an error handler of a user's.
type handler struct{ errs []error }

func (h *handler) Handle(err error) { h.errs = append(h.errs, err) }

func TestErrorsOfTheSDKAreInTheLogOfTheTest(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Reject("no room"), faults.PartialSuccess(1, "one too many"))))
	var errs *sdk.Errors
	f := run(t, func(t testing.TB) {
		errs = sdk.CaptureErrors(t)
		tp := sdk.TracerProvider(t, srv, otlptest.GRPC)
		endSpan(tp, "charge")
		_ = tp.ForceFlush(background)
		endSpan(tp, "charge") // exported at the end
	})
	f.wantLog(t, true, "otlptest/sdk: the SDK reported: ")
	if all := errs.All(); len(all) != 2 || !strings.Contains(all[0].Error(), "no room") || !strings.Contains(all[1].Error(), "one too many") {
		t.Errorf("got %v, want the rejection and the partial success", all)
	}
}

func TestTheHandlerThatWasThereIsPutBack(t *testing.T) {
	mine := new(handler)
	otel.SetErrorHandler(mine)
	boom := errors.New("boom")
	run(t, func(tb testing.TB) {
		a := sdk.CaptureErrors(tb)
		run(t, func(tb testing.TB) {
			b := sdk.CaptureErrors(tb)
			otel.Handle(boom)
			if len(a.All()) != 1 || len(b.All()) != 1 {
				t.Errorf("got %v and %v, want the error in both", a.All(), b.All())
			}
		})
		otel.Handle(boom)
		if len(a.All()) != 2 {
			t.Errorf("got %v, want the error of after the inner test too", a.All())
		}
	})
	if len(mine.errs) != 0 || otel.GetErrorHandler() != otel.ErrorHandler(mine) {
		t.Errorf("got %v, and %v back, want nothing and mine", mine.errs, otel.GetErrorHandler())
	}
}

func TestAHandlerThatWasSetSinceIsKept(t *testing.T) {
	mine := new(handler)
	run(t, func(tb testing.TB) {
		sdk.CaptureErrors(tb)
		otel.SetErrorHandler(mine)
	})
	if otel.GetErrorHandler() != otel.ErrorHandler(mine) {
		t.Errorf("got %v, want the one that the test had set", otel.GetErrorHandler())
	}
}

// The SDK keeps the first handler that it is given for those that asked for one
// before.
func TestErrorsThatComeWhenNoTestCapturesArePrinted(t *testing.T) {
	var output bytes.Buffer
	log.SetOutput(&output)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	var kept otel.ErrorHandler
	run(t, func(t testing.TB) {
		sdk.CaptureErrors(t)
		kept = otel.GetErrorHandler()
		kept.Handle(errors.New("captured"))
	})
	kept.Handle(errors.New("boom"))
	if got := output.String(); !strings.HasSuffix(got, "boom\n") || strings.Contains(got, "captured") {
		t.Errorf("got %q, want the second error", got)
	}
}
