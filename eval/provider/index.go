package provider

// index holds all effects, in the order of their making, and finds them.
type index struct {
	all         []*effect
	byID        map[string]*effect
	byReference map[string][]*effect
	byVendorKey map[string][]*effect
}

func newIndex() index {
	return index{byID: map[string]*effect{}, byReference: map[string][]*effect{}, byVendorKey: map[string][]*effect{}}
}

func (x *index) add(e *effect) {
	x.all = append(x.all, e)
	x.byID[e.ID] = e
	x.byReference[e.Reference] = append(x.byReference[e.Reference], e)
	x.byVendorKey[e.VendorKey] = append(x.byVendorKey[e.VendorKey], e)
}

// candidates are those that a query can fit, by the narrowest of its fields.
func (x *index) candidates(q Query) []*effect {
	switch {
	case q.ObjectID != "":
		if e := x.byID[q.ObjectID]; e != nil {
			return []*effect{e}
		}
		return nil
	case q.ClientReference != "":
		return x.byReference[q.ClientReference]
	case q.VendorKey != "":
		return x.byVendorKey[q.VendorKey]
	}
	return x.all
}
