import { randomBytes } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as TestClock from "effect/TestClock"
import { Sqlite } from "../../../adapters/sql/client.sqlite.ts"
import * as GroupCommit from "../../../adapters/sql/groupCommit.ts"
import { sweepIdempotency } from "../../../adapters/sql/sweepIdempotency.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { Ledger } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { settlementOf } from "../../support/settlement.ts"
import { count, events, type Spender, spend, spender, spent } from "../../support/spender.ts"
import { accountsOver, storeFile } from "../../support/store.ts"

const rounds = Number(process.env["CAP_ROUNDS"] ?? 2)

const inMemory = <A, E>(
  effect: Effect.Effect<A, E, Accounts | Agents | Ledger | SqlClient.SqlClient | Sqlite>,
): Effect.Effect<A, unknown> => Effect.provide(effect, accountsOver(":memory:"))

/** A store on the disk, as a server has it. */
const onDisk = <A, E>(effect: Effect.Effect<A, E, Accounts | Agents | Ledger | SqlClient.SqlClient | Sqlite>) =>
  Effect.scoped(Effect.flatMap(storeFile, (file) => Effect.provide(effect, accountsOver(file))))

const tally = (tags: ReadonlyArray<{ readonly _tag: string }>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(Arr.groupBy(tags, ({ _tag }) => _tag)).map(([tag, all]) => [tag, all.length]))

const race = (who: Spender, callers: number, micros: number, rest: Parameters<typeof spend>[2] = {}) =>
  Effect.map(
    Effect.all(
      Arr.makeBy(callers, () => spend(who, micros, rest)),
      { concurrency: "unbounded" },
    ),
    tally,
  )

const typesOf = Effect.map(events, (all) => all.map(({ type }) => type.replace("agent.budget_", "")))

describe("a cap in a race", () => {
  const rows: ReadonlyArray<
    readonly [callers: number, micros: number, caps: Parameters<typeof spender>[1], through: number]
  > = [
    [1_000, 1_000, { monthlyCap: 500_000 }, 500],
    [1_000, 1_000, { monthlyCap: 500_999 }, 500],
    [1_000, 1_000, { budgetCap: 500_000 }, 500],
    [1_000, 1_000, { monthlyCap: 600_000, budgetCap: 500_000 }, 500],
    [20, 75, { monthlyCap: 500 }, 6],
    [20, 75, { budgetCap: 500 }, 6],
    [20, 75, { monthlyCap: 0 }, 0],
    [20, 75, { monthlyCap: 74 }, 0],
    [20, 75, {}, 20],
  ]
  for (const [callers, micros, caps, through] of rows) {
    const times = callers === 1_000 ? rounds : 1
    it(`${JSON.stringify(caps)} lets ${through} of ${callers} × ${micros} through, ${times} times`, {
      timeout: 20_000 + times * 5_000,
    }, async () => {
      for (let round = 0; round < times; round++) {
        await Effect.runPromise(
          onDisk(
            Effect.gen(function* () {
              const who = yield* spender("bot", caps)
              const said = yield* race(who, callers, micros, { at: yield* Clock.currentTimeMillis })
              const expected = { Settled: through, Capped: callers - through }
              assert.deepStrictEqual(said, Object.fromEntries(Object.entries(expected).filter(([, n]) => n > 0)))
              assert.deepStrictEqual(yield* spent(who.agentId), [through * micros, through * micros])
              assert.deepStrictEqual(yield* spent(who.agentId, false), [0, 0])
              const { balance } = yield* (yield* Accounts).balance(who.accountId)
              assert.strictEqual(balance, 1_000_000_000 - through * micros)
              assert.deepStrictEqual([yield* count("journal"), yield* count("audit")], [through + 1, through])
            }),
          ),
        )
      }
    })
  }

  it.effect("and a wallet that is emptier than the cap lets through what the wallet pays", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { monthlyCap: 500 }, 300)
        assert.deepStrictEqual(yield* race(who, 20, 75), { Settled: 4, Insufficient: 16 })
        assert.deepStrictEqual(yield* spent(who.agentId), [300, 300])
      }),
    ),
  )
})

