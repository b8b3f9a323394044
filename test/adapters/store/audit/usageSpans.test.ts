import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as usage from "../../../../adapters/store/audit/Usage.ts"
import { folds } from "../../../../adapters/store/money/folds.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import {
  oldestKept,
  retentionDays,
  type Span,
  spanStart,
  Usage,
  type UsageGroup,
} from "../../../../core/account/Usage.ts"
import { day, hour } from "../../../../core/time.ts"
import { sum } from "../../../support/accounts.ts"
import { anyAccountsUnfolded } from "../../../support/anyStore.ts"
import { isPostgres } from "../../../support/postgres.ts"

interface Call {
  readonly id: string
  readonly at: number
  readonly account: number
  readonly names: Readonly<Record<UsageGroup, string>>
  charged: number
}

const seeded = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const groups: ReadonlyArray<UsageGroup> = ["endpoint", "agent", "key", "status"]
const beginning = Date.UTC(2026, 10, 20, 13)

/** Calls in a new store, with what they add up to. */
const made = Effect.gen(function* () {
  const random = seeded(Number(process.env["SEED"] ?? 36))
  const sql = yield* SqlClient.SqlClient
  const accounts = yield* Accounts
  const ledger = yield* Ledger
  const { move: slice, sums, totals } = yield* Usage
  let now = beginning
  yield* TestClock.setTime(now)
  const owners = yield* Effect.forEach(["one", "two", "three", "four", "five"], (name) =>
    Effect.gen(function* () {
      const { id } = yield* accounts.create(name)
      yield* accounts.credit(id, MicroUsd(1_000_000_000))
      const issue = accounts.issueKey({ account: name, environment: "live", tier: "pro" })
      return { id, keys: [(yield* issue).key.id, (yield* issue).key.id] }
    }),
  )
  const calls: Array<Call> = []
  const write = (at: number) => {
    const account = random(owners.length)
    const { id: accountId, keys } = owners[account]!
    const status = random(5) === 0 ? 404 : 200
    const [keyId, endpoint] = [keys[random(2)]!, ["weather_settlement", "crypto_signal"][random(2)]!]
    const charged = status === 200 ? 1_000 + random(1_000) : 0
    const names = { endpoint, agent: "", key: keyId, status: status === 200 ? "2xx" : "4xx" }
    const id = `req_${String(calls.length).padStart(6, "0")}`
    calls.push({ id, at, account, names, charged })
    const micros = MicroUsd(charged)
    return ledger.charge({
      caller: { accountId, keyId, livemode: true, perMinute: 6_000 },
      listMicros: micros,
      chargedMicros: micros,
      audit: { at, requestId: id, accountId, keyId, endpoint, paramsHash: "", status, charged: micros, latencyMs: 1 },
    })
  }
  const expected = (account: number, span: Span, group: UsageGroup, from: number, to: number) => {
    const found = new Map<string, readonly [calls: number, charged: number]>()
    for (const { at, charged, names, account: whose } of calls) {
      if (whose !== account || at < from || at >= to) continue
      const key = `${spanStart(span, at)} ${names[group]}`
      const [count, all] = found.get(key) ?? [0, 0]
      found.set(key, [count + 1, all + charged])
    }
    return new Map([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  }
  const longest = { hour: 31, day: 366, month: 1_200 }
  const agrees = (account: number, span: Span, group: UsageGroup) =>
    Effect.gen(function* () {
      const to = spanStart("day", now) + day
      const oldest = spanStart(span, oldestKept(span, now) + (span === "month" ? to - longest.month * day : 0))
      const from = Math.max(
        oldest,
        spanStart(span, to - longest[span] * day) + (span === "hour" ? random(2) * hour : 0),
      )
      const query = { from, to, span, group }
      const [{ id }, all] = [owners[account]!, expected(account, span, group, from, to)]
      const found = yield* sums(id, query)
      assert.deepStrictEqual(
        new Map(found.map((each) => [`${each.at} ${each.group}`, [each.calls, each.charged] as const])),
        all,
        `${span} ${group}`,
      )
      const both = yield* totals(id, query, { skip: 0, limit: 100 })
      for (const rows of [both.groups, both.spans]) {
        assert.strictEqual(sum(rows.map(({ calls }) => calls)), sum([...all.values()].map(([count]) => count)))
        assert.strictEqual(sum(rows.map(({ charged }) => charged)), sum([...all.values()].map(([, spent]) => spent)))
      }
    })
  const move = (millis: number) => {
    now += millis
    return TestClock.setTime(now)
  }
  return { random, sql, owners, slice, sums, write, agrees, move, now: () => now }
})

/** Slices that end in the middle of an account. */
const small = usage.layerWith({ sums: 3, accounts: 2 })

describe("sums of usage that are moved into longer spans", () => {
  it.effect("add up in each state, whatever is added, taken back and read in between", () =>
    Effect.gen(function* () {
      const { random, sql, owners, slice, write, agrees, move, now } = yield* made
      const some = <A>(all: ReadonlyArray<A>) => all[random(all.length)]!
      for (let round = 0; round < Number(process.env["USAGE_ROUNDS"] ?? (isPostgres ? 25 : 70)); round++) {
        const choice = random(10)
        if (choice < 3) for (let n = 0; n < 8; n++) yield* write(now() - random(random(2) === 0 ? 5 * day : 700 * day))
        else if (choice < 5) yield* move(random(20) * day + random(24) * hour)
        else if (choice < 6) {
          const [account, span] = [random(owners.length), some(["hour", "day", "month"] as const)]
          yield* Effect.all([slice, agrees(account, span, some(groups)), slice, slice], { concurrency: "unbounded" })
        } else if (choice < 7) yield* (yield* folds).all
        else for (let n = random(6); n >= 0; n--) yield* slice
        yield* agrees(random(owners.length), some(["hour", "day", "month"]), some(groups))
      }
      yield* (yield* folds).all
      while (yield* slice);
      for (const account of owners.keys()) {
        for (const span of ["hour", "day", "month"] as const)
          for (const group of groups) yield* agrees(account, span, group)
      }
      const kept = yield* sql<{ span: number; first: number }>`
        SELECT span, CAST(min(start) AS BIGINT) AS first FROM usage_sums GROUP BY span ORDER BY span`
      assert.lengthOf(kept, 3)
      assert.isAtLeast(kept[0]!.first, now() - (retentionDays.hour + 1) * day)
      assert.isAtLeast(kept[1]!.first, now() - (retentionDays.day + 31) * day)
    }).pipe(Effect.provide(small), Effect.provide(anyAccountsUnfolded)),
  )

  it.effect("are kept as long as is said, and no longer asked for by a span that is gone", () =>
    Effect.gen(function* () {
      const { sql, owners, slice, sums, write, move, now } = yield* made
      for (let n = 0; n < 20; n++) yield* write(now() - n * hour)
      const settled = Effect.gen(function* () {
        yield* (yield* folds).all
        while (yield* slice);
        const rows = yield* sql<{ span: number; calls: number }>`
          SELECT span, CAST(sum(calls) AS BIGINT) AS calls FROM usage_sums WHERE kind = 'key' GROUP BY span ORDER BY span`
        return rows.map(({ span, calls }) => [span / hour, calls])
      })
      const asked = (span: Span) =>
        Effect.map(
          Effect.forEach(owners, ({ id }) =>
            sums(id, { from: beginning - 2 * day, to: beginning + day, span, group: "key" }),
          ),
          (all) => sum(all.flat().map(({ calls }) => calls)),
        )
      const refused = (span: Span) =>
        Effect.map(Effect.flip(asked(span)), ({ code, hints }) => [code, hints?.[0]?.field])
      assert.deepStrictEqual(yield* settled, [[1, 20]])
      assert.deepStrictEqual([yield* asked("hour"), yield* asked("day"), yield* asked("month")], [20, 20, 20])
      yield* move(retentionDays.hour * day)
      assert.deepStrictEqual(yield* settled, [
        [1, 14],
        [24, 6],
      ])
      yield* move(day)
      assert.deepStrictEqual(yield* settled, [[24, 20]])
      assert.deepStrictEqual(yield* refused("hour"), ["invalid_parameter", "from"])
      assert.deepStrictEqual([yield* asked("day"), yield* asked("month")], [20, 20])
      yield* move((retentionDays.day + 31) * day)
      assert.deepStrictEqual(yield* settled, [[31 * 24, 20]])
      assert.deepStrictEqual(yield* refused("day"), ["invalid_parameter", "from"])
      assert.strictEqual(yield* asked("month"), 20)
    }).pipe(Effect.provide(usage.layer), Effect.provide(anyAccountsUnfolded)),
  )
})
