import { assert, describe, it } from "@effect/vitest"
import * as Envelope from "../../core/endpoint/Envelope.ts"
import { type Code, change, codeNames, codes, Failure, fail, hintActions, invalid } from "../../core/Failure.ts"

const codesOf = (status: number, recoverable: boolean) =>
  (Object.keys(codes) as ReadonlyArray<Code>)
    .filter((code) => codes[code].status === status && codes[code].recoverable === recoverable)
    .join(" ")

describe("the codes of errors", () => {
  // Clients decide by them what to do: a code keeps its meaning.
  it.each([
    [400, true, "invalid_parameter invalid_request_body invalid_ticker_format invalid_accession_number"],
    [401, true, "missing_authorization invalid_api_key_format"],
    [401, false, "invalid_api_key"],
    [
      402,
      true,
      "insufficient_funds payment_required payment_invalid payment_expired payment_underpaid payment_wrong_network payment_replayed payment_in_progress payment_unconfirmed",
    ],
    [403, true, "insufficient_scope account_suspended agent_paused"],
    [404, true, "not_found"],
    [404, false, "job_not_found"],
    [405, false, "method_not_allowed"],
    [406, true, "not_acceptable"],
    [408, true, "request_timeout"],
    [409, true, "idempotency_in_progress"],
    [410, false, "not_offered"],
    [413, true, "payload_too_large"],
    [414, true, "uri_too_long"],
    [422, true, "idempotency_key_reused"],
    [429, true, "rate_limit_exceeded account_rate_limited"],
    [429, false, "agent_budget_exceeded"],
    [431, true, "headers_too_large"],
    [500, false, "internal_error"],
    [503, true, "data_freshness_stale upstream_unavailable storage_unavailable"],
    [503, false, "data_provider_unavailable"],
  ])("%d, worth another call: %s", (status, recoverable, names) => {
    assert.strictEqual(codesOf(status, recoverable), names)
  })

  it("are no others", () => {
    assert.lengthOf(Object.keys(codes), 38)
  })
})

describe("a failure", () => {
  it("has a hint with an action on every code that is worth another call", () => {
    for (const code of codeNames) {
      const { recoverable, remedies } = fail(code)
      assert.deepStrictEqual(
        remedies.map(({ action, suggestion }) => hintActions.includes(action) && suggestion === codes[code].docs),
        recoverable ? [true] : [],
        code,
      )
      const own = [change("field", "Do this.")]
      assert.deepStrictEqual(fail(code, { hints: own }).remedies, own)
    }
    const { error } = Envelope.failure(fail("rate_limit_exceeded", { hints: [] }), "req_1", "https://example.com")
    assert.deepInclude(error.hints[0], { field: "retry_after_ms", action: "wait" })
  })

  it("says what is known of the case, else what its code means", () => {
    assert.strictEqual(fail("not_found", { detail: "No such game." }).message, "No such game.")
    assert.strictEqual(fail("not_found").message, codes.not_found.message)
    assert.deepInclude(new Failure({ code: "not_found" }), { code: "not_found", _tag: "Failure" })
  })

  it("of a parameter says which to change, and to what", () => {
    const { code, hints } = invalid("day", "Name a past day.")
    assert.deepStrictEqual(
      [code, hints],
      ["invalid_parameter", [{ field: "day", action: "change", suggestion: "Name a past day." }]],
    )
  })
})
