package registry

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The forms of names. They are those of the API, checked here as well because definitions come from files, too.
var (
	toolName   = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]*(\.[a-zA-Z0-9_-]+)*$`)
	entityType = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_.-]{0,63}$`)
	groupName  = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_.-]{0,127}$`)
	stateName  = regexp.MustCompile(`^[a-z_]{1,64}$`)
)

// The bounds of words and lists in a definition. It is kept with each version and read by people.
const (
	MaxNameBytes     = 128 // also a column, an index entry and a metric's label
	MaxTitleChars    = 200
	MaxTextChars     = 4000 // a description that a model reads in full
	MaxIntentChars   = 64
	MaxTouches       = 16 // each is a lease to take at once
	MaxLookups       = 16
	MaxMessages      = 64
	MaxLabels        = 64
	MaxMessageChars  = 2000
	MaxReasonChars   = 1000
	MaxLabelChars    = 256
	MaxRetryCodes    = 256
	MaxRetryCodeSize = 128
)

// Check finds everything that is wrong with a definition by itself, so that it shows when the tool is applied and not
// when it is called. It fills in defaults first; nil means that nothing is wrong.
func Check(d Definition) []Problem {
	d = WithDefaults(d)
	k := &checker{d: &d}
	k.words()
	c, problems := compile(d)
	k.problems = append(k.problems, problems...)
	k.identity(c)
	k.permit()
	k.retry()
	k.waiting()
	k.exclusive()
	k.provider()
	k.reconcile()
	k.policy(c)
	k.playbook(c)
	k.http(c)
	k.classRules()
	return k.problems
}

// checker collects the problems of one definition.
type checker struct {
	d        *Definition
	problems Problems
}

func (k *checker) add(path string, code Code, format string, args ...any) {
	k.problems.add(path, code, fmt.Sprintf(format, args...))
}

// words checks names and texts.
func (k *checker) words() {
	d := k.d
	if !toolName.MatchString(d.Name) || len(d.Name) > MaxNameBytes {
		k.add("name", CodeName, "A tool's name has letters, digits, _ and -, in parts joined by dots, such as payment.capture; it begins with a letter and has at most %d bytes.", MaxNameBytes)
	}
	if !slices.Contains(Classes, d.Class) {
		k.add("class", CodeClass, "The class must be one of %s. It decides what may happen after an unknown outcome, so it is never guessed.", joined(Classes))
	}
	known(k, "executor", d.Executor, Inline, Worker, ServerHTTP)
	known(k, "effect_identity", d.Effect, EffectCreatedObject, EffectChange, EffectNone)
	k.text("title", d.Title, MaxTitleChars)
	k.text("description", d.Description, MaxTextChars)
	k.text("permit.waive_reason", d.Permit.WaiveReason, MaxReasonChars)
	k.text("policy.loosen_reason", d.LooserReason, MaxReasonChars)
	k.text("identity.change.separate.reason", d.Identity.Change.Reason, MaxReasonChars)
	k.text("exclusive.none.reason", d.Exclusive.Reason, MaxReasonChars)
	k.text("waiting.human_owner", d.Waiting.HumanOwner, MaxNameBytes)
	k.text("waiting.human_escalate", d.Waiting.HumanEscalate, MaxNameBytes)

	k.count("messages", len(d.Messages), MaxMessages)
	for _, state := range slices.Sorted(maps.Keys(d.Messages)) {
		if !stateName.MatchString(state) {
			k.add(keyed("messages", state), CodeName, "Sentences go by a state or decision in lower case, such as unknown_outcome.")
		}
		k.text(keyed("messages", state)+".safe_user_message", d.Messages[state].SafeUser, MaxReasonChars)
		k.text(keyed("messages", state)+".model_message", d.Messages[state].Model, MaxMessageChars)
	}
	k.count("labels", len(d.Labels), MaxLabels)
	for _, name := range slices.Sorted(maps.Keys(d.Labels)) {
		if name == "" || utf8.RuneCountInString(name) > 63 {
			k.add(keyed("labels", name), CodeName, "A label's name has 1 to 63 characters.")
		}
		k.text(keyed("labels", name), d.Labels[name], MaxLabelChars)
	}
}

func (k *checker) text(path, text string, most int) {
	if n := utf8.RuneCountInString(text); n > most {
		k.add(path, CodeBounds, "The text has %d characters; at most %d are kept.", n, most)
	}
}

func (k *checker) count(path string, n, most int) {
	if n > most {
		k.add(path, CodeBounds, "There are %d entries; at most %d are allowed.", n, most)
	}
}

// known checks a word of few. An empty one is left to whoever requires it.
func known[T ~string](k *checker, path string, word T, words ...T) {
	if word != "" && !slices.Contains(words, word) {
		k.add(path, CodeValue, "%q is not known; it is one of %s.", string(word), joined(words))
	}
}

func joined[T ~string](words []T) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return strings.Join(texts, ", ")
}
