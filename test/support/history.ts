import * as SqlClient from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import * as Arr from "effect/Array"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import pg from "pg"
import { calling, listPrice, type Outcome, price } from "./calling.ts"
import { barOf } from "./longForm.ts"
import { database } from "./postgres.ts"
import { type Node, node } from "./postgresNode.ts"
import { type Spender, spender } from "./spender.ts"

/** Connections of a node: its pools', and one for cancels. */
export const mostBackends = 11

const funds = 1_000_000_000

/** Another program's connection. */
export const stranger = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: Redacted.value(url), application_name: "stranger" })
      client.on("error", () => {})
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end()),
  )

interface Books {
  readonly account: string
  readonly balance: number
  readonly spent: number
  readonly counted: number
  readonly key: number
}

/** The ids of paid calls whose callers had a 503. */
export const refusedIn = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<string> =>
  outcomes.filter(({ kind, isSettled }) => kind === "paid" && !isSettled).map(({ id }) => id)

/** How many of some calls are charged, or were. */
export const countCharged = (other: pg.Client, ids: ReadonlyArray<string>): Effect.Effect<number> =>
  Effect.promise(async () => {
    const { rows } = await other.query("SELECT count(*)::int AS n FROM postings WHERE id = ANY ($1)", [ids])
    return rows[0].n
  })

/** Charges less those given back, the wallets that differ from their journal, and what agents have spent. */
export const books = Effect.map(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ kept: number; wrong: number; spent: number }>`
    SELECT (SELECT coalesce(sum(CASE WHEN kind = 'charge' THEN 1 ELSE -1 END), 0) FROM postings WHERE debit = 'revenue' OR credit = 'revenue') AS kept,
      (SELECT count(*) FROM wallets w WHERE w.balance_micros <> (
        SELECT sum(CASE WHEN kind = 'credit' THEN micros ELSE -micros END) FROM postings j WHERE j.account_id = w.account_id)) AS wrong,
      (SELECT coalesce(sum(micros), 0) FROM agent_spend) AS spent`,
  ),
  ([row]) => row!,
)

/** In which store and callers disagree; all empty or 0: in nothing. */
const differences = (payers: ReadonlyArray<Spender>, outcomes: ReadonlyArray<Outcome>, mostUnreported: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const journal = yield* sql<{ id: string; account: string }>`
      SELECT id, account_id AS account FROM postings WHERE id LIKE 'req\\_h%' OR id LIKE 'txn\\_h%'`
    const trail = yield* sql<{ id: string; rows: number; micros: number }>`
      SELECT split_part(request_id, '-', 1) AS id, count(*) AS rows, sum(charged_micros) AS micros
      FROM audit WHERE request_id LIKE 'req\\_h%' GROUP BY 1`
    const books = yield* sql<Books>`
      SELECT w.account_id AS account, w.balance_micros AS balance,
        (SELECT coalesce(sum(s.micros), 0) FROM agents a JOIN agent_spend s ON s.agent_id = a.id
          WHERE a.account_id = w.account_id AND s.livemode = 1) AS spent,
        (SELECT coalesce(sum(s.micros), 0) FROM agents a JOIN agent_spend s ON s.agent_id = a.id
          WHERE a.account_id = w.account_id AND s.livemode = 0) AS counted,
        (SELECT coalesce(sum(s.micros), 0) FROM api_keys k JOIN key_spend s ON s.key_id = k.id
          WHERE k.account_id = w.account_id) AS key
      FROM wallets w`
    const charged = new Map(journal.filter(({ id }) => id.startsWith("req_")).map(({ id, account }) => [id, account]))
    const back = new Set(journal.filter(({ id }) => id.startsWith("txn_")).map(({ id }) => `req_${id.slice(4)}`))
    const audited = new Map(trail.map((row) => [row.id, row]))
    const byId = new Map(outcomes.map((each) => [each.id, each]))
    assert.strictEqual(byId.size, outcomes.length)
    const kept = [...charged].filter(([id]) => !back.has(id))
    const paid = outcomes.filter(({ kind }) => kind === "paid")
    const unreported = kept.filter(([id]) => !byId.has(id))
    const freeUnreported = trail.filter(({ id, micros }) => !byId.has(id) && !charged.has(id) && micros === 0)
    const wrong = payers.flatMap(({ accountId }, payer) => {
      const calls = kept.filter(([, account]) => account === accountId).length
      const free = outcomes.filter((each) => each.payer === payer && each.kind === "free" && each.isSettled).length
      const { balance, spent, counted, key } = books.find(({ account }) => account === accountId)!
      const expected = { balance: funds - calls * price, spent: calls * price, key: calls * price }
      const isRight = balance === expected.balance && spent === expected.spent && key === expected.key
      // Of a node that was killed nobody knows whether a free call was a first one.
      const most = listPrice * (free + freeUnreported.length)
      return isRight && counted >= listPrice * free && counted <= most
        ? []
        : [{ payer, balance, spent, counted, key, expected: { ...expected, free } }]
    })
    return {
      lost: paid.filter(({ id, isSettled }) => isSettled && (!charged.has(id) || back.has(id))).map(({ id }) => id),
      unanswered: refusedIn(outcomes).filter((id) => charged.has(id) && !back.has(id)),
      unreported: Math.max(0, unreported.length - mostUnreported),
      trail: [...charged.keys()].filter((id) => {
        const { rows = 0, micros = 0 } = audited.get(id) ?? {}
        return back.has(id) ? rows !== 2 || micros !== 0 : rows !== 1 || micros !== price
      }),
      wrong,
    }
  })

