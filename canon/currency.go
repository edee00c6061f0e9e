package canon

import "strings"

// Minor units of currencies as ISO 4217 list one has them, to the best of our knowledge in January 2026: written by hand,
// not generated from the publication of its maintenance agency (SIX). A correction changes keys and so the key version.
// Codes whose minor unit the list gives as "N.A." (gold, XDR, XTS, XXX and the like) are no money here. The Bulgarian
// lev left the list with that date and is kept, because refunds of older payments are still made in it.
//
// These are the standard's exponents. A provider that counts otherwise (some bill ISK and UGX with two decimals) is
// served by its adapter; identity and limits never follow a provider's habit.
var currencyExponents = exponents(map[int]string{
	0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
	2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF " +
		"CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL " +
		"HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU " +
		"MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR " +
		"SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED " +
		"VES WST XAD XCD XCG YER ZAR ZMW ZWG",
	3: "BHD IQD JOD KWD LYD OMR TND",
	4: "CLF UYW",
})

func exponents(lists map[int]string) map[string]int {
	table := map[string]int{}
	for exponent, codes := range lists {
		for _, code := range strings.Fields(codes) {
			table[code] = exponent
		}
	}
	return table
}

// currencyExponent gives the number of decimals of a currency's minor unit. Codes are upper case.
func currencyExponent(code string) (int, bool) {
	exponent, known := currencyExponents[code]
	return exponent, known
}

// CurrencyExponent gives the number of decimals that ISO 4217 gives a currency: 2 for USD, 0 for JPY, 3 for KWD.
func CurrencyExponent(code string) (exponent int, known bool) { return currencyExponent(code) }
