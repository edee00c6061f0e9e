package locks

import "time"

// StandingNo is an approver's no, which holds for a group and entity for a stated time.
type StandingNo struct {
	OperationID string    `json:"operation_id"`
	ApprovalID  string    `json:"approval_id"`
	By          string    `json:"by"`
	Until       time.Time `json:"until"`
}

// Standing is the approver's no that holds now, or nil.
func (s Scope) Standing(now time.Time) *StandingNo {
	if s.No == nil || !now.Before(s.No.Until) {
		return nil
	}
	return s.No
}

// Deny records an approver's no. A longer one stands.
func (s Scope) Deny(no StandingNo) Scope {
	s = s.Clone()
	if s.No == nil || no.Until.After(s.No.Until) {
		s.No = &no
	}
	return s
}
