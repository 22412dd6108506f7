package guard_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"cairn/internal/guard"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func fail(values []int) int { return values[len(values)] }

func TestGroupCarriesAPanic(t *testing.T) {
	var g guard.Group
	for i := range 4 {
		g.Go(func() {
			if i == 2 {
				fail(nil)
			}
		})
	}
	err := guard.Do(func() error {
		g.Wait()
		return nil
	})
	var p *guard.PanicError
	if !errors.As(err, &p) || !strings.Contains(string(p.Stack), "guard_test.fail") {
		t.Fatalf("Wait: %v, want the panic with the stack of where it happened", err)
	}
}

func TestRecoverLogsOnce(t *testing.T) {
	var said bytes.Buffer
	log := slog.New(slog.NewTextHandler(&said, nil))
	do := func() (err error) {
		defer guard.Recover(log, &err)
		fail(nil)
		return nil
	}
	err := do()
	again := func() (got error) {
		defer guard.Recover(log, &got)
		return fmt.Errorf("answer: %w", err)
	}
	if err == nil || again() == nil || strings.Count(said.String(), "guard_test.fail") != 1 {
		t.Errorf("error %v, logged: %s", err, said.String())
	}
	said.Reset()
	guard.Log(log, context.Canceled)
	guard.Log(nil, err)
	if said.Len() > 0 {
		t.Errorf("logged: %s", said.String())
	}
}

func TestTasks(t *testing.T) {
	failed := make(chan error, 1)
	tasks := guard.NewTasks(func(err error) { failed <- err })
	tasks.Go(func(context.Context) { fail(nil) })
	if err := <-failed; !strings.Contains(err.Error(), "index out of range") {
		t.Errorf("failed = %v", err)
	}
	ended := false
	tasks.Go(func(ctx context.Context) {
		<-ctx.Done()
		ended = true
	})
	one := make(chan struct{})
	tasks.Go(func(ctx context.Context) {
		<-ctx.Done()
		close(one)
	})()
	<-one
	joined, leave := tasks.Join(t.Context())
	left := false
	tasks.Go(func(context.Context) {
		<-joined.Done()
		left = true
		leave()
		leave() // is the same as once
	})
	tasks.Stop()
	if !ended || !left {
		t.Error("Stop did not wait")
	}
	if late, leave := tasks.Join(t.Context()); late.Err() == nil {
		t.Error("joined after Stop")
	} else {
		leave()
	}
	tasks.Go(func(context.Context) { t.Error("begun after Stop") })
	tasks.Stop()
}
