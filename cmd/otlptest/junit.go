package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// junitSuite is a test suite in the form that CI servers read: a case for the
// command, and one for each expectation.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Time     float64     `xml:"time,attr"` // seconds
	Cases    []junitCase `xml:"testcase"`
	Output   string      `xml:"system-out"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitFailure `xml:"failure"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func (t *trial) writeJUnit(w io.Writer) error {
	name := strings.Join(t.child.command, " ")
	suite := junitSuite{Name: "otlptest", Time: t.child.took.Seconds(), Output: t.srv.Report().String()}
	suite.add(name, "the command ends with status 0", t.child.status == 0, fmt.Sprintf("got status %d, want 0", t.child.status))
	for _, r := range t.results {
		suite.add(name, r.Text, r.OK, r.Why)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) add(class, name string, ok bool, why string) {
	c := junitCase{Class: class, Name: name}
	s.Tests++
	if !ok {
		s.Failures++
		message, _, _ := strings.Cut(why, "\n")
		c.Failure = &junitFailure{message, why}
	}
	s.Cases = append(s.Cases, c)
}
