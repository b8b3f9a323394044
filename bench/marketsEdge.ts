import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as contracts from "../adapters/lanes/markets/store/Contracts.ts"
import * as hasher from "../adapters/runtime/node/hasher.ts"
import * as secrets from "../adapters/runtime/node/secrets.ts"
import * as sqlite from "../adapters/store/engine/sqlite/open.ts"
import * as captures from "../adapters/store/record/Captures.ts"
import * as recordInputs from "../adapters/store/record/RecordInputs.ts"
import * as settled from "../adapters/store/record/Settled.ts"
import * as Subject from "../core/call/Subject.ts"
import type { Priced } from "../core/contracts/Contract.ts"
import { Feeds } from "../core/feeds/Feeds.ts"
import { pricings } from "../core/lanes/all.ts"
import * as Lane from "../core/lanes/Lane.ts"
import { edge as endpoint } from "../core/lanes/markets/edge.ts"
import { capture, refresh, settle } from "../core/lanes/markets/follow.ts"
import * as overLanes from "../core/lanes/markets/overLanes.ts"
import {
  ContractStore,
  OpenContracts,
  PricingLanes,
  Scoreboard,
  SignalCalls,
  SourceResults,
  Venues,
} from "../core/lanes/markets/ports.ts"
import { storeOne } from "../core/record/captures/RecordInputs.ts"
import { unpublished } from "../core/record/scoreboard/anchorWeight.ts"
import { domains } from "../core/record/scoreboard/Settled.ts"
import { SettledStore } from "../core/record/scoreboard/SettledStore.ts"
import { day, hour, iso } from "../core/time.ts"
import { clockAt } from "../test/support/clock.ts"
import { mockOpen } from "../test/support/mockLanes.ts"
import { settledRows } from "../test/support/settledRows.ts"
import { progress } from "./progress.ts"

/** Open contracts, as many as in the product specification. */
const wanted = 738
const rounds = 30
/** Open contracts of many venues, of which as many are edges as among the above. */
const many = 10_000
/** Calls of each board, in turns. */
const calls = 1_000
/** Bars of the large board: its p99, milliseconds, and its median to that of the usual board. */
const [mostP99, mostRatio] = [20, 1.2]

const begin = Math.floor(Date.now() / hour) * hour

/** Contracts of the demonstration world, some more than once, until there are enough. */
const world = (once: ReadonlyArray<Priced>): ReadonlyArray<Priced> => {
  const closeTime = Date.now() + day
  return Array.from({ length: wanted }, (_, at) => {
    const copy = Math.floor(at / once.length)
    const one = once[at % once.length]!
    return { ...one, ticker: `${one.ticker}/${copy}`, subject: `${one.subject}/${copy}`, closeTime }
  })
}

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const started = performance.now()
    const value = yield* effect
    return [performance.now() - started, value] as const
  })

const report = (what: string, times: ReadonlyArray<number>, most: number): void => {
  const sorted = times.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)]!
  const worst = sorted.at(-1)!
  process.stdout.write(
    `${what}: median ${median.toFixed(2)} ms, worst ${worst.toFixed(2)} ms of ${times.length} (bar ${most} ms) ${median < most ? "ok" : "MISSED"}\n`,
  )
}

const priced = world(await Effect.runPromise(mockOpen(Date.now())))
const venue = Layer.succeed(Venues, [
  {
    name: "mock",
    domains,
    open: (domain) => Effect.sync(() => ({ items: priced.filter((one) => one.domain === domain), failed: [] })),
    outcomes: (tickers) =>
      Effect.sync(() => ({
        items: tickers.map((ticker) => ({ ticker, closedAt: Date.now(), result: "yes" as const })),
        failed: [],
      })),
  },
])
const models = Layer.succeed(PricingLanes, {
  price: (listed) =>
    Effect.sync(() => {
      const found = new Map<string, ReadonlyArray<Priced>>()
      for (const row of listed as ReadonlyArray<Priced>)
        found.set(row.subject, [...(found.get(row.subject) ?? []), row])
      return {
        warnings: [],
        unknownSources: [],
        signals: [...found].map(([subject, rows]) => ({
          lane: rows[0]!.lane,
          subject: Subject.parse(subject),
          record: {
            lane: rows[0]!.lane,
            endpoint: "markets_edge",
            subject: Subject.parse(subject),
            modelVersion: "bench",
            at: rows[0]!.quotedAt,
            params: { subject },
            output: () => rows.map(({ model }) => model),
            inputs: storeOne(rows.map(({ ticker, quotedAt }) => ({ ticker, quotedAt }))),
            closeTime: Math.max(...rows.map(({ closeTime }) => closeTime)),
          },
          contracts: rows,
        })),
      }
    }),
})

const folder = mkdtempSync(join(tmpdir(), "market-signals-bench-"))
const store = Layer.mergeAll(
  captures.layer,
  contracts.layerStore,
  contracts.layerOpen,
  settled.layerScoreboard,
  settled.layerStore,
  recordInputs.layer,
  overLanes.layerSignalCalls(pricings),
).pipe(Layer.provideMerge(Layer.mergeAll(sqlite.layer(join(folder, "store.db")), hasher.layer, secrets.layer)))

