package ledger

// CreateSubscription subscribes an address, whose terms were checked at the edge.
type CreateSubscription struct {
	Request
	ID         string       // made from the request
	Definition []byte       // opaque to the core
	Kinds      []NoticeKind // that the terms name
	Paused     bool
}

// Reads are the subscription.
func (c *CreateSubscription) Reads(*View) []Read {
	return []Read{SubscriptionKey(c.Namespace, c.ID).Read(), wantedKey(c.Namespace).Read()}
}

// Decide makes the subscription. The repeat of a request is answered with what stands by now.
func (c *CreateSubscription) Decide(v *View, _ Env) Decided {
	have, exists := recordOf[Subscription](v, SubscriptionKey(c.Namespace, c.ID))
	if _, no := c.repeated(v); no != nil {
		return Decided{Err: no}
	}
	if exists {
		return standing(have)
	}
	next := &Subscription{
		row: have.next(), Definition: c.Definition, Revision: 1, CreatedBy: c.Principal, CreatedAt: v.Now, UpdatedAt: v.Now,
	}
	next.pause(c.Paused, v.Now)
	return Decided{Reply: &SubscriptionKept{Subscription: next}, Changes: c.kept(&Changes{Records: append(want(v, c.Namespace, c.Kinds), next)})}
}

// UpdateSubscription replaces the terms of a subscription.
type UpdateSubscription struct {
	Request
	ID         string
	Definition []byte       // opaque to the core
	Kinds      []NoticeKind // that the terms name
	Paused     bool
	Etag       string // the subscription as the caller saw it
}

// Reads are the subscription.
func (u *UpdateSubscription) Reads(*View) []Read {
	return []Read{SubscriptionKey(u.Namespace, u.ID).Read(), wantedKey(u.Namespace).Read()}
}

// Decide replaces the terms. The failures in a row were those of the old ones.
func (u *UpdateSubscription) Decide(v *View, _ Env) Decided {
	have, exists := recordOf[Subscription](v, SubscriptionKey(u.Namespace, u.ID))
	again, no := u.repeated(v)
	switch {
	case no != nil:
		return Decided{Err: no}
	case !exists:
		return Decided{Err: noSubscription(u.ID)}
	case again || !have.EndedAt.IsZero():
		return standing(have)
	case u.Etag != have.Etag():
		return Decided{Err: etagMismatch("the subscription", u.ID)}
	}
	next := *have
	next.row = have.next()
	next.Definition, next.Revision, next.UpdatedAt, next.Failures = u.Definition, have.Revision+1, v.Now, 0
	next.pause(u.Paused, v.Now)
	return Decided{Reply: &SubscriptionKept{Subscription: &next}, Changes: u.kept(&Changes{Records: append(want(v, u.Namespace, u.Kinds), &next)})}
}

// standing answers with a subscription as it stands, if it does.
func standing(s *Subscription) Decided {
	if !s.EndedAt.IsZero() {
		return Decided{Err: noSubscription(s.ID)}
	}
	return Decided{Reply: &SubscriptionKept{Subscription: s}}
}

// DeleteSubscription ends a subscription. Its row stays, so that its deliveries can still be read.
type DeleteSubscription struct {
	Request
	ID   string
	Etag string // the subscription as the caller saw it; empty: whatever it is by now
}

// Reads are the subscription.
func (d *DeleteSubscription) Reads(*View) []Read {
	return []Read{SubscriptionKey(d.Namespace, d.ID).Read()}
}

// Decide ends it.
func (d *DeleteSubscription) Decide(v *View, _ Env) Decided {
	have, exists := recordOf[Subscription](v, SubscriptionKey(d.Namespace, d.ID))
	again, no := d.repeated(v)
	switch {
	case no != nil:
		return Decided{Err: no}
	case exists && again:
		return Decided{Reply: &SubscriptionKept{Subscription: have}}
	case !exists || !have.EndedAt.IsZero():
		return Decided{Err: noSubscription(d.ID)}
	case d.Etag != "" && d.Etag != have.Etag():
		return Decided{Err: etagMismatch("the subscription", d.ID)}
	}
	next := *have
	next.row = have.next()
	next.EndedAt, next.EndedBy = v.Now, d.Principal
	return Decided{Reply: &SubscriptionKept{Subscription: &next}, Changes: d.kept(&Changes{Records: []Record{&next}})}
}
