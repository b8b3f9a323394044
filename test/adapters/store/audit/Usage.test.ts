import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as usage from "../../../../adapters/store/audit/Usage.ts"
import { folds } from "../../../../adapters/store/money/folds.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { Usage, type UsageQuery, type UsageTotal } from "../../../../core/account/Usage.ts"
import { day, hour } from "../../../../core/time.ts"
import { sum } from "../../../support/accounts.ts"
import { anyAccountsUnfolded } from "../../../support/anyStore.ts"

/** Calls and charges of each group, whatever the span. */
const byGroup = (sums: ReadonlyArray<UsageTotal>) => {
  const found = new Map<string, readonly [calls: number, charged: number]>()
  for (const { group, calls, charged } of sums) {
    const [all, spent] = found.get(group) ?? [0, 0]
    found.set(group, [all + calls, spent + charged])
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
}

const turn = Date.UTC(2026, 10, 1)

describe("usage", () => {
  it.effect("adds up with the journal over a month's end, before, between and after folds", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const ledger = yield* Ledger
      const sql = yield* SqlClient.SqlClient
      const { sums, totals } = yield* Usage
      const { id: accountId } = yield* accounts.create("one")
      yield* accounts.credit(accountId, MicroUsd(1_000_000_000))
      const issue = (environment: "live" | "test") => accounts.issueKey({ account: "one", environment, tier: "pro" })
      const keys = [(yield* issue("live")).key, (yield* issue("live")).key, (yield* issue("test")).key] as const
      let written = 0
      const write = (count: number) =>
        Effect.forEach(
          Array.from({ length: count }, () => written++),
          (n) => {
            const { id: keyId, environment } = keys[n % 3]!
            const livemode = environment === "live"
            const failed = n % 7 === 0
            const micros = MicroUsd(livemode && !failed ? 1_000 + n : 0)
            const caller = { accountId, keyId, livemode, perMinute: 6_000 }
            const audit = {
              at: turn + (n - 1_000) * 10_000,
              requestId: `req_${String(n).padStart(6, "0")}`,
              accountId,
              keyId,
              endpoint: n % 2 === 0 ? "weather_settlement" : "crypto_signal",
              paramsHash: "",
              status: failed ? 404 : 200,
              charged: micros,
              latencyMs: 1,
              ...(failed ? { calls: 3 } : {}),
            }
            return ledger.charge({ caller, listMicros: micros, chargedMicros: micros, audit })
          },
          { concurrency: "unbounded", discard: true },
        )
      const agrees = Effect.gen(function* () {
        // From here on the journal has all.
        yield* sums(accountId, { from: turn, to: turn, span: "day", group: "key" })
        const charges = yield* sql<{
          at: number
          micros: number
        }>`SELECT at, micros FROM postings WHERE kind = 'charge'`
        for (const span of ["hour", "day"] as const) {
          const size = { hour, day }[span]
          for (const group of ["endpoint", "agent", "key", "status"] as const) {
            const query: UsageQuery = { from: turn - 5 * day, to: turn + 5 * day, span, group }
            const rows = yield* sums(accountId, query)
            const expected = new Map<number, number>()
            for (const { at, micros } of charges) {
              expected.set(at - (at % size), (expected.get(at - (at % size)) ?? 0) + micros)
            }
            const found = new Map<number, number>()
            for (const { at, charged } of rows) if (charged > 0) found.set(at, (found.get(at) ?? 0) + charged)
            assert.deepStrictEqual(found, expected)
            const calls = written + 2 * Math.ceil(written / 7)
            assert.strictEqual(sum(rows.map(({ calls }) => calls)), calls)
            // Whole days, and hours that are not.
            for (const from of [query.from, query.from + hour]) {
              const asked = { ...query, from }
              const both = yield* totals(accountId, asked, { skip: 0, limit: 100, inSpans: 2 })
              assert.deepStrictEqual(both.spans, yield* sums(accountId, { ...asked, group: "status" }))
              assert.deepStrictEqual(byGroup(both.groups), byGroup(yield* sums(accountId, asked)))
              const first = both.groups.slice(0, 2).map((each) => each.group)
              assert.deepStrictEqual(
                both.inSpans,
                (yield* sums(accountId, asked)).filter((each) => first.includes(each.group)),
              )
              assert.strictEqual(new Set(both.groups.map((each) => each.group)).size, both.groups.length)
              assert.strictEqual(both.groupCount, both.groups.length)
              assert.deepStrictEqual(
                both.groups,
                both.groups.toSorted(
                  (one, other) =>
                    other.charged - one.charged || other.calls - one.calls || (one.group < other.group ? -1 : 1),
                ),
              )
              for (const { group: name, calls, charged } of both.groups) {
                const [part] = (yield* totals(accountId, asked, {
                  skip: both.groups.findIndex((each) => each.group === name),
                  limit: 1,
                })).groups
                assert.deepStrictEqual(part, { group: name, calls, charged })
              }
            }
          }
        }
        const test = yield* sums(accountId, {
          from: turn - 5 * day,
          to: turn + 5 * day,
          span: "day",
          group: "key",
          livemode: false,
        })
        assert.deepStrictEqual([...new Set(test.map(({ group }) => group))], [keys[2].id])
        assert.strictEqual(sum(test.map(({ charged }) => charged)), 0)
      })
      yield* write(700)
      yield* agrees
      yield* write(800)
      yield* agrees
      yield* (yield* folds).all
      yield* agrees
      const bad = sums(accountId, { from: 0, to: 32 * day, span: "hour", group: "key" })
      assert.strictEqual((yield* Effect.flip(bad)).code, "invalid_parameter")
    }).pipe(Effect.provide(usage.layer), Effect.provide(anyAccountsUnfolded)),
  )

  it.live("adds up where groups are too many for one turn, while others fold", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const ledger = yield* Ledger
      const { sums, totals } = yield* Usage
      const { id: accountId } = yield* accounts.create("many")
      let written = 0
      // The hours of yesterday are kept.
      const turn = Math.floor(Date.now() / day - 1) * day
      const write = (count: number) =>
        Effect.forEach(
          Array.from({ length: count }, () => written++),
          (n) => {
            const keyId = `key_${String(n % 2_500).padStart(5, "0")}`
            return ledger.charge({
              caller: { accountId, keyId, livemode: false, perMinute: 6_000 },
              listMicros: MicroUsd(0),
              chargedMicros: MicroUsd(0),
              audit: {
                at: turn + (n % 3) * hour,
                requestId: `req_${String(n).padStart(6, "0")}`,
                accountId,
                keyId,
                endpoint: "weather_settlement",
                paramsHash: "",
                status: 200,
                charged: MicroUsd(0),
                latencyMs: 1,
              },
            })
          },
          { concurrency: "unbounded", discard: true },
        )
      const query: UsageQuery = { from: turn, to: turn + day, span: "hour", group: "key" }
      const callsOf = (all: ReadonlyArray<UsageTotal>) => sum(all.map(({ calls }) => calls))
      yield* write(4_100)
      yield* (yield* folds).all
      yield* write(900)
      const reads = Effect.gen(function* () {
        for (const to of [query.to, turn + 23 * hour]) {
          const both = yield* totals(accountId, { ...query, to }, { skip: 0, limit: 10_000, inSpans: 3 })
          assert.deepStrictEqual(byGroup(both.inSpans), byGroup(both.groups.slice(0, 3)))
          assert.deepStrictEqual([callsOf(both.spans), callsOf(both.groups)], [written, written])
          assert.lengthOf(both.groups, 2_500)
          assert.strictEqual(both.groupCount, 2_500)
        }
        const page = yield* totals(accountId, query, { skip: 2_450, limit: 100 })
        assert.deepStrictEqual([page.groups.length, page.groupCount], [50, 2_500])
        assert.strictEqual(callsOf(yield* sums(accountId, query)), written)
      })
      const { all } = yield* folds
      yield* Effect.all([reads, reads, Effect.delay(all, 2), reads, Effect.delay(all, 5)], {
        concurrency: "unbounded",
      })
      assert.deepStrictEqual(yield* sums(accountId, { ...query, to: query.from }), [])
    }).pipe(Effect.provide(usage.layer), Effect.provide(anyAccountsUnfolded)),
  )

  it.effect(
    "is in order of span and group, and of the account, the kind, the range and the keys that are asked for alone",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { sums } = yield* Usage
        const put = (
          start: number,
          calls: number,
          { account = "acct_1", kind = "status", name = "2xx", livemode = 1 } = {},
        ) =>
          sql`INSERT INTO usage_sums ${sql.insert({
            ...{ account_id: account, span: hour, kind, start, name, livemode, calls, charged_micros: 10 * calls },
          })}`
        yield* put(turn + hour, 1)
        yield* put(turn, 2, { name: "4xx" })
        yield* put(turn, 4, { livemode: 0 })
        yield* put(turn, 8)
        yield* put(turn - hour, 16)
        yield* put(turn + 2 * day, 32)
        yield* put(turn + 2 * day - hour, 64)
        yield* put(turn, 128, { kind: "key", name: "key_1" })
        yield* put(turn, 256, { account: "acct_2" })
        const asked = (more: Partial<UsageQuery>) =>
          Effect.map(
            sums("acct_1", { from: turn, to: turn + 2 * day, span: "hour", group: "status", ...more }),
            (all) => all.map(({ at, group, calls, charged }) => [(at - turn) / hour, group, calls, charged]),
          )
        const later = [
          [0, "4xx", 2, 20],
          [1, "2xx", 1, 10],
          [47, "2xx", 64, 640],
        ]
        assert.deepStrictEqual(yield* asked({}), [[0, "2xx", 12, 120], ...later])
        assert.deepStrictEqual(yield* asked({ livemode: true }), [[0, "2xx", 8, 80], ...later])
        assert.deepStrictEqual(yield* asked({ livemode: false }), [[0, "2xx", 4, 40]])
        assert.deepStrictEqual(yield* asked({ span: "day" }), [
          [0, "2xx", 13, 130],
          [0, "4xx", 2, 20],
          [24, "2xx", 64, 640],
        ])
      }).pipe(Effect.provide(usage.layer), Effect.provide(anyAccountsUnfolded)),
  )
})
