package sdk

import (
	"context"
	"errors"
	"sync"

	"go.opentelemetry.io/otel"
)

// queue exports items in the order in which they were put, one export at a
// time, each with all that has come by then. Its size has no limit. It holds no
// mutex while it exports, and whoever waits for it waits on a channel, so that
// the clock of a bubble goes on.
type queue[T any] struct {
	export   func(context.Context, []T) error
	wake     chan struct{} // holds one: there are items
	requests chan request
	ended    chan struct{} // closed when nothing is exported any more
	ctx      context.Context
	cancel   context.CancelFunc // ends exports that nobody waits for

	mu     sync.Mutex
	items  []T
	closed bool
}

// request asks the queue to export what it has, and to end if it is the last.
type request struct {
	ctx    context.Context
	last   bool
	answer chan<- error // holds one
}

func newQueue[T any](export func(context.Context, []T) error) *queue[T] {
	ctx, cancel := context.WithCancel(context.Background())
	q := &queue[T]{
		export: export, wake: make(chan struct{}, 1), requests: make(chan request),
		ended: make(chan struct{}), ctx: ctx, cancel: cancel,
	}
	go q.run()
	return q
}

// run exports until the last request. Errors of exports are those of the next
// request.
func (q *queue[T]) run() {
	defer close(q.ended)
	var failed error
	for {
		select {
		case <-q.wake:
			failed = errors.Join(failed, q.send(q.ctx))
		case r := <-q.requests:
			r.answer <- errors.Join(failed, q.send(r.ctx))
			failed = nil
			if r.last {
				return
			}
		}
	}
}

// send exports what there is, and tells the SDK's error handler of an error.
func (q *queue[T]) send(ctx context.Context) error {
	q.mu.Lock()
	items := q.items
	q.items = nil
	q.mu.Unlock()
	if len(items) == 0 {
		return nil
	}
	err := q.export(ctx, items)
	if err != nil {
		otel.Handle(err)
	}
	return err
}

// put adds an item. After shutdown it does nothing.
func (q *queue[T]) put(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	q.items = append(q.items, item)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// close says whether the queue was open until now.
func (q *queue[T]) close() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	was := !q.closed
	q.closed = true
	return was
}

// ForceFlush returns when all that was put before has been exported, or ctx is
// over. The error is also that of exports since the last one.
func (q *queue[T]) ForceFlush(ctx context.Context) error {
	answer := make(chan error, 1)
	select {
	case q.requests <- request{ctx: ctx, answer: answer}:
	case <-q.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// shutdown is a last ForceFlush, after which it calls end. Where ctx is over
// before, it ends exports that are under way. Further calls do nothing.
func (q *queue[T]) shutdown(ctx context.Context, end func(context.Context) error) error {
	if !q.close() {
		return nil
	}
	defer q.cancel()
	defer context.AfterFunc(ctx, q.cancel)()
	answer := make(chan error, 1)
	q.requests <- request{ctx: ctx, last: true, answer: answer}
	err := <-answer
	<-q.ended
	if err != nil {
		err = errors.Join(err, ctx.Err())
	}
	return errors.Join(err, end(ctx))
}
