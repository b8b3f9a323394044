import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type { Call, RequestContext } from "../../../core/gateway/Call.ts"
import * as Parameters from "../../../core/gateway/parameters.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { filing } from "../../../core/lanes/filings/mod.ts"

const read = Parameters.make(catalogue)
const good = { accession_number: "0009999999-26-000042" }
const call = (context: Partial<RequestContext>): Call => ({
  requestId: "req_1",
  startedAt: Date.UTC(2026, 6, 11),
  since: 0,
  context: { authorization: undefined, ...context },
})
const asked = (value: Readonly<Record<string, unknown>>, context: Partial<RequestContext> = {}) =>
  read(filing, { _tag: "Json", value }, call(context))
const failed = (found: ReturnType<typeof asked>) => Either.getOrThrow(Either.flip(found))
const fieldsOf = (found: ReturnType<typeof asked>) => (failed(found).hints ?? []).map(({ field }) => field)

describe("the parameters of a call", () => {
  it("are decoded, with the key of a call that may be repeated", () => {
    assert.deepStrictEqual(Either.getOrThrow(asked(good)).params, { ...good, diff: true })
    const idempotencyKey = "0c3f5f0e-1b2a-4c3d-8e5f-001122334455"
    assert.isTrue(Either.isRight(asked(good, { idempotencyKey })))
  })

  it("are refused together with a malformed key, the key last", () => {
    const found = asked({ accession_number: "1" }, { idempotencyKey: "1" })
    assert.strictEqual(failed(found).code, "invalid_parameter")
    assert.deepStrictEqual(fieldsOf(found), ["accession_number", "Idempotency-Key"])
  })

  it("are refused for a malformed key alone, by the name that the transport has for it", () => {
    assert.deepStrictEqual(failed(asked(good, { idempotencyKey: "1", idempotencyField: "idempotency_key" })).hints, [
      { field: "idempotency_key", action: "change", suggestion: "idempotency_key must be a UUIDv4." },
    ])
  })

  it("are a body where the endpoint is called by POST, and then it is the body that is wrong", () => {
    const post = catalogue.entries
      .map(({ endpoint }) => endpoint as Endpoint.Any)
      .find((endpoint) => Endpoint.methodOf(endpoint) === "POST")!
    const found = read(post, { _tag: "Json", value: {} }, call({}))
    assert.strictEqual(failed(found).code, "invalid_request_body")
    assert.isNotEmpty(failed(found).hints)
  })
})
