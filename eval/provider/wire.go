package provider

import (
	"encoding/json"
	"net/http"
	"time"
)

// object is the answer that shows an effect.
func object(e *effect, now time.Time) Answer {
	o := e.object(now)
	status := http.StatusCreated
	if o.Status == Pending {
		status = http.StatusAccepted
	}
	a := answered(status, o)
	a.EffectID = o.ID
	return a
}

// refusal is an answer that says no.
func refusal(status int, code, message string) Answer {
	return answered(status, map[string]any{"error": map[string]string{"code": code, "message": message}})
}

func answered(status int, body any) Answer {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // all bodies are made here
	}
	return Answer{
		Kind: Answered, Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: text, Length: len(text),
		Took: usualTook,
	}
}

// read answers a read, which makes nothing.
func (p *Provider) read(r Request, b behaviour) Answer {
	switch {
	case b.makes == inFlight:
		return Answer{}
	case b.makes == refuse:
		return refusal(http.StatusUnprocessableEntity, "refused", "this is refused for good")
	}
	return answered(http.StatusOK, map[string]string{"collection": r.Collection})
}

// wire carries an answer to the sender of a request, as far as the fault lets it.
func (b behaviour) wire(r Request, p Profile, a Answer) Answer {
	switch b.says {
	case nothing:
		return Answer{Kind: NoAnswer, Took: r.Patience}
	case reset:
		return Answer{Kind: Reset, Took: usualTook}
	case tooMany, tooManyBare:
		a = refusal(http.StatusTooManyRequests, "rate_limited", "too many requests")
		if b.says == tooMany {
			a.Header.Set("Retry-After", seconds(p.RetryAfter))
		}
	case serverError:
		a = refusal(http.StatusInternalServerError, "internal", "something went wrong")
	case garbage:
		// What a proxy says in the provider's place, under the provider's status.
		a.Header.Set("Content-Type", "text/html")
		a.Body, a.EffectID = []byte("<html><body>The upstream answer could not be read.</body>"), ""
		a.Length = len(a.Body)
	case cut:
		a.Body, a.EffectID = a.Body[:len(a.Body)/2], ""
	case drip:
		a.Kind, a.Body, a.EffectID, a.Took = NoAnswer, a.Body[:len(a.Body)/2], "", r.Patience
	}
	return a
}
