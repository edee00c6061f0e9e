package check

import "regexp"

// What a sentence claims is read from its words. First everything is taken out that claims nothing: what it tells the reader
// not to do or say, what it leaves open, what is to come and what is under way. What is left is searched for the words of a
// claim. A sentence that is meant otherwise than it reads is wrong too: a model reads words.
var (
	forbids   = regexp.MustCompile(`\b(?:do not|don't|never) [^.,;:]*`)
	leavesIt  = regexp.MustCompile(`\b(?:whether|if|unless|until|before|once|when) [^.,;:]*`)
	mayBe     = regexp.MustCompile(`\b(?:may|might) (?:not |still |have |already )*\w+|\bcould (?:still |have |already )+\w+`)
	isToCome  = regexp.MustCompile(`\b(?:to be|to get|to carry|to finish) (?:it )?\w+(?: out)?`)
	underWay  = regexp.MustCompile(`\bbeing \w+(?: out| into)?`)
	denies    = regexp.MustCompile(`\b(?:not|never|nothing|none|no|without) [^.,;:]*|\b\w+n't [^.,;:]*`)
	ofNow     = regexp.MustCompile(`\bnothing (?:new )?was done now\b|\bno new (?:one|effect)\b[^.,;:]*|\bwas not read again now\b`)
	saysWords = `(?:done|carried out|completed|executed|processed|sent|refunded|charged|paid|created|made|delivered|captured|booked|finished)`
)

var (
	// claimsDone: the effect exists.
	claimsDone = regexp.MustCompile(`\b(?:is|are|was|were|been|already|now|has|have) (?:now |already |just |safely |successfully )*` + saysWords + `\b` +
		`|\bsucce(?:eded|ss|ssful|ssfully)\b|\bhappened\b|\bdone (?:again )?on\b|\bwent through\b`)
	// claimsNotDone: there is no effect.
	claimsNotDone = regexp.MustCompile(`\bnothing (?:new |at all )?(?:was|has been|is) (?:done|sent|changed|charged|made)\b|\bnothing happened\b` +
		`|\b(?:not|never) (?:yet |been |be |to have |already )*(?:done|carried out|completed|executed|sent|processed|finished|made|happened|happen|succeed|gone through)\b` +
		`|\b(?:hasn't|wasn't|isn't|didn't|haven't)\b|\bfail(?:ed|s|ure)?\b|\bno effect\b|\bwithout effect\b|\bwas (?:refused|rejected|declined|cancelled)\b|\bunsuccessful\b`)
	// claimsUndone: the effect was taken back.
	claimsUndone = regexp.MustCompile(`\b(?:is|was|were|been) (?:now |already )*(?:undone|reversed|taken back|reverted)\b`)
	// promises: it will come to be. Nobody knows that of what is open.
	promises = regexp.MustCompile(`\b(?:will|shall|going to) (?:now |soon |shortly |then |be |certainly )*(?:` + saysWords + `|succeed|happen|be|go through)\b`)
	// hedges: it says itself that the outcome is not known.
	hedges = regexp.MustCompile(`\bnot (?:yet )?(?:known|clear|sure|certain|confirmed)\b|\bunknown\b|\bunclear\b|\bbeing (?:confirmed|found out|checked|looked into|clarified)\b`)
	// teaches: it shows a way to get a repetition through, or round the ledger.
	teaches = regexp.MustCompile(`\boccurrences?\b|\boverrid(?:e|es|ing)\b|\bidempotency\b|\brequest ids?\b|\b(?:another|new|other|different|fresh|second) (?:key|tool|wording|argument|arguments|amount|reason|note|workflow|run|session)\b` +
		`|\breword|\brephras|\bdifferently\b|\bslightly\b|\bbypass|\bwork ?around|\bagain with\b|\bretry with\b|\bask for a grant\b|\bgrants?\b|\brevis(?:e|es|ing|ion)\b|\bsplit\b|\bforce\b|\banyway\b`)
	// repeats: it asks for the call once more.
	repeats = regexp.MustCompile(`\b(?:call|do|try|send|make|repeat|submit|propose|run)\b[^.,;:]*\b(?:again|once more|a second time)\b`)
	// soFar: it says of what was begun that it had not come to its end when it was last heard of.
	soFar = regexp.MustCompile(`\bnot (?:done (?:yet|so far)|finished)\b`)
	// again: it says that it was done a second time.
	again = regexp.MustCompile(`\b(?:done|carried out|executed|sent|made) (?:again|now|once more|anew)\b`)
)

// claims is what a text claims by its words.
type claims struct{ done, notDone, soFar, undone, promises, hedges, teaches, repeats, again bool }

// read reads a text, in lower case.
func read(text string) claims {
	allowed := forbids.ReplaceAllString(text, " ")
	plain := without(allowed, ofNow, leavesIt, mayBe, isToCome, underWay)
	positive := without(allowed, ofNow, leavesIt, denies, mayBe, isToCome, underWay)
	return claims{
		done: claimsDone.MatchString(positive), notDone: claimsNotDone.MatchString(soFar.ReplaceAllString(plain, " ")),
		soFar: soFar.MatchString(plain), undone: claimsUndone.MatchString(positive),
		promises: promises.MatchString(allowed), hedges: hedges.MatchString(allowed), teaches: teaches.MatchString(allowed),
		repeats: repeats.MatchString(allowed), again: again.MatchString(positive),
	}
}

// without takes out of a text what claims nothing.
func without(text string, taken ...*regexp.Regexp) string {
	for _, t := range taken {
		text = t.ReplaceAllString(text, " ")
	}
	return text
}
