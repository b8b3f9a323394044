import { assert, describe, it } from "@effect/vitest"
import { make } from "../../../../adapters/runtime/telemetry/counts.ts"
import { text } from "../../../../adapters/runtime/telemetry/exposition.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { scrapeOf } from "../../../support/scrape.ts"

const counting = () => {
  const counts = make(catalogue)
  return {
    counts,
    value: (...of: Parameters<ReturnType<typeof scrapeOf>["value"]>) => scrapeOf(text(counts.families())).value(...of),
  }
}

const [{ endpoint, lane }] = catalogue.entries as readonly [(typeof catalogue.entries)[number]]

describe("counts", () => {
  it("replies add up by endpoint and status, and what they cost by lane", () => {
    const { counts, value } = counting()
    counts.answered(endpoint.id, 200, 1_500, counts.now())
    counts.answered(endpoint.id, 200, 500, counts.now())
    counts.answered(endpoint.id, 404, 0, counts.now())
    const labels = { endpoint: endpoint.id, lane: lane.name }
    assert.strictEqual(value("market_signals_calls_total", { ...labels, status: "200" }), 2)
    assert.strictEqual(value("market_signals_calls_total", { ...labels, status: "404" }), 1)
    assert.strictEqual(value("market_signals_charged_micros_total", { lane: lane.name }), 2_000)
    assert.strictEqual(value("market_signals_call_duration_seconds_count", { endpoint: endpoint.id }), 3)
  })

  it("a path of no endpoint, known or not, is counted as none", () => {
    const { counts, value } = counting()
    counts.answered(undefined, 404, 0, counts.now())
    counts.answered("no.such", 404, 0, counts.now())
    assert.strictEqual(value("market_signals_calls_total", { endpoint: "none", lane: "none", status: "404" }), 2)
  })

  it("a commit that was undone is no batch", () => {
    const { counts, value } = counting()
    counts.committed(3, counts.now(), true)
    counts.committed(100, counts.now(), false)
    assert.strictEqual(value("market_signals_commit_batch_size_sum"), 3)
    assert.strictEqual(value("market_signals_commit_batch_size_count"), 1)
    assert.strictEqual(value("market_signals_commit_duration_seconds_count"), 1)
    assert.strictEqual(value("market_signals_commit_undone_total"), 1)
  })

  it("questions to a source add up by how they ended, with times in seconds", () => {
    const { counts, value } = counting()
    counts.asked("kraken", "ok", counts.now() - 4_000)
    counts.asked("kraken", "ok", counts.now())
    counts.asked("kraken", "timeout", counts.now())
    assert.strictEqual(value("market_signals_upstream_requests_total", { upstream: "kraken", outcome: "ok" }), 2)
    assert.strictEqual(value("market_signals_upstream_requests_total", { upstream: "kraken", outcome: "timeout" }), 1)
    const sum = value("market_signals_upstream_duration_seconds_sum", { upstream: "kraken" })!
    assert.isAtLeast(sum, 4)
    assert.isBelow(sum, 40)
  })

  it("payments add up with their gas, and refusals are counted", () => {
    const { counts, value } = counting()
    counts.sentPayment(false, 60, 600)
    counts.sentPayment(true, 40, 200)
    counts.withoutGas()
    counts.reportWrongToken()
    counts.reportWrongToken()
    assert.strictEqual(value("market_signals_payment_transactions_total", { outcome: "paid" }), 1)
    assert.strictEqual(value("market_signals_payment_transactions_total", { outcome: "reverted" }), 1)
    assert.strictEqual(value("market_signals_payment_gas_total"), 100)
    assert.strictEqual(value("market_signals_payment_fees_wei_total"), 800)
    assert.strictEqual(value("market_signals_payment_without_gas_total"), 1)
    assert.strictEqual(value("market_signals_admin_wrong_tokens_total"), 2)
  })
})
