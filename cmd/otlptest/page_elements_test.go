package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// element is one that a person who sees nothing is told of.
type element struct {
	id          cdp.BackendNodeID
	name, value string
	properties  map[string]string
}

// elements is those of a role whose accessible name matches a pattern.
func (tab *tab) elements(ctx context.Context, role, name string) (found []element, err error) {
	root, err := chromedp.Call(ctx, dom.GetDocument, dom.GetDocumentParams{})
	if err != nil {
		return nil, err
	}
	all, err := chromedp.Call(ctx, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{NodeID: root.Root.NodeID, Role: role})
	if err != nil {
		return nil, err
	}
	pattern := regexp.MustCompile(name)
	for _, n := range all.Nodes {
		e := element{id: n.BackendDOMNodeID, name: plain(n.Name), value: plain(n.Value), properties: map[string]string{}}
		if n.Ignored || !pattern.MatchString(e.name) {
			continue
		}
		for _, p := range n.Properties {
			e.properties[string(p.Name)] = plain(p.Value)
		}
		found = append(found, e)
	}
	return found, nil
}

func plain(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var text any
	if err := json.Unmarshal(v.Value, &text); err != nil {
		return string(v.Value)
	}
	return fmt.Sprint(text)
}

// find waits for an element; of several it is the first.
func (tab *tab) find(role, name string) (e element) {
	tab.t.Helper()
	tab.eventually(fmt.Sprintf("a %s named %q", role, name), func(ctx context.Context) error {
		found, err := tab.elements(ctx, role, name)
		if err == nil && len(found) == 0 {
			err = errors.New("there is none")
		}
		if err == nil {
			e = found[0]
		}
		return err
	})
	return e
}

// gone waits until there is no such element.
func (tab *tab) gone(role, name string) {
	tab.t.Helper()
	tab.eventually(fmt.Sprintf("no %s named %q", role, name), func(ctx context.Context) error {
		found, err := tab.elements(ctx, role, name)
		if err == nil && len(found) > 0 {
			err = errors.New("it is there")
		}
		return err
	})
}

// settled is an error while a view is still asking for what it shows at first.
func (tab *tab) settled(ctx context.Context) error {
	busy, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.querySelector('[aria-busy=true]') !== null`))
	if err == nil && busy {
		err = errors.New("the view is not complete yet")
	}
	return err
}

// click waits for an element, and clicks it with the mouse where it is.
func (tab *tab) click(role, name string) {
	tab.t.Helper()
	tab.eventually(fmt.Sprintf("a click on the %s named %q", role, name), func(ctx context.Context) error {
		if err := tab.settled(ctx); err != nil { // what comes moves what is below it
			return err
		}
		found, err := tab.elements(ctx, role, name)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return errors.New("there is none")
		}
		if err := command(ctx, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: found[0].id}); err != nil {
			return err
		}
		quads, err := chromedp.Call(ctx, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: found[0].id})
		if err != nil {
			return err
		}
		if len(quads.Quads) == 0 {
			return errors.New("it cannot be seen")
		}
		q := quads.Quads[0]
		return chromedp.Do(ctx, chromedp.MouseClickXY((q[0]+q[4])/2, (q[1]+q[5])/2))
	})
}

// press presses keys one after the other, as kb names them. A key types its
// character unless the page does something else with it.
func (tab *tab) press(keys string) {
	tab.t.Helper()
	for _, key := range keys {
		var text string
		events := kb.Encode(key)
		for _, e := range events {
			if e.Type == kb.KeyChar {
				text = e.Text
			}
		}
		for _, e := range events {
			if e.Type == kb.KeyChar {
				continue
			}
			if e.Type == kb.KeyDown {
				e.Text = text
			}
			tab.must(command(tab.ctx, input.DispatchKeyEvent, *e))
		}
	}
}

// insert puts a text where the focus is, as pasting does.
func (tab *tab) insert(text string) {
	tab.t.Helper()
	tab.must(command(tab.ctx, input.InsertText, input.InsertTextParams{Text: text}))
}

// search asks for something by the search box.
func (tab *tab) search(q string) {
	tab.t.Helper()
	tab.click("combobox", "^Search$")
	eval[chromedp.Void](tab, "document.activeElement.select()")
	if q == "" {
		tab.press("\b")
	} else {
		tab.insert(q)
	}
	tab.press("\r")
}

// focused is the role, tag or class of what has the focus, and its name.
func (tab *tab) focused() string {
	tab.t.Helper()
	return eval[string](tab, `(() => { const e = document.activeElement; return (e.getAttribute('role') ?? e.tagName.toLowerCase()) + ' ' + (e.getAttribute('aria-label') ?? e.innerText ?? '') })()`)
}