/** Boards over contracts in memory, asked in turns: the larger one has contracts on which model and market agree. */
const growth = Effect.gen(function* () {
  const rest = Array.from({ length: many - wanted }, (_, at): Priced => {
    const one = priced[at % priced.length]!
    const bidAsk = { yesBid: 4_900, yesAsk: 5_100, noAsk: 5_100 }
    return { ...one, ticker: `${one.ticker}/${at}`, model: 500_000, bidAsk }
  })
  const [feeds, scoreboard, signals] = [yield* Feeds, yield* Scoreboard, yield* SignalCalls]
  const boardOf = (contracts: ReadonlyArray<Priced>) => ({
    edge: Lane.method(endpoint, {
      feeds,
      contracts: {
        freshness: "live",
        tracking: Effect.succeed({ openTracked: 0, awaitingSettlement: 0 }),
        open: Effect.sync(() => ({ contracts, checkedAt: Date.now() })),
      },
      scoreboard,
      calls: signals,
    }),
    times: [] as Array<number>,
    count: 0,
  })
  const boards = [boardOf(priced), boardOf([...priced, ...rest])] as const
  for (let at = 0; at < calls + 100; at++) {
    for (const board of boards) {
      const [ms, { results }] = yield* timed(board.edge({ min_edge: 0.05 }))
      board.count = results.count
      // The first calls warm up.
      if (at >= 100) board.times.push(ms)
    }
  }
  const [usual, large] = boards
  if (usual.count !== large.count) return yield* Effect.dieMessage(`${usual.count} and ${large.count} edges.`)
  const at = ({ times }: (typeof boards)[number], share: number) =>
    times.toSorted((a, b) => a - b)[Math.floor(share * times.length)]!
  const [p99, ratio] = [at(large, 0.99), at(large, 0.5) / at(usual, 0.5)]
  process.stdout.write(
    `edge board of ${usual.count} rows over ${many} open contracts: median ${at(large, 0.5).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms (bar ${mostP99} ms); ${ratio.toFixed(2)} × that over ${wanted} (bar ${mostRatio}) ${p99 < mostP99 && ratio < mostRatio ? "ok" : "MISSED"}\n`,
  )
})

/** The first board of a UTC day, whose weights nobody has published yet, beside the boards after it, over a long record. */
const firstOfDay = Effect.gen(function* () {
  yield* (yield* SettledStore).append(settledRows(20_000, 1))
  const midnight = Math.ceil(Date.now() / day) * day
  yield* (yield* ContractStore).publish(iso(midnight - day).slice(0, 10), unpublished.weights)
  const contracts = priced.map((one) => ({ ...one, quotedAt: midnight, closeTime: midnight + day }))
  const edge = Lane.method(endpoint, {
    ...{ feeds: yield* Feeds, scoreboard: yield* Scoreboard, calls: yield* SignalCalls },
    contracts: {
      freshness: "live",
      tracking: Effect.succeed({ openTracked: 0, awaitingSettlement: 0 }),
      open: Effect.succeed({ contracts, checkedAt: midnight }),
    },
  })
  const cpuOf = (at: number) =>
    Effect.gen(function* () {
      const before = process.cpuUsage()
      yield* Effect.withClock(edge({ min_edge: 0.05 }), clockAt(at))
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    })
  for (let at = 0; at < 50; at++) yield* cpuOf(midnight - 1)
  const first = yield* cpuOf(midnight)
  const warm = (yield* Effect.replicateEffect(cpuOf(midnight + 1), 51)).toSorted((a, b) => a - b)[25]!
  const ratio = first / warm
  process.stdout.write(
    `first edge board of a UTC day over 20,000 settled rows: ${first.toFixed(2)} ms of CPU, ${ratio.toFixed(2)} × a warm one (bar 2) ${ratio <= 2 ? "ok" : "MISSED"}\n`,
  )
})

const main = Effect.gen(function* () {
  const takes: Array<number> = []
  for (let at = 0; at < rounds; at++) {
    progress("captures", at, rounds)
    const [ms, { done }] = yield* timed(capture(begin - (rounds - at) * hour))
    if (done !== wanted) return yield* Effect.dieMessage(`${done} contracts were captured, not ${wanted}.`)
    takes.push(ms)
  }
  report(`capture of ${wanted} contracts, read, priced, on the record and on disk`, takes, 1_000)

  const open = yield* OpenContracts
  const edge = Lane.method(endpoint, {
    feeds: yield* Feeds,
    contracts: open,
    scoreboard: yield* Scoreboard,
    calls: yield* SignalCalls,
  })
  yield* refresh
  const boards: Array<number> = []
  for (let at = 0; at < 10 * rounds; at++) {
    const [ms, { results }] = yield* timed(edge({ min_edge: 0.05 }))
    if (results.count === 0) return yield* Effect.dieMessage("The board is empty.")
    boards.push(ms)
  }
  report(`edge board over ${wanted} open contracts`, boards, 5)

  yield* growth
  yield* firstOfDay

  yield* (yield* ContractStore).replace("mock", "weather", [], Date.now())
  const due = priced.filter(({ domain }) => domain === "weather").length
  const [ms, { done }] = yield* timed(settle)
  if (done !== due) return yield* Effect.dieMessage(`${done} contracts were settled, not ${due}.`)
  process.stdout.write(`settlement of ${due} contracts, each with ${rounds} captures: ${ms.toFixed(1)} ms\n`)
}).pipe(
  Effect.provide(
    Layer.mergeAll(venue, models, SourceResults.layerNone, Feeds.layerNone).pipe(Layer.provideMerge(store)),
  ),
)

try {
  await Effect.runPromise(main)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
