package provider

import (
	"maps"
	"net"
	"net/http"
	"strconv"
	"time"
)

// dripPause is the time between two bytes of a slow body.
const dripPause = 50 * time.Millisecond

// send lets a real sender see what an answer says that it sees.
func send(w http.ResponseWriter, r *http.Request, a Answer) {
	if a.Kind == Reset {
		resetConnection(w)
		return
	}
	if a.Status == 0 {
		hold(r)
	}
	maps.Copy(w.Header(), a.Header)
	w.Header().Set("Content-Length", strconv.Itoa(a.Length))
	w.WriteHeader(a.Status)
	if a.Kind == NoAnswer {
		dripBody(w, r, a.Body)
		hold(r)
	}
	// Where less comes than was announced, net/http ends the connection. An error means that the client is gone: what was done
	// is in the books.
	_, _ = w.Write(a.Body)
}

// hold never answers: it waits until the sender has given up, as on a connection that a middlebox has dropped, or until
// this provider ends.
func hold(r *http.Request) {
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// resetConnection ends the connection with RST, so that not even its orderly end is an answer.
func resetConnection(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// dripBody sends a byte now and then.
func dripBody(w http.ResponseWriter, r *http.Request, body []byte) {
	out := http.NewResponseController(w)
	pause := time.NewTicker(dripPause)
	defer pause.Stop()
	for i := range body {
		if _, err := w.Write(body[i : i+1]); err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-pause.C:
		case <-r.Context().Done():
			return
		}
	}
}
