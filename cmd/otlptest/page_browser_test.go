package main_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/otlptest/otlptest/httpapi"
	"github.com/otlptest/otlptest/otlptest"
)

// patience is how long the page may take to show something. It is long: what
// does not come is rare, and the machine may be busy.
const patience = 15 * time.Second

// openBrowser starts a browser that ends with the test, or skips it.
func openBrowser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("drives a browser: not with -short")
	}
	path := findBrowser()
	if path == "" {
		t.Skip("there is no browser here: install chromium, or set OTLPTEST_CHROMIUM to a Chrome or Chromium")
	}
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.DisableGPU, chromedp.WindowSize(1400, 900),
		chromedp.Flag("hide-scrollbars", false), chromedp.Flag("lang", "en"))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("%s does not start: %v", path, err)
	}
	return ctx
}

func findBrowser() string {
	if path := os.Getenv("OTLPTEST_CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// site is a backend with its page.
type site struct {
	*otlptest.Server
	url string // of the page, without the slash at its end
}

func newSite(t *testing.T) *site {
	t.Helper()
	return newGuardedSite(t, "")
}

// newGuardedSite is one whose API asks for a token.
func newGuardedSite(t *testing.T, token string) *site {
	t.Helper()
	srv, err := otlptest.New()
	if err != nil {
		t.Fatal(err)
	}
	api := httptest.NewServer(httpapi.New(srv, httpapi.WithToken(token)))
	t.Cleanup(func() {
		srv.Close() // first: it ends waits
		api.CloseClientConnections()
		api.Close()
	})
	return &site{srv, api.URL}
}

// filler sends to the site.
func (s *site) filler(t *testing.T) *filler {
	t.Helper()
	f, err := newFiller(s.GRPCEndpoint(), s.HTTPEndpoint(), s.url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.close() })
	return f
}

// tab is a tab of the browser. What its page does wrong fails the test.
type tab struct {
	t   *testing.T
	ctx context.Context

	patience time.Duration
	closed   bool
	mu       sync.Mutex
	wrong    []string
	allowed  *regexp.Regexp
	sent     map[network.RequestID]string // what was asked, by method and URL
	order    []network.RequestID
	bytes    float64 // that came over the network
}

// openTab opens a page of the site at a hash, such as #/spans?q=x.
func openTab(browserContext context.Context, t *testing.T, s *site, hash string) *tab {
	t.Helper()
	tab := blankTab(browserContext, t)
	tab.load(s, hash)
	return tab
}

func blankTab(browserContext context.Context, t *testing.T) *tab {
	t.Helper()
	ctx, _ := chromedp.NewContext(browserContext) // close cancels it
	tab := &tab{t: t, ctx: ctx, patience: patience, sent: map[network.RequestID]string{}}
	t.Cleanup(tab.close)
	tab.must(chromedp.Listen(ctx, tab.saw))
	tab.must(errors.Join(
		command(ctx, network.Enable, network.EnableParams{}),
		command(ctx, log.Enable, cdp.Empty{}),
		command(ctx, runtime.Enable, cdp.Empty{}),
		command(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}),
	))
	return tab
}

func command[P, R any](ctx context.Context, c cdp.Command[P, R], params P) error {
	_, err := chromedp.Call(ctx, c, params)
	return err
}

// close closes the tab, whose page must have done nothing wrong. A browser has
// but six connections to a server, and each page of it holds one.
func (tab *tab) close() {
	tab.t.Helper()
	if tab.closed {
		return
	}
	tab.closed = true
	if tab.t.Failed() {
		tab.picture(filepath.Join(tab.t.ArtifactDir(), "failed.png"))
	}
	chromedp.Cancel(tab.ctx)
	tab.mu.Lock()
	defer tab.mu.Unlock()
	for _, text := range tab.wrong {
		if tab.allowed == nil || !tab.allowed.MatchString(text) {
			tab.t.Errorf("the page: %s", text)
		}
	}
}

// saw keeps what the browser tells.
func (tab *tab) saw(ev any) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	bad := func(format string, args ...any) { tab.wrong = append(tab.wrong, fmt.Sprintf(format, args...)) }
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		text := ev.ExceptionDetails.Text
		if e := ev.ExceptionDetails.Exception; e != nil {
			text += ": " + e.Description
		}
		bad("exception: %s", text)
	case *runtime.EventConsoleAPICalled:
		if ev.Type == runtime.ConsoleAPICalledTypeError || ev.Type == runtime.ConsoleAPICalledTypeWarning || ev.Type == runtime.ConsoleAPICalledTypeAssert {
			var parts []string
			for _, arg := range ev.Args {
				parts = append(parts, string(arg.Value)+arg.Description)
			}
			bad("console.%s: %s", ev.Type, strings.Join(parts, " "))
		}
	case *log.EventEntryAdded:
		if ev.Entry.Level == log.EntryLevelError || ev.Entry.Level == log.EntryLevelWarning || ev.Entry.Source == log.EntrySourceSecurity {
			bad("%s %s: %s %s", ev.Entry.Source, ev.Entry.Level, ev.Entry.Text, ev.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if _, ok := tab.sent[ev.RequestID]; !ok {
			tab.order = append(tab.order, ev.RequestID)
		}
		tab.sent[ev.RequestID] = ev.Request.Method + " " + ev.Request.URL
	case *network.EventResponseReceived:
		if ev.Response.Status >= 400 {
			bad("%s: got %d", tab.sent[ev.RequestID], ev.Response.Status)
		}
	case *network.EventLoadingFinished:
		tab.bytes += ev.EncodedDataLength
	case *network.EventLoadingFailed:
		if !ev.Canceled {
			bad("%s: %s %s", tab.sent[ev.RequestID], ev.ErrorText, ev.BlockedReason)
		}
	}
}

