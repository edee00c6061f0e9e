//go:build unix

package storm

import (
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
)

// cutter passes bytes on between a caller and a server, and cuts each connection after a while that its seed draws: in the
// middle of a request, between a request and its answer, in the middle of an answer.
type cutter struct {
	address  string
	to       string
	chunks   chunks
	listener net.Listener
	mu       sync.Mutex
	random   *rand.Rand
	open     map[net.Conn]bool
	cuts     atomic.Int64
	serving  sync.WaitGroup
}

// chunks is how many pieces pass before a cut, at the least and on top of it at the most.
type chunks struct{ fewest, more int }

var (
	// callerChunks cut a caller's connection now and then: it serves many calls, each of four to six pieces.
	callerChunks = chunks{40, 160}
	// exchangeChunks cut every fourth or fifth connection to the provider, which serves one exchange of two or three pieces,
	// in the middle of the request or of the answer: rarely enough for the provider's breaker to stay closed as a rule.
	exchangeChunks = chunks{1, 10}
)

// openCutter listens before somebody.
func openCutter(to string, seed uint64, chunks chunks) (*cutter, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &cutter{
		address: listener.Addr().String(), to: to, chunks: chunks, listener: listener, random: rand.New(rand.NewPCG(seed, 1)), open: map[net.Conn]bool{},
	}
	c.serving.Go(c.accept)
	return c, nil
}

func (c *cutter) accept() {
	for {
		conn, err := c.listener.Accept()
		if err != nil {
			return // closed
		}
		upstream, err := net.Dial("tcp", c.to)
		if err != nil {
			_ = conn.Close()
			continue
		}
		c.mu.Lock()
		c.open[conn], c.open[upstream] = true, true
		left := &atomic.Int64{}
		left.Store(int64(c.chunks.fewest + c.random.IntN(c.chunks.more)))
		c.mu.Unlock()
		end := sync.OnceFunc(func() { c.end(conn, upstream) })
		c.serving.Go(func() { c.pass(conn, upstream, left, end) })
		c.serving.Go(func() { c.pass(upstream, conn, left, end) })
	}
}

// pass passes on in one direction until one side ends or the connection's time has come. What is being passed on then is
// cut in half.
func (c *cutter) pass(from, to net.Conn, left *atomic.Int64, end func()) {
	defer end()
	piece := make([]byte, 16<<10)
	for {
		n, err := from.Read(piece)
		if left.Add(-1) <= 0 && n > 0 {
			c.cuts.Add(1)
			_, _ = to.Write(piece[:n/2])
			return
		}
		if n > 0 {
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (c *cutter) end(conns ...net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range conns {
		delete(c.open, conn)
		_ = conn.Close()
	}
}

// close cuts whatever is open.
func (c *cutter) close() {
	_ = c.listener.Close()
	c.mu.Lock()
	for conn := range c.open {
		_ = conn.Close()
	}
	c.mu.Unlock()
	c.serving.Wait()
}
