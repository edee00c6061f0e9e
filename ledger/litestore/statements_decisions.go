package litestore

const (
	// insertDecision may meet its own row after a commit whose answer was lost.
	insertDecision = `INSERT INTO decisions (namespace, decision_id, at, kind, tool, rule, operation_id, workflow_id, entity, document) ` +
		`VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (namespace, decision_id) DO NOTHING`

	decisionColumns = `namespace, decision_id, at, kind, document`

	selectDecision = `SELECT ` + decisionColumns + ` FROM decisions WHERE namespace = ?1 AND decision_id = ?2`
)

// The lists of decisions differ in the index that leads them; every one takes every filter.
const (
	listDecisionsWhere = `SELECT ` + decisionColumns + ` FROM decisions WHERE namespace = ?1 AND (?2 = '' OR tool = ?2) ` +
		`AND (?3 = '' OR rule = ?3) AND (?4 = '' OR operation_id = ?4) AND (?5 = '' OR workflow_id = ?5) AND (?6 = '' OR entity = ?6) ` +
		`AND (?7 IS NULL OR kind IN (SELECT value FROM json_each(?7))) AND at >= ?8 AND at < ?9 AND (at, decision_id) < (?10, ?11)`
	listDecisionsOrder = ` ORDER BY at DESC, decision_id DESC LIMIT ?12`

	listDecisions            = listDecisionsWhere + listDecisionsOrder
	listDecisionsOfTool      = listDecisionsWhere + ` AND tool = ?2 AND tool <> ''` + listDecisionsOrder
	listDecisionsOfRule      = listDecisionsWhere + ` AND rule = ?3 AND rule <> ''` + listDecisionsOrder
	listDecisionsOfOperation = listDecisionsWhere + ` AND operation_id = ?4 AND operation_id <> ''` + listDecisionsOrder
	listDecisionsOfWorkflow  = listDecisionsWhere + ` AND workflow_id = ?5 AND workflow_id <> ''` + listDecisionsOrder
	listDecisionsOfEntity    = listDecisionsWhere + ` AND entity = ?6 AND entity <> ''` + listDecisionsOrder
)

const (
	addFigures = `INSERT INTO rule_figures (namespace, hour, rule, rule_version, evaluations, refusals, shadow_refusals, overrides) ` +
		`VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (namespace, hour, rule, rule_version) DO UPDATE SET ` +
		`evaluations = evaluations + excluded.evaluations, refusals = refusals + excluded.refusals, ` +
		`shadow_refusals = shadow_refusals + excluded.shadow_refusals, overrides = overrides + excluded.overrides`

	sumFigures = `SELECT rule, rule_version, sum(evaluations), sum(refusals) AS refused, sum(shadow_refusals), sum(overrides) ` +
		`FROM rule_figures WHERE namespace = ?1 AND hour >= ?2 AND (?3 = '' OR rule = ?3) ` +
		`GROUP BY rule, rule_version ORDER BY refused DESC, rule, rule_version LIMIT ?4`
)
