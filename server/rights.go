package server

import (
	"github.com/opledger/opledger/callers"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// rights are the roles that a method asks for; any one of them is enough. A method that is not listed is answered
// UNIMPLEMENTED, whoever asks, so that a new one is never open by accident.
var rights = map[string][]callers.Role{
	pb.OperationService_ProposeOperation_FullMethodName:    {callers.Propose},
	pb.OperationService_BatchPropose_FullMethodName:        {callers.Propose},
	pb.OperationService_CancelOperation_FullMethodName:     {callers.Propose, callers.Resolve},
	pb.OperationService_BeginAttempt_FullMethodName:        {callers.Execute},
	pb.OperationService_ExtendAttempt_FullMethodName:       {callers.Execute},
	pb.OperationService_ReportAttempt_FullMethodName:       {callers.Execute},
	pb.OperationService_BatchReport_FullMethodName:         {callers.Execute},
	pb.OperationService_Reconcile_FullMethodName:           {callers.Execute, callers.Resolve, callers.Webhook},
	pb.OperationService_CompensateOperation_FullMethodName: {callers.Resolve},
	pb.OperationService_GetOperation_FullMethodName:        {callers.Read, callers.Propose, callers.Execute, callers.Resolve},
	pb.OperationService_ListOperations_FullMethodName:      {callers.Read, callers.Resolve},
	pb.OperationService_ListOperationEvents_FullMethodName: {callers.Read, callers.Propose, callers.Execute, callers.Resolve},
	pb.OperationService_WatchOperation_FullMethodName:      {callers.Read, callers.Propose, callers.Execute, callers.Resolve},
	pb.OperationService_ExplainIdentity_FullMethodName:     {callers.Read, callers.Propose, callers.Administer},
	pb.RegistryService_ApplyTool_FullMethodName:            {callers.Administer},
	pb.RegistryService_DisableTool_FullMethodName:          {callers.Administer},
	pb.RegistryService_GetTool_FullMethodName:              {callers.Read, callers.Propose, callers.Execute, callers.Administer},
	pb.RegistryService_ListTools_FullMethodName:            {callers.Read, callers.Propose, callers.Execute, callers.Administer},

	pb.WorkService_PollWork_FullMethodName:     {callers.Execute},
	pb.WorkService_ExtendWork_FullMethodName:   {callers.Execute},
	pb.WorkService_AnswerLookup_FullMethodName: {callers.Execute},
	pb.WorkService_DrainWorker_FullMethodName:  {callers.Execute},

	pb.LeaseService_AcquireEntityLease_FullMethodName: {callers.Propose},
	pb.LeaseService_RenewEntityLease_FullMethodName:   {callers.Propose},
	pb.LeaseService_ReleaseEntityLease_FullMethodName: {callers.Propose},
	pb.LeaseService_GetEntityLease_FullMethodName:     {callers.Read, callers.Propose, callers.BreakLeases},
	pb.LeaseService_ListEntityLeases_FullMethodName:   {callers.Read, callers.BreakLeases},
	pb.LeaseService_BreakEntityLease_FullMethodName:   {callers.BreakLeases},

	pb.EntityService_GetEntityState_FullMethodName:   {callers.Read, callers.Propose, callers.SetEntityState},
	pb.EntityService_SetEntityState_FullMethodName:   {callers.SetEntityState},
	pb.EntityService_ListEntityStates_FullMethodName: {callers.Read, callers.SetEntityState},

	pb.PolicyService_EvaluatePolicy_FullMethodName: {callers.Read, callers.Propose, callers.Administer},
	pb.PolicyService_ApplyRule_FullMethodName:      {callers.Administer},
	pb.PolicyService_GetRule_FullMethodName:        {callers.Read, callers.Administer, callers.Approve},
	pb.PolicyService_ListRules_FullMethodName:      {callers.Read, callers.Administer, callers.Approve},
	pb.PolicyService_RemoveRule_FullMethodName:     {callers.Administer},
	pb.PolicyService_PauseScope_FullMethodName:     {callers.Administer},
	pb.PolicyService_ResumeScope_FullMethodName:    {callers.Administer},
	pb.PolicyService_ListPauses_FullMethodName:     {callers.Read, callers.Administer, callers.Propose},
	pb.PolicyService_SetShadow_FullMethodName:      {callers.Administer},
	pb.PolicyService_CreateGrant_FullMethodName:    {callers.Override},
	pb.PolicyService_GetGrant_FullMethodName:       {callers.Read, callers.Override, callers.Propose},
	pb.PolicyService_ListGrants_FullMethodName:     {callers.Read, callers.Override},
	pb.PolicyService_RevokeGrant_FullMethodName:    {callers.Override},
	pb.PolicyService_LiftExclusion_FullMethodName:  {callers.BreakLeases},
	pb.PolicyService_GetDecision_FullMethodName:    {callers.Read, callers.Propose, callers.Approve, callers.Override},
	pb.PolicyService_ListDecisions_FullMethodName:  {callers.Read, callers.Approve, callers.Override},
	pb.PolicyService_GetPolicyStats_FullMethodName: {callers.Read, callers.Administer},

	pb.ApprovalService_ListApprovals_FullMethodName:          {callers.Read, callers.Approve},
	pb.ApprovalService_GetApproval_FullMethodName:            {callers.Read, callers.Approve, callers.Propose},
	pb.ApprovalService_DecideApproval_FullMethodName:         {callers.Approve},
	pb.ApprovalService_CreateStandingApproval_FullMethodName: {callers.Approve},
	pb.ApprovalService_GetStandingApproval_FullMethodName:    {callers.Read, callers.Approve},
	pb.ApprovalService_ListStandingApprovals_FullMethodName:  {callers.Read, callers.Approve},
	pb.ApprovalService_RevokeStandingApproval_FullMethodName: {callers.Approve},
	pb.ApprovalService_ListHumanTasks_FullMethodName:         {callers.Read, callers.Approve, callers.Resolve},
	pb.ApprovalService_AcknowledgeHumanTask_FullMethodName:   {callers.Approve, callers.Resolve},

	pb.NotificationService_CreateSubscription_FullMethodName: {callers.Administer},
	pb.NotificationService_GetSubscription_FullMethodName:    {callers.Read, callers.Administer},
	pb.NotificationService_ListSubscriptions_FullMethodName:  {callers.Read, callers.Administer},
	pb.NotificationService_UpdateSubscription_FullMethodName: {callers.Administer},
	pb.NotificationService_DeleteSubscription_FullMethodName: {callers.Administer},
	pb.NotificationService_ListDeliveries_FullMethodName:     {callers.Read, callers.Administer},

	pb.WorkflowService_StartWorkflow_FullMethodName:      {callers.Propose},
	pb.WorkflowService_GetWorkflow_FullMethodName:        {callers.Read, callers.Propose, callers.Resolve},
	pb.WorkflowService_ListWorkflows_FullMethodName:      {callers.Read, callers.Resolve},
	pb.WorkflowService_ResumeWorkflow_FullMethodName:     {callers.Propose},
	pb.WorkflowService_CompleteWorkflow_FullMethodName:   {callers.Propose, callers.Resolve},
	pb.WorkflowService_CompensateWorkflow_FullMethodName: {callers.Resolve},
	pb.WorkflowService_RecordInboundEvent_FullMethodName: {callers.Webhook},
}
