package toolfile

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
	"github.com/opledger/opledger/registry"
)

// http reads the request by which the server acts.
func (r *reader) http(m *opledgerv1.HttpAdapter) *registry.HTTPAdapter {
	if m == nil {
		return nil
	}
	a := &registry.HTTPAdapter{Request: request(m.GetRequest()), Replayed: condition(m.GetReplayed()), AllowedHosts: m.GetAllowedHosts()}
	for _, o := range m.GetOutcomes() {
		a.Outcomes = append(a.Outcomes, registry.HTTPOutcomeRule{
			When: must(condition(o.GetWhen())), Outcome: yamlproto.Word[registry.HTTPOutcome](o.GetOutcome()), Extract: extract(o.GetExtract()),
		})
	}
	for _, l := range m.GetLookups() {
		a.Lookups = append(a.Lookups, registry.HTTPLookup{
			By: yamlproto.Word[registry.LookupBy](l.GetBy()), Request: request(l.GetRequest()),
			Found: must(condition(l.GetFound())), NotFound: must(condition(l.GetNotFound())),
			InProgress: condition(l.GetInProgress()), DidNotHappen: condition(l.GetDidNotHappen()),
			Extract: extract(l.GetExtract()), Items: l.Items, Complete: condition(l.GetComplete()),
		})
	}
	return a
}

func request(m *opledgerv1.HttpRequest) registry.HTTPRequest {
	q := registry.HTTPRequest{
		Method: m.GetMethod(), URL: m.GetUrl(), JSON: m.GetJson(), Text: m.GetText(),
		Timeout: m.GetTimeout().AsDuration(), MaxResponseBytes: m.GetMaxResponseBytes(),
	}
	for _, h := range m.GetHeaders() {
		header := registry.HTTPHeader{Name: h.GetName(), Value: h.GetValue()}
		if s := h.GetSecret(); s != nil {
			header.Secret = &registry.SecretRef{Environment: s.GetEnvironment(), File: s.GetFile(), Prefix: s.GetPrefix()}
		}
		q.Headers = append(q.Headers, header)
	}
	for _, f := range m.GetForm().GetFields() {
		q.Form = append(q.Form, registry.HTTPField{Name: f.GetName(), Value: f.GetValue()})
	}
	return q
}

func condition(m *opledgerv1.HttpCondition) *registry.HTTPCondition {
	if m == nil {
		return nil
	}
	return &registry.HTTPCondition{
		Status: m.GetStatus(), Header: m.GetHeader(), HeaderEquals: m.HeaderEquals,
		BodyPointer: m.GetBodyPointer(), BodyEqualsJSON: m.BodyEqualsJson,
	}
}

// must is a condition that has to be there. One that is not is empty, and is refused as such.
func must(c *registry.HTTPCondition) registry.HTTPCondition {
	if c == nil {
		return registry.HTTPCondition{}
	}
	return *c
}

func extract(m *opledgerv1.HttpExtract) registry.HTTPExtract {
	return registry.HTTPExtract{
		ProviderObjectID: m.GetProviderObjectId(), EffectID: m.GetEffectId(), ProviderRequestIDHeader: m.GetProviderRequestIdHeader(),
		VendorKey: m.GetVendorKey(), ClientReference: m.GetClientReference(), Code: m.GetCode(), Result: m.GetResult(),
	}
}

// adapterOf writes the request by which the server acts.
func adapterOf(a *registry.HTTPAdapter) *opledgerv1.HttpAdapter {
	if a == nil {
		return nil
	}
	m := &opledgerv1.HttpAdapter{Request: requestOf(&a.Request), Replayed: conditionOf(a.Replayed), AllowedHosts: a.AllowedHosts}
	for _, o := range a.Outcomes {
		m.Outcomes = append(m.Outcomes, &opledgerv1.HttpOutcomeRule{
			When: conditionOf(&o.When), Outcome: value[opledgerv1.HttpOutcome](o.Outcome), Extract: extractOf(&o.Extract),
		})
	}
	for _, l := range a.Lookups {
		m.Lookups = append(m.Lookups, &opledgerv1.HttpLookup{
			By: value[opledgerv1.LookupBy](l.By), Request: requestOf(&l.Request), Found: conditionOf(&l.Found), NotFound: conditionOf(&l.NotFound),
			InProgress: conditionOf(l.InProgress), DidNotHappen: conditionOf(l.DidNotHappen), Extract: extractOf(&l.Extract),
			Items: l.Items, Complete: conditionOf(l.Complete),
		})
	}
	return m
}

func requestOf(q *registry.HTTPRequest) *opledgerv1.HttpRequest {
	m := &opledgerv1.HttpRequest{Method: q.Method, Url: q.URL, Timeout: span(q.Timeout)}
	if q.MaxResponseBytes != 0 {
		m.MaxResponseBytes = &q.MaxResponseBytes
	}
	for _, h := range q.Headers {
		header := &opledgerv1.HttpHeader{Name: h.Name, Source: &opledgerv1.HttpHeader_Value{Value: h.Value}}
		if s := h.Secret; s != nil {
			ref := &opledgerv1.SecretRef{Prefix: s.Prefix, Place: &opledgerv1.SecretRef_Environment{Environment: s.Environment}}
			if s.File != "" {
				ref.Place = &opledgerv1.SecretRef_File{File: s.File}
			}
			header.Source = &opledgerv1.HttpHeader_Secret{Secret: ref}
		}
		m.Headers = append(m.Headers, header)
	}
	switch {
	case q.JSON != "":
		m.Body = &opledgerv1.HttpRequest_Json{Json: q.JSON}
	case len(q.Form) > 0:
		form := &opledgerv1.HttpForm{}
		for _, f := range q.Form {
			form.Fields = append(form.Fields, &opledgerv1.HttpField{Name: f.Name, Value: f.Value})
		}
		m.Body = &opledgerv1.HttpRequest_Form{Form: form}
	case q.Text != "":
		m.Body = &opledgerv1.HttpRequest_Text{Text: q.Text}
	}
	return m
}

// span writes a duration of which zero is the same as absent.
func span(d time.Duration) *durationpb.Duration { return writer{}.duration("", d) }

func conditionOf(c *registry.HTTPCondition) *opledgerv1.HttpCondition {
	if c == nil {
		return nil
	}
	return &opledgerv1.HttpCondition{
		Status: c.Status, Header: c.Header, HeaderEquals: c.HeaderEquals, BodyPointer: c.BodyPointer, BodyEqualsJson: c.BodyEqualsJSON,
	}
}

func extractOf(e *registry.HTTPExtract) *opledgerv1.HttpExtract {
	return orNil(&opledgerv1.HttpExtract{
		ProviderObjectId: e.ProviderObjectID, EffectId: e.EffectID, ProviderRequestIdHeader: e.ProviderRequestIDHeader,
		VendorKey: e.VendorKey, ClientReference: e.ClientReference, Code: e.Code, Result: e.Result,
	})
}
