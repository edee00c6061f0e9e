package server

import (
	"context"

	"github.com/opledger/opledger/ledger"
)

// maxLooks bounds how many pages of a table one page of a list looks through for what its filters ask for. A page can
// therefore be short, even empty, while more pages follow.
const maxLooks = 8

// listRecords answers one page of the records that a query and a filter select, and the token of the next page. The
// request is the page's own, so that its token holds for its filters alone.
func listRecords[T any, R interface {
	*T
	ledger.Record
}](ctx context.Context, s *Server, req paged, q ledger.RecordQuery, asked int32, wanted func(R) bool) (list []R, next string, err error) {
	token, err := parsePageToken(req)
	if err != nil {
		return nil, "", err
	}
	size := pageSize(asked, DefaultPageSize)
	q.After, q.AfterID = token.Time, token.ID
	for range maxLooks {
		q.Limit = size + 1
		found, err := s.config.Ledger.Engine().ListRecords(ctx, q)
		if err != nil {
			return nil, "", s.statusOf(ctx, err)
		}
		more := len(found) > size
		for i, record := range found[:min(len(found), size)] {
			r := record.(R)
			q.After, q.AfterID = r.Index().At, r.Key().ID
			if !wanted(r) {
				continue
			}
			if list = append(list, r); len(list) == size {
				more = more || i+1 < len(found)
				break
			}
		}
		if !more {
			return list, "", nil
		}
		if len(list) == size {
			break
		}
	}
	return list, pageToken{Time: q.After, ID: q.AfterID, Filter: token.Filter}.String(), nil
}