describe("test keys", () => {
  it.effect("count apart at list price, pay nothing and are audited", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { monthlyCap: 500, budgetCap: 900 })
        const test = { livemode: false }
        assert.deepStrictEqual(yield* race(who, 100, 75, test), { Settled: 6, Capped: 94 })
        assert.deepStrictEqual(yield* spent(who.agentId, false), [450, 450])
        assert.deepStrictEqual(yield* spent(who.agentId), [0, 0])
        assert.deepStrictEqual(yield* race(who, 100, 75), { Settled: 6, Capped: 94 })
        const { balance } = yield* (yield* Accounts).balance(who.accountId)
        assert.strictEqual(balance, 1_000_000_000 - 450)
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT charged_micros AS micros, COUNT(*) AS n FROM audit GROUP BY 1`, [
          { micros: 0, n: 6 },
          { micros: 75, n: 6 },
        ])
        assert.deepStrictEqual(
          (yield* events).map(({ type, livemode }) => [type, livemode]),
          [
            ["agent.budget_warning", 0],
            ["agent.budget_exceeded", 0],
            ["agent.budget_warning", 1],
            ["agent.budget_exceeded", 1],
          ],
        )
      }),
    ),
  )

  it.effect("never bill: 10,000 calls, 0 micros", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", {}, 0)
        assert.deepStrictEqual(yield* race(who, 10_000, 10_000, { livemode: false }), { Settled: 10_000 })
        assert.deepStrictEqual([yield* count("journal"), yield* count("audit")], [0, 10_000])
        assert.deepStrictEqual(yield* spent(who.agentId, false), [100_000_000, 100_000_000])
      }),
    ),
  )
})

describe("the month of a call", () => {
  const boundaries: ReadonlyArray<readonly [last: string, first: string]> = [
    ["2026-11-30T23:59:59.999Z", "2026-12-01T00:00:00.000Z"],
    ["2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00.000Z"],
    ["2028-02-29T23:59:59.999Z", "2028-03-01T00:00:00.000Z"],
    ["2027-02-28T23:59:59.999Z", "2027-03-01T00:00:00.000Z"],
    ["2000-02-29T23:59:59.999Z", "2000-03-01T00:00:00.000Z"],
  ]
  for (const [last, first] of boundaries) {
    it.effect(`ends after ${last}, whatever order calls arrive in; the cap resets once`, () =>
      inMemory(
        Effect.gen(function* () {
          const who = yield* spender("bot", { monthlyCap: 200, budgetCap: 10_000 })
          const [old, next] = [{ at: Date.parse(last) }, { at: Date.parse(first) }]
          const hour = 3_600_000
          const said = yield* Effect.forEach(
            [
              old,
              next,
              // A call that took long is settled behind one of the new month.
              old,
              old,
              next,
              // The clock steps back an hour, and comes again over the line.
              { at: next.at - hour },
              { at: next.at - 1 },
              next,
              { at: next.at + hour },
            ],
            (at) => spend(who, 100, at),
          )
          assert.deepStrictEqual(
            said.map(({ _tag }) => _tag),
            ["Settled", "Settled", "Settled", "Capped", "Settled", "Capped", "Capped", "Capped", "Capped"],
          )
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(yield* sql`SELECT month, micros FROM agent_spend ORDER BY month`, [
            { month: last.slice(0, 7), micros: 200 },
            { month: first.slice(0, 7), micros: 200 },
          ])
          yield* TestClock.setTime(next.at)
          assert.deepStrictEqual(yield* spent(who.agentId), [200, 400])
          yield* TestClock.setTime(old.at)
          assert.deepStrictEqual(yield* spent(who.agentId), [200, 400])
          const all = yield* events
          assert.deepStrictEqual(
            all.map(({ type, data }) => [type, data["period"], data["resets_at"]]),
            [old, old, next, next].map(({ at }, index) => [
              `agent.budget_${index % 2 === 0 ? "warning" : "exceeded"}`,
              new Date(at).toISOString().slice(0, 7),
              at === old.at
                ? first
                : new Date(Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth() + 1, 1)).toISOString(),
            ]),
          )
        }),
      ),
    )
  }

  it.effect("does not reset a lifetime cap", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { budgetCap: 150 })
        const said = yield* Effect.forEach(["2026-11-30", "2026-12-01", "2027-01-01"], (day) =>
          spend(who, 100, { at: Date.parse(day) }),
        )
        assert.deepStrictEqual(tally(said), { Settled: 1, Capped: 2 })
      }),
    ),
  )
})

describe("the events of a cap", () => {
  it.effect("in a race of 1,000: one warning, then one exceeded, per agent and month", () =>
    inMemory(
      Effect.gen(function* () {
        const one = yield* spender("one", { monthlyCap: 500_000 })
        const two = yield* spender("two", { monthlyCap: 100_000 })
        for (const day of ["2026-11-30", "2026-12-01"]) {
          const at = { at: Date.parse(day) }
          yield* Effect.all([race(one, 1_000, 1_000, at), race(two, 1_000, 1_000, at)], { concurrency: "unbounded" })
        }
        const all = yield* events
        for (const { agentId } of [one, two]) {
          for (const period of ["2026-11", "2026-12"]) {
            const own = all.filter(({ data }) => data["agent_id"] === agentId && data["period"] === period)
            assert.deepStrictEqual(
              own.map(({ type, data }) => [type, data["percent"]]),
              [
                ["agent.budget_warning", 80],
                ["agent.budget_exceeded", 100],
              ],
            )
          }
        }
        assert.strictEqual(all.length, 8)
        assert.deepStrictEqual(
          { ...all[0], data: Object.keys(all[0]!.data) },
          {
            type: "agent.budget_warning",
            livemode: 1,
            data: ["agent_id", "agent_name", "period", "cap_micros", "spent_micros", "percent", "resets_at"],
          },
        )
      }),
    ),
  )

  const rows: ReadonlyArray<
    readonly [name: string, cap: number, charges: ReadonlyArray<number>, ReadonlyArray<string>]
  > = [
    ["below 80 %: none", 1_000, [799], []],
    ["80 % to the micro", 1_000, [799, 1], ["warning"]],
    ["80 % of a cap that five does not divide", 999, [799], []],
    ["above 80 % of it", 999, [800], ["warning"]],
    ["one charge over both lines", 1_000, [1_000], ["warning", "exceeded"]],
    ["once each", 1_000, [900, 50, 50, 1, 1], ["warning", "exceeded"]],
    ["the first refusal, below the cap", 1_000, [900, 200, 200], ["warning", "exceeded"]],
    ["the first refusal, below the warning", 1_000, [1_001, 1_001], ["exceeded"]],
    ["a price of 0 is none", 1_000, [1_000, 0], ["warning", "exceeded"]],
    ["a cap of 0 is exceeded by the first call", 0, [1, 1], ["exceeded"]],
  ]
  for (const [name, cap, charges, expected] of rows) {
    it.effect(name, () =>
      inMemory(
        Effect.gen(function* () {
          const who = yield* spender("bot", { monthlyCap: cap })
          yield* Effect.forEach(charges, (micros) => spend(who, micros))
          assert.deepStrictEqual(yield* typesOf, expected)
        }),
      ),
    )
  }

  it.effect("a refusal at the look before the work is announced too, once", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { monthlyCap: 10 })
        const { caller } = settlementOf({ ...who, requestId: "req", micros: 100, at: 0 })
        const ledger = yield* Ledger
        const look = ledger.precheck(caller, MicroUsd(100), MicroUsd(100), 0)
        const said = yield* Effect.all(
          Arr.makeBy(100, () => look),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(tally(said), { Capped: 100 })
        assert.deepStrictEqual(yield* typesOf, ["exceeded"])
      }),
    ),
  )

  it.effect("a lifetime cap has none, and hides none of the monthly cap", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { monthlyCap: 1_000, budgetCap: 500 })
        yield* Effect.forEach([500, 100, 100], (micros) => spend(who, micros))
        assert.deepStrictEqual(yield* typesOf, [])
        yield* (yield* Agents).setCaps(who.agentId, { budgetCap: null })
        yield* spend(who, 500)
        assert.deepStrictEqual(yield* typesOf, ["warning", "exceeded"])
      }),
    ),
  )

  const changes: ReadonlyArray<readonly [name: string, cap: number | null, charge: number, ReadonlyArray<string>]> = [
    ["raised far: both are due again", 10_000, 9_000, ["warning", "exceeded"]],
    ["raised a little: the warning's line is passed already", 1_100, 100, ["exceeded"]],
    ["raised, and not reached", 10_000, 1, []],
    ["set to what it was", 1_000, 1, []],
    ["lowered", 900, 1, []],
    ["lifted", null, 1_000_000, []],
  ]
  for (const [name, cap, charge, expected] of changes) {
    it.effect(`a cap that is used up is ${name}`, () =>
      inMemory(
        Effect.gen(function* () {
          const who = yield* spender("bot", { monthlyCap: 1_000 })
          yield* spend(who, 1_000)
          yield* (yield* Agents).setCaps(who.agentId, { monthlyCap: cap === null ? null : MicroUsd(cap) })
          yield* spend(who, charge)
          assert.deepStrictEqual(yield* typesOf, ["warning", "exceeded", ...expected])
        }),
      ),
    )
  }
})

describe("an answer that is kept for its Idempotency-Key", () => {
  const key = "3f0f7a3e-8a3c-4b7e-9d53-0b1c6f1f2a34"
  const remember = { key, requestHash: "hash", stored: "{}" }
  const day = 86_400_000

  it.effect("is there for 24 hours, stands for one settlement, and may be replaced after that", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", {})
        const ledger = yield* Ledger
        assert.isUndefined(yield* ledger.recall(who.keyId, key, 0))
        const at = 1_000
        const both = yield* Effect.all(
          Arr.makeBy(100, () => spend(who, 100, { at, remember })),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(tally(both), { Settled: 1, Raced: 99 })
        assert.deepStrictEqual(yield* spent(who.agentId), [100, 100])
        for (const [now, there] of [
          [at, true],
          [at + day - 1, true],
          [at + day, false],
        ] as const) {
          assert.strictEqual((yield* ledger.recall(who.keyId, key, now)) !== undefined, there, `${now}`)
        }
        assert.isUndefined(yield* ledger.recall("key_other", key, at))
        assert.strictEqual((yield* spend(who, 100, { at: at + day - 1, remember }))._tag, "Raced")
        const later = { ...remember, requestHash: "another" }
        assert.strictEqual((yield* spend(who, 100, { at: at + day, remember: later }))._tag, "Settled")
        assert.deepStrictEqual(yield* ledger.recall(who.keyId, key, at + day), later)
        assert.strictEqual(yield* count("audit"), 2)
      }),
    ),
  )

  it.effect("is kept neither for a call that was refused", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { monthlyCap: 10 })
        assert.strictEqual((yield* spend(who, 100, { remember }))._tag, "Capped")
        assert.isUndefined(yield* (yield* Ledger).recall(who.keyId, key, 0))
      }),
    ),
  )

  it.effect("is swept when its day is over, however many there are", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", {})
        const keyed = (n: number, at: number) => spend(who, 1, { at, remember: { ...remember, key: `${key}-${n}` } })
        yield* Effect.forEach(Arr.range(1, 2_500), (n) => keyed(n, n <= 2_300 ? 1_000 : 1_001), {
          concurrency: "unbounded",
        })
        assert.strictEqual(yield* sweepIdempotency(999), 0)
        assert.strictEqual(yield* sweepIdempotency(1_000), 2_300)
        assert.strictEqual(yield* count("idempotency"), 200)
      }),
    ),
  )
})

interface Operation {
  readonly agent: 0 | 1
  readonly livemode: boolean
  readonly micros: number
  readonly month: 0 | 1
  readonly cap: number | null
  readonly _tag: "Charge" | "Cap"
}

const operation: fc.Arbitrary<Operation> = fc.record({
  _tag: fc.oneof(
    { weight: 8, arbitrary: fc.constant("Charge" as const) },
    { weight: 1, arbitrary: fc.constant("Cap" as const) },
  ),
  agent: fc.constantFrom(0 as const, 1 as const),
  livemode: fc.boolean(),
  micros: fc.integer({ min: 0, max: 400 }),
  month: fc.constantFrom(0 as const, 1 as const),
  cap: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 1_500 })),
})

/** Does the operations in the store and on a few numbers, and compares. */
const agreesWithModel = (operations: ReadonlyArray<Operation>) =>
  Effect.gen(function* () {
    const opening = 2_000
    const who = yield* Effect.forEach(["one", "two"], (name) => spender(name, { budgetCap: 3_000 }, opening))
    const caps: Array<number | null> = [null, null]
    const balances = [opening, opening]
    const sums = new Map<string, number>()
    const sumOf = (...parts: ReadonlyArray<unknown>) => sums.get(parts.join()) ?? 0
    for (const { _tag, agent, livemode, micros, month, cap } of operations) {
      const own = who[agent]!
      if (_tag === "Cap") {
        yield* (yield* Agents).setCaps(own.agentId, { monthlyCap: cap === null ? null : MicroUsd(cap) })
        caps[agent] = cap
        continue
      }
      const monthly = caps[agent] ?? Number.POSITIVE_INFINITY
      const [spentMonth, spentAll] = [
        sumOf(agent, livemode, month),
        sumOf(agent, livemode, 0) + sumOf(agent, livemode, 1),
      ]
      const fits = micros === 0 || (spentMonth + micros <= monthly && spentAll + micros <= 3_000)
      const expected = !fits ? "Capped" : livemode && balances[agent]! < micros ? "Insufficient" : "Settled"
      const at = Date.UTC(2026, 10 + month, 15)
      assert.strictEqual((yield* spend(own, micros, { livemode, at }))._tag, expected)
      if (expected !== "Settled") continue
      sums.set([agent, livemode, month].join(), spentMonth + micros)
      if (livemode) balances[agent]! -= micros
    }
    const sql = yield* SqlClient.SqlClient
    for (const [agent, { accountId, agentId, keyId }] of who.entries()) {
      const { balance } = yield* (yield* Accounts).balance(accountId)
      assert.strictEqual(balance, balances[agent])
      // An agent's spend with live keys equals its keys' charges in the journal and on the audit trail.
      const [, live] = yield* spent(agentId)
      assert.strictEqual(live, sumOf(agent, true, 0) + sumOf(agent, true, 1))
      for (const charged of [
        sql<{
          n: number
        }>`SELECT coalesce(SUM(micros), 0) AS n FROM journal WHERE key_id = ${keyId} AND kind = 'charge'`,
        sql<{ n: number }>`SELECT coalesce(SUM(charged_micros), 0) AS n FROM audit WHERE agent_id = ${agentId}`,
      ]) {
        assert.strictEqual((yield* charged)[0]!.n, live)
      }
      assert.strictEqual((yield* spent(agentId, false))[1], sumOf(agent, false, 0) + sumOf(agent, false, 1))
    }
    // A lifetime cap alone emits no event.
    if (operations.every(({ _tag }) => _tag === "Charge")) assert.deepStrictEqual(yield* events, [])
  })

describe("agents, caps, wallets and the audit trail", () => {
  it("agree after any sequence of operations", { timeout: 60_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 40 }), (operations) =>
        Effect.runPromise(inMemory(agreesWithModel(operations))),
      ),
      { numRuns: Number(process.env["MODEL_RUNS"] ?? 100) },
    ),
  )
})

describe("a group commit", () => {
  it.scoped("a step that throws fails alone: its neighbours commit", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { db } = yield* Sqlite
      yield* sql`CREATE TABLE steps (n INTEGER PRIMARY KEY)`
      const insert = db.prepare("INSERT INTO steps VALUES (?)")
      const commits = yield* GroupCommit.make
      const exits = yield* Effect.all(
        Arr.makeBy(100, (n) =>
          Effect.exit(
            commits.submit(() => {
              insert.run(n)
              if (n % 10 === 3) throw new Error(`step ${n}`)
              // A constraint of the store throws as well.
              if (n % 10 === 7) insert.run(n)
              return n
            }),
          ),
        ),
        { concurrency: "unbounded" },
      )
      for (const [n, exit] of exits.entries()) {
        const bad = n % 10 === 3 || n % 10 === 7
        assert.strictEqual(Exit.isFailure(exit), bad, `${n}`)
        if (Exit.isFailure(exit)) assert.isTrue(Cause.isDie(exit.cause), "what can never work is a bug")
        else assert.strictEqual(exit.value, n)
      }
      assert.strictEqual(yield* count("steps"), 80)
      assert.isFalse(db.inTransaction)
    }).pipe(Effect.provide(accountsOver(":memory:"))),
  )

  it.scoped("what nobody waits for is written too, and what was lost of it is told", () =>
    Effect.gen(function* () {
      const { db } = yield* Sqlite
      db.exec("CREATE TABLE steps (n INTEGER PRIMARY KEY)")
      const insert = db.prepare("INSERT INTO steps VALUES (?)")
      const commits = yield* GroupCommit.make
      const lost: Array<number> = []
      for (const n of [1, 2, 2, 3])
        commits.post(
          () => void insert.run(n),
          () => void lost.push(n),
        )
      yield* commits.submit(() => undefined)
      assert.strictEqual(yield* count("steps"), 3)
      yield* Effect.promise(() => new Promise(setImmediate))
      assert.deepStrictEqual(lost, [2])
    }).pipe(Effect.provide(accountsOver(":memory:"))),
  )

  it.effect("a lone call waits for no timer: it is settled while the clock stands still", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", {})
        for (let n = 0; n < 50; n++) assert.strictEqual((yield* spend(who, 1))._tag, "Settled")
        assert.strictEqual(yield* Clock.currentTimeMillis, 0)
      }),
    ),
  )

  it.scoped("a full disk refuses what needs room and takes it again when there is some", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      yield* Effect.gen(function* () {
        const who = yield* spender("bot", {})
        const { db } = yield* Sqlite
        const pages = db.pragma("page_count", { simple: true }) as number
        db.pragma(`max_page_count = ${pages}`)
        const big = { key: "k", requestHash: "h", stored: randomBytes(100_000).toString("hex") }
        const exits = yield* Effect.all(
          Arr.makeBy(20, (n) => Effect.exit(spend(who, 10, { remember: { ...big, key: `k${n}` } }))),
          { concurrency: "unbounded" },
        )
        for (const exit of exits) {
          const failure = Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : undefined
          assert.strictEqual(failure?._tag === "Some" ? failure.value.code : undefined, "storage_unavailable")
        }
        assert.isFalse(db.inTransaction)
        assert.deepStrictEqual(yield* spent(who.agentId), [0, 0])
        db.pragma("max_page_count = 1000000")
        assert.strictEqual((yield* spend(who, 10, { remember: big }))._tag, "Settled")
        assert.deepStrictEqual(yield* spent(who.agentId), [10, 10])
        assert.strictEqual(yield* count("audit"), 1)
      }).pipe(Effect.provide(accountsOver(file)))
    }),
  )
})
