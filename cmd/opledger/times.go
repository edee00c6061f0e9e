package main

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
)

// parseTime reads an instant: RFC 3339, or how long ago. The moment that "ago" counts from is this program's, which is
// good enough for a filter and decides nothing.
func parseTime(flag, text string) (*timestamppb.Timestamp, error) {
	if text == "" {
		return nil, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return timestamppb.New(t), nil
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return timestamppb.New(time.Now().Add(-ago)), nil
	}
	return nil, usagef("--%s %q is neither a time such as 2026-03-01T09:00:00Z nor a duration such as 24h", flag, text)
}