const none = { lost: [], unanswered: [], unreported: 0, trail: [], wrong: [] }

/**
 * Holds journal, wallets, trail, and sums of keys and agents against what callers were answered: nothing is lost, nothing is
 * charged twice, and after a minute nothing is charged whose caller had a 503.
 *
 * @param mostUnreported calls that were under way on nodes when these were killed: they may be charged
 */
export const balanced = (payers: ReadonlyArray<Spender>, outcomes: ReadonlyArray<Outcome>, mostUnreported = 0) =>
  Effect.gen(function* () {
    const until = performance.now() + 60_000
    let left = yield* differences(payers, outcomes, mostUnreported)
    while (JSON.stringify(left) !== JSON.stringify(none) && performance.now() < until) {
      yield* Effect.sleep("300 millis")
      left = yield* differences(payers, outcomes, mostUnreported)
    }
    assert.deepStrictEqual(left, none)
  })

/** Accounts with an agent and a key each. */
export const makePayers = (count: number) =>
  Effect.forEach(Arr.range(1, count), (n) => spender(`bot${n}`, {}, funds), { concurrency: 4 })

export interface During {
  readonly url: Redacted.Redacted
  readonly payers: ReadonlyArray<Spender>
  readonly outcomes: ReadonlyArray<Outcome>
  readonly nodes: ReadonlyArray<Context.Context<Node>>
  readonly other: pg.Client
  /** Waits until each payer has been served again, at most 5 s after this moment; returns how long that took. */
  readonly isBack: Effect.Effect<number>
}

/** Counts of a history, milliseconds for times. */
export const counts = (outcomes: ReadonlyArray<Outcome>) => ({
  settled: outcomes.filter(({ isSettled }) => isSettled).length,
  failed: outcomes.filter(({ isSettled }) => !isSettled).length,
  slowest: Math.max(0, ...outcomes.map(({ begun, ended }) => ended - begun)),
})

/**
 * Nodes with callers over accounts while `work` makes trouble; then the books are held against what callers were answered, and
 * the connections of the nodes against their pools.
 */
export const history = <E, R>(
  options: {
    readonly nodes?: number
    readonly payers?: number
    readonly callers?: number
    /** A server's, or that of a proxy before it. */
    readonly url?: Redacted.Redacted
    /** For connections that pass by the proxy. */
    readonly direct?: Redacted.Redacted
    /** Whether it has its machine alone: then bars of time hold as they are. */
    readonly isLongForm?: boolean
    readonly now?: () => number
    /** Before the first call. */
    readonly prepare?: (url: Redacted.Redacted) => Effect.Effect<unknown>
  },
  work: (during: During) => Effect.Effect<void, E, R>,
) =>
  Effect.gen(function* () {
    const { nodes: nodeCount = 2, payers: payerCount = 6, callers = 2, isLongForm = false, now, prepare } = options
    const url = options.url ?? (yield* database)
    const nodes = yield* Effect.forEach(Arr.range(1, nodeCount), () => node(url))
    const payers = yield* Effect.provide(makePayers(payerCount), nodes[0]!)
    if (prepare !== undefined) yield* prepare(url)
    const { direct = url } = options
    const [other, watcher] = [yield* stranger(direct), yield* stranger(direct)]
    const outcomes: Array<Outcome> = []
    let [over, backends] = [false, 0]
    const common = { callers, isOver: () => over, report: (each: Outcome) => void outcomes.push(each) }
    const all = yield* Effect.fork(
      Effect.forEach(
        nodes,
        (context, n) =>
          Effect.provide(
            calling(payers, { ...common, prefix: `n${n}x`, ...(now === undefined ? {} : { now }) }),
            context,
          ),
        { concurrency: "unbounded", discard: true },
      ),
    )
    const watching = yield* Effect.fork(
      Effect.forever(
        Effect.gen(function* () {
          const { rows } = yield* Effect.promise(() =>
            watcher.query(`SELECT count(*)::int AS n FROM pg_stat_activity
              WHERE datname = current_database() AND application_name = 'market-signals'`),
          )
          backends = Math.max(backends, rows[0].n)
          yield* Effect.sleep("100 millis")
        }),
      ),
    )
    yield* Effect.sleep("500 millis")
    const isBack = Effect.gen(function* () {
      const healed = Date.now()
      const isServed = (payer: number) =>
        outcomes.some((each) => each.payer === payer && each.isSettled && each.begun >= healed)
      while (![...payers.keys()].every(isServed)) {
        assert.isBelow(Date.now() - healed, barOf(5_000, isLongForm), "not back")
        yield* Effect.sleep("10 millis")
      }
      return Date.now() - healed
    })
    yield* work({ url, payers, outcomes, nodes, other, isBack })
    over = true
    yield* Fiber.join(all)
    yield* Fiber.interrupt(watching)
    assert.isAtMost(backends, nodes.length * mostBackends)
    yield* Effect.provide(balanced(payers, outcomes), nodes[0]!)
    yield* Effect.logInfo(JSON.stringify({ backends, ...counts(outcomes) }))
    return outcomes
  })
