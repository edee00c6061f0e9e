package canon

import (
	"maps"
	"slices"
)

// dialPlan is how numbers are dialled in one region: a summary of the region's plan (the ITU lists the plans: E.164
// country codes, and the dialling procedures of E.123), written by hand to the best of our knowledge, on purpose no more.
//
// A full metadata library knows which ranges are in service, and changes monthly. Identity must not change monthly:
// one number must give one key before and after an upgrade. Only what is stable for decades is used: country calling
// code, prefixes, and the bounds of a national number's length.
type dialPlan struct {
	code          string // country calling code
	trunk         string // dialled before a national number, not part of it; empty where there is none
	trunkMayMiss  bool   // numbers are also written without the trunk prefix
	international string // dialled in place of the +
	least, most   int    // digits of a national number, without trunk prefix
}

var phoneRegions = map[string]dialPlan{
	// North American Numbering Plan: ten digits, neither the first nor the trunk's 1 among them.
	"US": {"1", "1", true, "011", 10, 10},
	"CA": {"1", "1", true, "011", 10, 10},
	"PR": {"1", "1", true, "011", 10, 10},

	"AT": {"43", "0", false, "00", 4, 13},
	"AU": {"61", "0", false, "0011", 9, 9},
	"BE": {"32", "0", false, "00", 8, 9},
	"CH": {"41", "0", false, "00", 9, 9},
	"DE": {"49", "0", false, "00", 5, 11},
	"FI": {"358", "0", false, "00", 5, 12},
	"FR": {"33", "0", false, "00", 9, 9},
	"GB": {"44", "0", false, "00", 9, 10},
	"IE": {"353", "0", false, "00", 7, 9},
	"IL": {"972", "0", false, "00", 8, 9},
	"IN": {"91", "0", true, "00", 10, 10},
	"JP": {"81", "0", false, "010", 9, 10},
	"NL": {"31", "0", false, "00", 9, 9},
	"NZ": {"64", "0", false, "00", 8, 10},
	"SE": {"46", "0", false, "00", 7, 9},
	"TR": {"90", "0", true, "00", 10, 10},
	"ZA": {"27", "0", false, "00", 9, 9},

	// No trunk prefix: numbers are dialled whole.
	"CZ": {"420", "", false, "00", 9, 9},
	"DK": {"45", "", false, "00", 8, 8},
	"ES": {"34", "", false, "00", 9, 9},
	"NO": {"47", "", false, "00", 8, 8},
	"PL": {"48", "", false, "00", 9, 9},
	"PT": {"351", "", false, "00", 9, 9},
}

// PhoneRegions lists the regions that a phone rule may name, sorted.
func PhoneRegions() []string { return slices.Sorted(maps.Keys(phoneRegions)) }
