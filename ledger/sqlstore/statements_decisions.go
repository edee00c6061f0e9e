package sqlstore

const (
	decisionColumns = `namespace, decision_id, at, kind, tool, rule, operation_id, workflow_id, entity, document`

	// insertDecisions may meet its own rows after a commit whose answer was lost.
	insertDecisions = `INSERT INTO decisions (` + decisionColumns + `) SELECT * FROM unnest($1::TEXT[], $2::TEXT[], $3::TIMESTAMPTZ[], ` +
		`$4::TEXT[], $5::TEXT[], $6::TEXT[], $7::TEXT[], $8::TEXT[], $9::TEXT[], $10::TEXT[]) ON CONFLICT (namespace, decision_id) DO NOTHING`

	readColumns = `namespace, decision_id, at, kind, document`

	selectDecision = `SELECT ` + readColumns + ` FROM decisions WHERE namespace = $1 AND decision_id = $2`
)

// The lists of decisions differ in the index that leads them; every one takes every filter.
const (
	listDecisionsWhere = `SELECT ` + readColumns + ` FROM decisions WHERE namespace = $1 ` +
		`AND ($2::TEXT = '' OR tool = $2::TEXT) AND ($3::TEXT = '' OR rule = $3::TEXT) ` +
		`AND ($4::TEXT = '' OR operation_id = $4::TEXT) AND ($5::TEXT = '' OR workflow_id = $5::TEXT) ` +
		`AND ($6::TEXT = '' OR entity = $6::TEXT) AND ($7::TEXT[] IS NULL OR kind = ANY ($7::TEXT[])) ` +
		`AND at >= $8::TIMESTAMPTZ AND at < $9::TIMESTAMPTZ AND (at, decision_id) < ($10::TIMESTAMPTZ, $11::TEXT)`
	listDecisionsOrder = ` ORDER BY at DESC, decision_id DESC LIMIT $12`

	listDecisions            = listDecisionsWhere + listDecisionsOrder
	listDecisionsOfTool      = listDecisionsWhere + ` AND tool = $2::TEXT AND tool <> ''` + listDecisionsOrder
	listDecisionsOfRule      = listDecisionsWhere + ` AND rule = $3::TEXT AND rule <> ''` + listDecisionsOrder
	listDecisionsOfOperation = listDecisionsWhere + ` AND operation_id = $4::TEXT AND operation_id <> ''` + listDecisionsOrder
	listDecisionsOfWorkflow  = listDecisionsWhere + ` AND workflow_id = $5::TEXT AND workflow_id <> ''` + listDecisionsOrder
	listDecisionsOfEntity    = listDecisionsWhere + ` AND entity = $6::TEXT AND entity <> ''` + listDecisionsOrder
)

const (
	addFigures = `INSERT INTO rule_figures (namespace, hour, rule, rule_version, evaluations, refusals, shadow_refusals, overrides) ` +
		`SELECT * FROM unnest($1::TEXT[], $2::TIMESTAMPTZ[], $3::TEXT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[], $8::BIGINT[]) ` +
		`ON CONFLICT (namespace, hour, rule, rule_version) DO UPDATE SET evaluations = rule_figures.evaluations + excluded.evaluations, ` +
		`refusals = rule_figures.refusals + excluded.refusals, shadow_refusals = rule_figures.shadow_refusals + excluded.shadow_refusals, ` +
		`overrides = rule_figures.overrides + excluded.overrides`

	sumFigures = `SELECT rule, rule_version, sum(evaluations)::BIGINT, sum(refusals)::BIGINT AS refused, sum(shadow_refusals)::BIGINT, ` +
		`sum(overrides)::BIGINT FROM rule_figures WHERE namespace = $1 AND hour >= $2 AND ($3::TEXT = '' OR rule = $3::TEXT) ` +
		`GROUP BY rule, rule_version ORDER BY refused DESC, rule, rule_version LIMIT $4`
)
