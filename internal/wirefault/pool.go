package wirefault

import (
	"context"
	"sync"
)

// pool lends server connections to transactions, the one that has been idle longest first.
type pool struct {
	proxy *Proxy
	slots chan struct{} // one token for each connection that is lent or may be made

	mutex sync.Mutex
	idle  []*server
	limit int
	open  int
}

func newPool(p *Proxy, connections int) *pool {
	return &pool{proxy: p, slots: make(chan struct{}, connections), limit: connections}
}

// take waits for a free connection. All that are allowed are opened before one is lent a second time, so
// that turns really alternate.
func (p *pool) take() (*server, error) {
	select {
	case p.slots <- struct{}{}:
	case <-p.proxy.ctx.Done():
		return nil, p.proxy.ctx.Err()
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.open == p.limit {
		first := p.idle[0]
		p.idle = p.idle[1:]
		return first, nil
	}
	fresh, err := p.proxy.dial(context.WithoutCancel(p.proxy.ctx), nil)
	if err != nil {
		<-p.slots
		return nil, err
	}
	p.open++
	return fresh, nil
}

// give takes an idle connection back.
func (p *pool) give(s *server) {
	p.mutex.Lock()
	p.idle = append(p.idle, s)
	p.mutex.Unlock()
	<-p.slots
}

// lost frees the place of a lent connection that was closed.
func (p *pool) lost() {
	p.mutex.Lock()
	p.open--
	p.mutex.Unlock()
	<-p.slots
}
