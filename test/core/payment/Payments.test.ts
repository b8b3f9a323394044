import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runOnce } from "../../../adapters/runtime/scheduler/runOnce.ts"
import { reconcileOrders } from "../../../adapters/store/upkeep/storeJobs.ts"
import { job as conditionOf } from "../../../adapters/web/condition/ofService.ts"
import { JobRuns, runState } from "../../../core/jobs/JobRuns.ts"
import { Payments } from "../../../core/payment/Payments.ts"

/** A comparison that found this. */
const comparing = (
  unanswered: ReadonlyArray<string>,
  { looked = 3, mismatched = [] as ReadonlyArray<string>, isConfigured = true } = {},
) =>
  Layer.mock(Payments, {
    ways: isConfigured ? [{ provider: "stripe", label: "Card", origin: "https://pay.example" }] : [],
    reconcile: () =>
      Effect.succeed({ looked, added: 1, creditedMicros: 5_000_000, takenBackMicros: 0, mismatched, unanswered }),
  })

const ran = (payments: Layer.Layer<Payments>) =>
  Effect.gen(function* () {
    const job = yield* reconcileOrders
    yield* runOnce(job)
    const [run] = yield* (yield* JobRuns).recent(job.name, 1)
    const { outcome, detail } = run!.finished!
    return { outcome, detail, shown: conditionOf({ name: job.name, state: runState(run!, 0), overdue: false, detail }) }
  }).pipe(Effect.provide(payments), Effect.provide(JobRuns.layerMemory))

describe("the comparison with the providers' books", () => {
  it.effect("says in dollars what it did", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* ran(comparing([])), {
        outcome: "ok",
        detail: "3 orders checked, 1 change; 5.00 USD credited, 0.00 USD taken back",
      })
      const { detail } = yield* ran(comparing([], { mismatched: ["txn_1"] }))
      assert.include(detail, "; 1 order paid with another amount")
    }),
  )

  it.effect("names the orders that could not be checked, and is no success where that is all of them", () =>
    Effect.gen(function* () {
      const some = yield* ran(comparing(["txn_1"]))
      assert.strictEqual(some.outcome, "ok")
      assert.include(some.detail, "; 1 order could not be checked")
      assert.strictEqual((yield* ran(comparing(["txn_1"], { looked: 0, isConfigured: false }))).outcome, "ok")
      const { outcome, detail, shown } = yield* ran(comparing(["txn_1", "txn_2"], { looked: 0 }))
      assert.strictEqual(outcome, "failed")
      assert.include(detail, "2 orders could not be checked: the provider did not answer.")
      assert.deepStrictEqual([shown.tone, shown.label], ["attention", "failed"])
    }),
  )
})
