package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// healthcheck is the command that asks whether a backend answers, for images in
// which there is nothing else that could.
type healthcheck struct {
	API     string        `name:"api" placeholder:"URL" default:"http://127.0.0.1:4319" env:"OTLPTEST_API_URL,OTLPTEST_API" help:"The backend's API: its URL, or the address that it listens on."`
	Timeout time.Duration `placeholder:"DURATION" default:"3s" help:"How long the answer may take."`
}

// Run fails unless the backend answers.
func (c *healthcheck) Run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	url := c.url() + "/healthz"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // and no proxy
	answer, err := client.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: got %s, want 200", url, answer.Status)
	}
	return nil
}

// url is the API's base URL.
func (c *healthcheck) url() string {
	if strings.Contains(c.API, "://") {
		return strings.TrimRight(c.API, "/")
	}
	return "http://" + reachable(c.API)
}
