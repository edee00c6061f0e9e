package inbox

// preset is what is known of a vendor's webhooks: how they are signed, and where what they say stands. A source's own
// settings go before it.
type preset struct {
	scheme func(*Settings) scheme
	fields Fields
}

// The presets. Each cites where the vendor documents it.
var presets = map[string]preset{
	// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
	"standard": {
		scheme: func(*Settings) scheme { return standard{prefix: "webhook"} },
		fields: Fields{EventID: "header:webhook-id", EventType: "/type", EventTime: "/timestamp"},
	},
	// https://docs.svix.com/receiving/verifying-payloads/how-manual
	"svix": {
		scheme: func(*Settings) scheme { return standard{prefix: "svix"} },
		fields: Fields{EventID: "header:svix-id", EventType: "/type"},
	},
	// https://docs.stripe.com/webhooks/signature and https://docs.stripe.com/api/events/object
	"stripe": {
		scheme: func(*Settings) scheme { return stripe{} },
		fields: Fields{
			EventID: "/id", EventType: "/type", EventTime: "/created", ObjectID: "/data/object/id",
			VendorKey: "/request/idempotency_key", Result: "/data/object",
		},
	},
	// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
	"github": {
		scheme: func(*Settings) scheme {
			return plainHMAC{HMAC: HMAC{Header: "X-Hub-Signature-256", Prefix: "sha256="}}
		},
		fields: Fields{EventID: "header:x-github-delivery", EventType: "header:x-github-event"},
	},
	// https://docs.slack.dev/authentication/verifying-requests-from-slack
	"slack": {
		scheme: func(*Settings) scheme {
			return plainHMAC{HMAC: HMAC{
				Header: "X-Slack-Signature", Prefix: "v0=", TimestampHeader: "X-Slack-Request-Timestamp", Signed: "v0:{timestamp}:",
			}}
		},
		fields: Fields{EventID: "/event_id", EventType: "/event/type", EventTime: "/event_time"},
	},
	// https://shopify.dev/docs/apps/build/webhooks/subscribe/https
	"shopify": {
		scheme: func(*Settings) scheme {
			return plainHMAC{HMAC: HMAC{Header: "X-Shopify-Hmac-Sha256", Encoding: "base64"}}
		},
		fields: Fields{EventID: "header:x-shopify-event-id", EventType: "header:x-shopify-topic", ObjectID: "/id"},
	},
	// https://developer.squareup.com/docs/webhooks/step3validate
	"square": {
		scheme: func(s *Settings) scheme {
			return plainHMAC{HMAC: HMAC{Header: "X-Square-Hmacsha256-Signature", Encoding: "base64", Signed: "{url}", URL: s.URL}}
		},
		fields: Fields{EventID: "/event_id", EventType: "/type", EventTime: "/created_at", ObjectID: "/data/id"},
	},
	"hmac": {scheme: func(s *Settings) scheme {
		h := *s.HMAC
		h.URL = s.URL
		return plainHMAC{HMAC: h}
	}},
	"none": {scheme: func(*Settings) scheme { return unverified{} }},
}
