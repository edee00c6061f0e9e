package registry

// ThisRelease says what a server of this release can enforce. What it cannot is refused when a tool is applied, by the
// server and by whoever checks a tool file without one.
func ThisRelease() Capabilities {
	return Capabilities{
		Approvals: true, Limits: true, Guards: true, DedupeWindows: true, Conflicts: true, Leases: true, EntityStates: true,
		Shadow: true, ProposerRoles: true, RevisionBounds: true, RepeatGrants: true, BlockedEscalation: true, InboundEvents: true, SourceEvents: true, Workers: true, Playbooks: true, HTTP: true,
		ProviderBases: true, ReadCache: true,
		ReconcileOrder: true, EmptyAnswers: true, LookFirst: true, ConcurrencyBounds: true, RateLimits: true,
		EffectIdentities: true, KeyFormats: true,
	}
}