// allow says what may go wrong, as it is meant to.
func (tab *tab) allow(pattern string) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	tab.allowed = regexp.MustCompile(pattern)
}

// requests is what was asked so far whose method and URL matches.
func (tab *tab) requests(pattern string) (found []string) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	for _, id := range tab.order {
		if regexp.MustCompile(pattern).MatchString(tab.sent[id]) {
			found = append(found, tab.sent[id])
		}
	}
	return found
}

func (tab *tab) transferred() int {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return int(tab.bytes)
}

// must ends the test with an error and what the page shows.
func (tab *tab) must(err error) {
	tab.t.Helper()
	if err != nil {
		tab.t.Fatal(err)
	}
}

// load goes to an address of the page, by a new document.
func (tab *tab) load(s *site, hash string) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	tab.must(chromedp.Do(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(s.url+"/"+hash)))
}

// goTo goes to another address of the same document.
func (tab *tab) goTo(hash string) {
	tab.t.Helper()
	eval[chromedp.Void](tab, fmt.Sprintf("location.hash = %q", hash))
}

func (tab *tab) hash() string {
	tab.t.Helper()
	return eval[string](tab, "location.hash")
}

// eval runs an expression in the page, and waits for the promise that it may be.
func eval[T any](tab *tab, js string) T {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		tab.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// eventually waits until try succeeds.
func (tab *tab) eventually(what string, try func(ctx context.Context) error) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, tab.patience)
	defer cancel()
	poll := time.NewTicker(25 * time.Millisecond)
	defer poll.Stop()
	var last error
	for {
		err := try(ctx)
		if err == nil {
			return
		}
		if ctx.Err() == nil || last == nil {
			last = err
		}
		select {
		case <-poll.C:
			continue
		case <-ctx.Done():
		}
		shown, _ := chromedp.Run(tab.ctx, chromedp.Evaluate[string](`location.hash + "\n" + document.body.innerText`))
		if len(shown) > 1200 {
			shown = shown[:1200] + "…"
		}
		tab.mu.Lock()
		wrong := slices.Clone(tab.wrong)
		tab.mu.Unlock()
		tab.t.Fatalf("%s: %v after %s; the page shows\n%s\n%s", what, last, tab.patience, shown, strings.Join(wrong, "\n"))
	}
}

// until waits until an expression is true.
func (tab *tab) until(what, js string) {
	tab.t.Helper()
	tab.eventually(what, func(ctx context.Context) error {
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Promise.resolve("+js+").then(Boolean)", chromedp.EvalAwaitPromise))
		if err == nil && !ok {
			err = errors.New("not so: " + js)
		}
		return err
	})
}

// text waits until the stage, which is what stands below the search box, has a
// text.
func (tab *tab) text(want string) {
	tab.t.Helper()
	tab.until(fmt.Sprintf("the text %q", want), fmt.Sprintf("document.getElementById('main').innerText.includes(%q)", want))
}

// look sets what the person has chosen and what the screen is.
func (tab *tab) look(width int64, dark bool) {
	tab.t.Helper()
	height, scheme := int64(900), "light"
	if width < 600 {
		height = 844
	}
	if dark {
		scheme = "dark"
	}
	tab.must(errors.Join(
		command(tab.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 600}),
		command(tab.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}}),
	))
}

// picture writes what the tab shows to a file.
func (tab *tab) picture(file string) {
	png, err := chromedp.Run(tab.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(file, png, 0o644)
	}
	if err != nil {
		tab.t.Logf("no picture: %v", err)
		return
	}
	tab.t.Logf("what it showed: %s", file)
}

// allowClipboard lets the pages of a site read what they have copied.
func allowClipboard(ctx context.Context, t *testing.T, s *site) {
	t.Helper()
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		if _, err := chromedp.CallBrowser(ctx, browser.SetPermission, browser.SetPermissionParams{
			Origin: s.url, Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted,
		}); err != nil {
			t.Fatal(err)
		}
	}
}
