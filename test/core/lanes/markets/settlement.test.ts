import { assert, describe, it } from "@effect/vitest"
import type { ContractResult } from "../../../../core/lanes/markets/ports.ts"
import { nextRow, toCapturedFields, toLeaf } from "../../../../core/lanes/markets/settlement.ts"
import type { SettledMarket } from "../../../../core/record/scoreboard/Settled.ts"
import { book, contract, noon } from "../../../support/contracts.ts"
import { settledRow } from "../../../support/settledRows.ts"

const closedAt = noon + 60_000
const now = closedAt + 1_000
const last = { captureId: "c1", at: noon, contract: contract() }
const learned = (result: SettledMarket["result"], sourceResult?: "yes" | "no"): ContractResult =>
  ({
    ticker: last.contract.ticker,
    venue: "kalshi",
    closedAt,
    result,
    ...(sourceResult === undefined ? {} : { sourceResult }),
  }) as ContractResult

const row = (result: SettledMarket["result"], sourceResult?: "yes" | "no"): SettledMarket => {
  const { sourceResult: _, ...rest } = settledRow({ result })
  return sourceResult === undefined ? rest : { ...rest, sourceResult }
}

describe("the captured part of a row", () => {
  it("has the quotes of a live book alone", () => {
    assert.deepStrictEqual(toCapturedFields(contract()).quotes, book(30, 34))
    for (const dead of [book(0, 34), book(30, 100), book(40, 30)]) {
      assert.notProperty(toCapturedFields(contract({ bidAsk: dead })), "quotes")
    }
  })

  it("has the flags of the model and of a difference that is not plausible", () => {
    assert.deepStrictEqual(toCapturedFields(contract({ flags: ["stale"], model: 619_999 })).flags, ["stale"])
    assert.deepStrictEqual(toCapturedFields(contract({ flags: ["stale"], model: 620_000 })).flags, [
      "stale",
      "divergence_implausible",
    ])
  })
})

describe("the next row of a contract", () => {
  it("is its last capture with the result, at the close by the local clock and not before", () => {
    const first = nextRow(undefined, last, learned("yes", "no"), closedAt, true)
    assert.deepInclude(first!, {
      captureId: "c1",
      capturedAt: noon,
      closeTime: closedAt,
      settledAt: closedAt,
      result: "yes",
      sourceResult: "no",
      anchored: true,
    } as Partial<SettledMarket>)
    assert.isUndefined(nextRow(undefined, last, learned("yes"), closedAt - 1, true))
  })

  it("is none without a capture before the close", () => {
    assert.isUndefined(nextRow(undefined, undefined, learned("yes"), now, true))
    assert.isUndefined(nextRow(row("no"), undefined, learned("yes"), now, true))
  })

  it("has no result by the model's own source where there is none, or the contract was voided", () => {
    assert.notProperty(nextRow(undefined, last, learned("yes"), now, false), "sourceResult")
    assert.notProperty(nextRow(undefined, last, learned("void", "yes"), now, false), "sourceResult")
  })

  it("keeps what the model's own source said when the venue corrects itself", () => {
    const next = nextRow(row("no", "yes"), last, learned("yes"), now, false)
    assert.deepInclude(next!, { result: "yes", sourceResult: "yes", settledAt: now } as Partial<SettledMarket>)
  })

  it("changes nothing else for a new result of the model's own source, which needs no capture", () => {
    const before = row("yes")
    const after = { ...before, sourceResult: "no", settledAt: now }
    assert.deepStrictEqual(nextRow(before, undefined, learned("yes", "no"), now, false), after as SettledMarket)
  })

  it("is none without news", () => {
    assert.isUndefined(nextRow(row("yes"), last, learned("yes"), now, false))
    assert.isUndefined(nextRow(row("yes", "no"), last, learned("yes"), now, false))
    assert.isUndefined(nextRow(row("yes", "no"), last, learned("yes", "no"), now, false))
    assert.isUndefined(nextRow(row("void"), last, learned("void", "no"), now, false))
  })
})

describe("the leaf of a settled row", () => {
  const kind = (after: SettledMarket, before: SettledMarket | undefined) => toLeaf(after, before, "markets", 1).kind

  it("is a settlement, an observation where the own source's result came, or a correction", () => {
    assert.strictEqual(kind(row("yes"), undefined), "settlement")
    assert.strictEqual(kind(row("yes", "no"), row("yes")), "observation")
    assert.strictEqual(kind(row("yes", "no"), row("yes", "yes")), "correction")
    assert.strictEqual(kind(row("no"), row("yes")), "correction")
  })

  it("has the row's capture, prices and results, without those that are not there", () => {
    const whole = settledRow()
    const { body, ...rest } = toLeaf(whole, undefined, "markets", 2)
    assert.deepStrictEqual(rest, {
      id: `kalshi/${whole.ticker}/2`,
      kind: "settlement",
      at: whole.settledAt,
      lane: "markets",
      subject: whole.ticker,
    })
    assert.deepStrictEqual(body, {
      venue: "kalshi",
      event: whole.event,
      capture_id: whole.captureId,
      captured_at: whole.capturedAt,
      close_time: whole.closeTime,
      model: 420_000,
      model_version: "normal-1",
      pool_weight: 0,
      yes_bid: 3_000,
      yes_ask: 3_200,
      no_ask: 7_000,
      result: "yes",
      source_result: "yes",
      fee_rate: 700,
      revision: 2,
    })
    const { quotes: _, feeRate: __, sourceResult: ___, ...bare } = whole
    assert.doesNotHaveAnyKeys(toLeaf(bare, undefined, "markets", 1).body, [
      "yes_bid",
      "yes_ask",
      "no_ask",
      "source_result",
      "fee_rate",
    ])
  })
})
