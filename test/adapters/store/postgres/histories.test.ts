import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { askEach } from "../../../../adapters/store/engine/postgres/client.ts"
import { cancelAll } from "../../../../adapters/store/money/postgres/ending.ts"
import type { Outcome } from "../../../support/calling.ts"
import { begin } from "../../../support/chaos/chaos.ts"
import * as Cutting from "../../../support/cuttingProxy.ts"
import { fill } from "../../../support/earlierCalls.ts"
import { balanced, countCharged, counts, history, makePayers, refusedIn, stranger } from "../../../support/history.ts"
import { barOf, within } from "../../../support/longForm.ts"
import { database } from "../../../support/postgres.ts"
import { node } from "../../../support/postgresNode.ts"

const rows = Number(process.env["PG_ROWS"] ?? 100_000)
const isLongForm = rows > 100_000
const fillMs = 200_000 + rows / 25

const filled = (url: Redacted.Redacted) => Effect.promise(() => fill(Redacted.value(url), rows))

describe(`over a trail of ${rows} rows`, () => {
  it.scopedLive(
    `six wallets that another program locks for 8 s delay no other account, and all are served again${within(5, isLongForm)}`,
    () =>
      Effect.gen(function* () {
        const [locked, others] = [6, 4]
        let [heldAt, freeAt] = [0, 0]
        const outcomes = yield* history(
          { payers: locked + others, isLongForm, prepare: filled },
          ({ payers, other, isBack }) =>
            Effect.gen(function* () {
              const six = payers.slice(0, locked).map(({ accountId }) => accountId)
              yield* Effect.promise(() => other.query("BEGIN"))
              yield* Effect.promise(() =>
                other.query("SELECT 1 FROM wallets WHERE account_id = ANY ($1) FOR UPDATE", [six]),
              )
              heldAt = Date.now()
              yield* Effect.sleep("8 seconds")
              freeAt = Date.now()
              yield* Effect.promise(() => other.query("ROLLBACK"))
              const backMs = yield* isBack
              yield* Effect.sleep("2 seconds")
              yield* Effect.logInfo(`back after ${backMs} ms`)
            }),
        )
        const [refused, free] = Arr.partition(outcomes, ({ payer }) => payer >= locked).map(counts)
        const during = outcomes.filter(({ payer, begun }) => payer >= locked && begun >= heldAt && begun < freeAt)
        yield* Effect.logInfo(JSON.stringify({ rows, refused, free, during: during.length }))
        assert.isAbove(during.length, 100)
        assert.strictEqual(free!.failed, 0)
        assert.isAbove(refused!.failed, 0)
        assert.isBelow(refused!.slowest, barOf(3_000, isLongForm))
      }),
    fillMs,
  )

  it.scopedLive(
    "batches whose answers were lost are ended by a third node when the two that had them are killed",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        // It must not end batches itself.
        const payers = yield* Effect.scoped(
          Effect.flatMap(node(url), (context) => Effect.provide(makePayers(6), context)),
        )
        yield* filled(url)
        const { proxy, url: through } = yield* Cutting.through(url)
        const children = yield* Effect.forEach(["a", "b"], (prefix) =>
          Effect.acquireRelease(
            Effect.promise(() => begin("calls", Redacted.value(through), { prefix, payers })),
            (child) => Effect.sync(() => child.process.kill("SIGKILL")),
          ),
        )
        yield* Effect.promise(() => Promise.all(children.map((child) => child.linesUntil(100))))
        const other = yield* stranger(url)
        const one = (text: string) =>
          Effect.map(
            Effect.promise(() => other.query<{ readonly n: number }>(text)),
            (result) => result.rows[0]!.n,
          )
        const outcomesOf = () =>
          children.flatMap(({ lines }) => lines.slice(1).map((line) => JSON.parse(line) as Outcome))
        let [pending, unanswered] = [0, 0]
        for (let tries = 0; pending === 0 || unanswered === 0; tries++) {
          assert.isBelow(tries, 6, "no batch is to be ended, or none was charged")
          // Answers are on their way when the connections end: what they report is done, and no node knows.
          proxy.slow(300)
          yield* Effect.sleep("1 seconds")
          proxy.partition()
          yield* Effect.sleep("7 seconds")
          yield* Effect.promise(() => other.query("BEGIN"))
          yield* Effect.promise(() => other.query("SELECT 1 FROM wallets FOR UPDATE"))
          proxy.slow(0)
          proxy.heal()
          // The nodes hand their batches over, and cannot end them.
          yield* Effect.sleep("3 seconds")
          pending = yield* one("SELECT count(*)::int AS n FROM cancels")
          unanswered = yield* countCharged(other, refusedIn(outcomesOf()))
          if (pending === 0 || unanswered === 0) yield* Effect.promise(() => other.query("ROLLBACK"))
        }
        for (const child of children) {
          child.process.kill("SIGKILL")
          yield* Effect.promise(() => child.ended)
        }
        yield* Effect.promise(() => other.query("ROLLBACK"))
        const outcomes = outcomesOf()
        unanswered = yield* countCharged(other, refusedIn(outcomes))
        // One that never reached the store needs no wallet to end.
        pending = yield* one("SELECT count(*)::int AS n FROM cancels")
        assert.isAbove(pending, 0)
        // However long the journal is, one is found by the keys of its charges. The first one loads the plans.
        let cancelMs = 0
        for (const _ of Arr.range(1, 3)) {
          yield* Effect.promise(() => other.query("BEGIN"))
          const scans = one("SELECT pg_stat_get_xact_numscans('journal'::regclass)::int AS n")
          const before = yield* scans
          const since = performance.now()
          yield* cancelAll(
            askEach((text, values) => Effect.promise(async () => (await other.query(text, [...values])).rows)),
          )
          cancelMs = Math.round(((performance.now() - since) * 10) / pending) / 10
          assert.strictEqual(yield* scans, before)
          yield* Effect.promise(() => other.query("ROLLBACK"))
        }
        const begun = performance.now()
        const third = yield* node(url)
        while ((yield* one("SELECT count(*)::int AS n FROM cancels")) > 0) {
          assert.isBelow(performance.now() - begun, 60_000)
          yield* Effect.sleep("10 millis")
        }
        const endedMs = Math.round(performance.now() - begun)
        // A call that was under way when its node was killed may be charged, as one whose answer is lost on its way.
        yield* Effect.provide(balanced(payers, outcomes, children.length * payers.length * 2), third)
        yield* Effect.logInfo(JSON.stringify({ ...counts(outcomes), pending, unanswered, cancelMs, endedMs }))
      }),
    fillMs,
  )
})
