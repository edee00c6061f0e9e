"""How a caller finds out what happened, and hands that in."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from opledger.jsontext import encode
from opledger.result import Result, seconds
from opledger.v1 import attempt_pb2, evidence_pb2, operation_service_pb2, proposal_pb2, provider_pb2
from opledger.words import word


@dataclass(frozen=True)
class Question:
    """One question that can be put to a provider."""

    by: str
    """The reference to ask by: "vendor_key", "client_reference", "provider_request_id" or "object_id"."""
    value: str
    """The reference's value."""
    search: bool
    """Whether it asks a search index, which says less than a read by key."""
    how: str
    """How it is asked, in a sentence. Empty: the tool does not say."""


class Lookup:
    """The questions that the caller may put to the provider, best first. Put one after you have got this, not before.

    The methods write the answer as evidence for `Client.reconcile`.
    """

    def __init__(self, message: proposal_pb2.LookupInstruction) -> None:
        self.message = message
        self.questions = [
            Question(word(provider_pb2.LookupBy, q.by, "LOOKUP_BY_").lower(), q.value, q.search, q.how)
            for q in message.questions
            if q.by in provider_pb2.LookupBy.values()  # one that this release does not know is left out
        ]

    @property
    def not_found_counts_after(self) -> float:
        """In how many seconds from the answer "not found" counts. A find counts at any time."""
        return seconds(self.message.not_found_counts_after)

    def happened(
        self,
        question: Question,
        *,
        vendor_idempotency_key: str = "",
        client_reference: str = "",
        provider_object_id: str = "",
        effect_id: str = "",
        raw_status_code: str = "",
        result: Any = None,
        note: str = "",
    ) -> evidence_pb2.Evidence:
        """The effect exists. State the key or the reference *as the find shows it*: a find that carries neither may be
        another operation's, and counts for nothing."""
        evidence = self._evidence(question, evidence_pb2.VERDICT_HAPPENED, note)
        evidence.attribution.vendor_idempotency_key = vendor_idempotency_key
        evidence.attribution.client_reference = client_reference
        evidence.answer.CopyFrom(
            attempt_pb2.ProviderAnswer(
                provider_object_id=provider_object_id,
                effect_id=effect_id,
                raw_status_code=raw_status_code,
                result_json="" if result is None else encode(result),
            )
        )
        return evidence

    def in_progress(self, question: Question, *, note: str = "") -> evidence_pb2.Evidence:
        """The provider is at it and will finish."""
        return self._evidence(question, evidence_pb2.VERDICT_IN_PROGRESS, note)

    def did_not_happen(self, question: Question, *, note: str = "") -> evidence_pb2.Evidence:
        """The provider knows of no such effect. It counts only if it was asked late enough, which the ledger judges."""
        return self._evidence(question, evidence_pb2.VERDICT_DID_NOT_HAPPEN, note)

    def still_unknown(self, question: Question, *, note: str = "") -> evidence_pb2.Evidence:
        """The answer says neither: an error, or an object that carries no reference of this operation."""
        return self._evidence(question, evidence_pb2.VERDICT_STILL_UNKNOWN, note)

    def _evidence(self, question: Question, verdict: evidence_pb2.Verdict, note: str) -> evidence_pb2.Evidence:
        return evidence_pb2.Evidence(
            evidence_id=str(uuid.uuid4()),
            verdict=verdict,
            lookup=evidence_pb2.LookupSource(
                lookup_ticket=self.message.lookup_ticket,
                by=f"LOOKUP_BY_{question.by.upper()}",
                value=question.value,
                search=question.search,
            ),
            note=note,
        )


@dataclass(frozen=True)
class Reconciliation:
    """How things stand after a reconcile."""

    result: Result
    """The result now."""
    evidence_effect: str
    """What became of the evidence: "applied", "waiting", "without_effect", "contradicts" or "duplicate". Empty: none was
    handed in."""
    explanation: str
    """Why, in a sentence. Empty as `evidence_effect`."""
    lookup: Lookup | None
    """The lookup that the caller may make, where the server can make none."""

    @classmethod
    def read(cls, response: operation_service_pb2.ReconcileResponse) -> Reconciliation:
        handed_in = response.HasField("evidence")
        effect = word(evidence_pb2.EvidenceEffect, response.evidence.effect, "EVIDENCE_EFFECT_").lower()
        return cls(
            result=Result(response.result),
            evidence_effect=effect if handed_in else "",
            explanation=response.evidence.explanation,
            lookup=Lookup(response.lookup) if response.HasField("lookup") else None,
        )
