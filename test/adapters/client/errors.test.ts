import { assert, describe, it } from "@effect/vitest"
import {
  BudgetExceeded,
  InsufficientFunds,
  RateLimited,
  ServiceError,
  toError,
  Unreachable,
} from "../../../adapters/client/errors.ts"

const failed = {
  code: "not_found",
  message: "No such path or record.",
  recoverable: true,
  retry_after_ms: null,
  docs_url: "/errors/not_found",
  request_id: "req_1",
  hints: [],
} as const

const of = (changes: Readonly<Record<string, unknown>>, retryAfterMs?: number) =>
  toError(400, { error: { ...failed, ...changes } }, retryAfterMs) as ServiceError

describe("the error of an answer", () => {
  it("says in its message what the hints suggest", () => {
    const hints = ["station must be one of KNYC, KMDW.", "day must be a date."].map((suggestion) => ({
      field: "station",
      action: "change_field",
      suggestion,
    }))
    const error = of({ message: "One or more parameters are not valid.", hints })
    assert.strictEqual(
      error.message,
      "One or more parameters are not valid. station must be one of KNYC, KMDW. day must be a date.",
    )
    assert.strictEqual(error.payload.message, "One or more parameters are not valid.")
  })

  it("has what the envelope says", () => {
    const error = of({})
    assert.strictEqual(error.constructor, ServiceError)
    const { status, code, message, recoverable, requestId, docsUrl, hints } = error
    assert.deepStrictEqual(
      { status, code, message, recoverable, requestId, docsUrl, hints },
      {
        status: 400,
        code: "not_found",
        message: "No such path or record.",
        recoverable: true,
        requestId: "req_1",
        docsUrl: "/errors/not_found",
        hints: [],
      },
    )
  })

  it.each([
    ["rate_limit_exceeded", RateLimited],
    ["account_rate_limited", RateLimited],
    ["agent_budget_exceeded", BudgetExceeded],
  ] as const)("of the code %s has a class of its own", (code, kind) => {
    assert.strictEqual(of({ code }).constructor, kind)
    assert.strictEqual(of({ code }).name, kind.name)
  })

  it("is of too little money only with a quote", () => {
    const code = "insufficient_funds"
    const quote = { price_micros: 1_000 }
    const error = of({ code, quote })
    assert.instanceOf(error, InsufficientFunds)
    assert.deepStrictEqual((error as InsufficientFunds).quote, quote as never)
    assert.strictEqual(of({ code }).constructor, ServiceError)
    assert.strictEqual(of({ quote }).constructor, ServiceError)
  })

  it("waits as the envelope says, before the header", () => {
    assert.strictEqual(of({ retry_after_ms: 1_500 }, 2_000).retryAfterMs, 1_500)
    assert.strictEqual(of({ retry_after_ms: 0 }, 2_000).retryAfterMs, 0)
    assert.strictEqual(of({}, 2_000).retryAfterMs, 2_000)
    assert.isUndefined(of({}).retryAfterMs)
  })

  it.each([null, "text", {}, { error: null }, { error: "text" }, { error: { code: 5 } }])(
    "with the body %j is of somebody between",
    (body) => {
      const error = toError(502, body, undefined)
      assert.instanceOf(error, Unreachable)
      assert.deepStrictEqual([error.message, error.status], ["Status 502 without an error envelope.", 502])
    },
  )
})
