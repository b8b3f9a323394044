// The markets lane in a store on disk: the scoreboard's answer and the start that makes it, scores of many resamples, pages of settled
// rows, the board of open contracts with their capture and settlement, and pages of a contract's captures from a long table.
import { join } from "node:path"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as contracts from "../../../adapters/lanes/markets/store/Contracts.ts"
import { layer as layerHistory } from "../../../adapters/lanes/markets/store/History.ts"
import * as hasher from "../../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import { Sqlite } from "../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../adapters/store/engine/sqlite/open.ts"
import * as captures from "../../../adapters/store/record/Captures.ts"
import * as recordInputs from "../../../adapters/store/record/RecordInputs.ts"
import * as settled from "../../../adapters/store/record/Settled.ts"
import * as Subject from "../../../core/call/Subject.ts"
import type { Priced } from "../../../core/contracts/Contract.ts"
import * as Select from "../../../core/endpoint/Select.ts"
import { Feeds } from "../../../core/feeds/Feeds.ts"
import { pricings } from "../../../core/lanes/all.ts"
import * as Lane from "../../../core/lanes/Lane.ts"
import { Challenge } from "../../../core/lanes/markets/challenge/Challenge.ts"
import { edge as edgeEndpoint } from "../../../core/lanes/markets/edge.ts"
import { endpoints } from "../../../core/lanes/markets/endpoints.ts"
import { Markets } from "../../../core/lanes/markets/Markets.ts"
import * as overLanes from "../../../core/lanes/markets/overLanes.ts"
import * as Ports from "../../../core/lanes/markets/ports.ts"
import { capture, refresh, settle } from "../../../core/lanes/markets/rounds.ts"
import { history as historyEndpoint } from "../../../core/lanes/markets/settled.ts"
import { toInputs } from "../../../core/record/captures/RecordInputs.ts"
import * as Board from "../../../core/record/scoreboard/board.ts"
import { domains, type SettledMarket } from "../../../core/record/scoreboard/Settled.ts"
import { SettledStore } from "../../../core/record/scoreboard/SettledStore.ts"
import { boardIntervals } from "../../../core/record/scoreboard/scores.ts"
import { day, hour } from "../../../core/time.ts"
import { type Bench, define } from "../driver.ts"
import { openContracts, settledRows } from "../market.ts"
import { median, quantile, spread, times } from "../measure.ts"

interface Sizes {
  readonly settled: number
  readonly pages: string
  readonly contracts: number
  readonly captures: number
  readonly points: number
}
type Case = Bench<Sizes>

const lane = Markets.layer.pipe(
  Layer.provide([
    Feeds.layerNone,
    Challenge.layerNone,
    Ports.MarketHistory.layerNone,
    Ports.OpenContracts.layerNone,
    Ports.SignalCalls.layerNone,
  ]),
  Layer.provideMerge(Layer.mergeAll(settled.layerSettledRows, settled.layerScoreboard, settled.layerStore)),
)

/** The lane over a new store with settled rows. */
const filled = async (file: string, rows: ReadonlyArray<SettledMarket>) => {
  const store = ManagedRuntime.make(lane.pipe(Layer.provideMerge(sqlite.layer(file))))
  const chunk = 5_000
  for (let from = 0; from < rows.length; from += chunk) {
    await store.runPromise(Effect.flatMap(SettledStore, ({ append }) => append(rows.slice(from, from + chunk))))
  }
  return store
}

const scoreboard = async ({ options, folder, row }: Case): Promise<void> => {
  const few = Board.empty()
  for (const each of await settledRows(1_188)) {
    const scored = Board.headToHead(each)
    if (scored !== undefined) Board.addScored(few, scored)
  }
  const resampled = spread(await times(30, async () => boardIntervals(few)))
  row("ms of 1,188 rows with 2,000 resamples", resampled, { p50: { most: 50 } })
  const all = await settledRows(options.settled + 200)
  const store = await filled(join(folder, "scoreboard.db"), all.slice(200))
  for (const [name, mask] of [
    ["slim", Select.compile(endpoints.performance.results).slim],
    ["verbose", "all"],
  ] as const) {
    const answer = Effect.flatMap(Markets, ({ performance }) => performance({})).pipe(
      Effect.map(({ results }) => JSON.stringify(Select.apply(mask, results)).length),
    )
    const asked = await times(2_000, () => store.runPromise(answer))
    row(`ms of the scoreboard of ${options.settled} rows, ${name}`, spread(asked.slice(1)), { p99: { most: 5 } })
  }
  const start = Effect.flatMap(Ports.Scoreboard, ({ current }) => current).pipe(
    Effect.provide(Layer.fresh(settled.layerScoreboard)),
  )
  row("ms to make it at a start", spread(await times(7, () => store.runPromise(start))), { p50: { most: 1_000 } })
  const more = await times(200, (n) =>
    store.runPromise(Effect.flatMap(SettledStore, ({ append }) => append([all[n]!]))),
  )
  row("ms of one more settled, on disk", spread(more))
  await store.dispose()
}

/** Pages of 500 from all parts of a domain. */
const pages = async ({ options, folder, row }: Case): Promise<void> => {
  let first: number | undefined
  for (const count of options.pages.split(",").map(Number)) {
    const store = await filled(join(folder, `pages${count}.db`), await settledRows(count))
    const { after } = await store.runPromise(Ports.SettledRows)
    const starts: Array<Ports.Position | undefined> = [undefined]
    for (let page = 500; page === 500; ) {
      const rows = await store.runPromise(after("crypto", starts.at(-1), 500))
      page = rows.length
      if (page === 500) starts.push(rows.at(-1))
    }
    const chosen = starts.filter((_, at) => at % Math.max(1, Math.floor(starts.length / 50)) === 0)
    const asked = await times(400, (n) => store.runPromise(after("crypto", chosen[n % chosen.length], 501)))
    first ??= median(asked)
    const ratio = median(asked) / first
    row(`ms of a page of 500 of ${count} rows`, { ...spread(asked), ratio }, { ratio: { most: 1.5 } })
    await store.dispose()
  }
}

/** A venue that lists the contracts, and settles each by yes. */
const venue = (priced: ReadonlyArray<Priced>) =>
  Layer.succeed(Ports.Venues, [
    {
      ...{ name: "mock", domains },
      open: (domain) => Effect.sync(() => ({ items: priced.filter((one) => one.domain === domain), failed: [] })),
      outcomes: (tickers) =>
        Effect.sync(() => ({
          items: tickers.map((ticker) => ({ ticker, closedAt: Date.now(), result: "yes" as const })),
          failed: [],
        })),
    },
  ])

const models = Layer.succeed(Ports.PricingLanes, {
  price: (listed) =>
    Effect.sync(() => ({
      ...{ warnings: [], unknownSources: [] },
      signals: Object.entries(Arr.groupBy(listed as ReadonlyArray<Priced>, ({ subject }) => subject)).map(
        ([text, rows]) => {
          const [{ lane, quotedAt }] = rows
          const subject = Subject.parse(text)
          return {
            ...{ lane, subject, contracts: rows },
            record: {
              ...{
                lane,
                endpoint: "markets_edge",
                subject,
                modelVersion: "bench",
                at: quotedAt,
                params: { subject: text },
              },
              output: () => rows.map(({ model }) => model),
              inputs: toInputs(rows.map(({ ticker, quotedAt }) => ({ ticker, quotedAt }))),
              closeTime: Math.max(...rows.map(({ closeTime }) => closeTime)),
            },
          }
        },
      ),
    })),
})

const board = async ({ options, folder, row }: Case): Promise<void> => {
  const priced = await openContracts(options.contracts, Date.now() + day)
  const tables = Layer.mergeAll(
    captures.layer,
    contracts.layerStore,
    contracts.layerOpenContracts([]),
    settled.layerScoreboard,
    settled.layerStore,
    recordInputs.layer,
    overLanes.layerSignalCalls(pricings),
  ).pipe(Layer.provideMerge(Layer.mergeAll(sqlite.layer(join(folder, "board.db")), hasher.layer, secrets.layer)))
  const store = ManagedRuntime.make(
    Layer.mergeAll(venue(priced), models, Ports.SourceResults.layerNone, Feeds.layerNone).pipe(
      Layer.provideMerge(tables),
    ),
  )
  const begin = Math.floor(Date.now() / hour) * hour
  const taken = await times(options.captures, async (n) => {
    const { done } = await store.runPromise(capture(begin - (options.captures - n) * hour))
    if (done !== priced.length) throw new Error(`${done} contracts were captured, not ${priced.length}.`)
  })
  row(`ms to capture ${priced.length} contracts`, spread(taken), { p50: { most: 1_000 } })
  await store.runPromise(refresh)
  const ports = await store.runPromise(
    Effect.all({
      feeds: Feeds,
      contracts: Ports.OpenContracts,
      scoreboard: Ports.Scoreboard,
      calls: Ports.SignalCalls,
    }),
  )
  const asked = (open: Partial<typeof ports.contracts>) => {
    const edge = Lane.method(edgeEndpoint, { ...ports, contracts: { ...ports.contracts, ...open } })
    return times(300, async () => {
      const { results } = await store.runPromise(edge({ min_edge: 0.05 }))
      if (results.count === 0) throw new Error("The board is empty.")
    })
  }
  row(`ms of the edge board over ${priced.length} contracts`, spread((await asked({})).slice(100)), {
    p50: { most: 5 },
  })
  // Boards over contracts in memory: on those that the larger one has more, model and market agree.
  const agreed = (await openContracts(10_000, Date.now() + day)).slice(priced.length).map((one) => ({
    ...{ ...one, ticker: `${one.ticker}/agreed`, model: 500_000 },
    bidAsk: { yesBid: 4_900, yesAsk: 5_100, noAsk: 5_100 },
  }))
  const [usual, large] = [priced, [...priced, ...agreed]].map((contracts) => ({
    open: Effect.sync(() => ({ contracts, checkedAt: Date.now() })),
  }))
  const [before, after] = [(await asked(usual!)).slice(100), (await asked(large!)).slice(100)]
  const figures = { p50: median(after), p99: quantile(after, 0.99), ratio: median(after) / median(before) }
  row("ms of the edge board over 10,000 contracts", figures, { p99: { most: 20 }, ratio: { most: 1.2 } })
  const domain = priced[0]!.domain
  await store.runPromise(Effect.flatMap(Ports.ContractStore, ({ replace }) => replace("mock", domain, [], Date.now())))
  const [ms] = await times(1, () => store.runPromise(settle))
  row(`settlement of the contracts of ${domain}, with ${options.captures} captures each`, { ms: ms! })
  await store.dispose()
}

const history = async ({ options, folder, row }: Case): Promise<void> => {
  const [perContract, begin] = [2_000, Date.UTC(2026, 0, 1)]
  const count = Math.max(12, Math.ceil(options.points / perContract))
  const once = await openContracts(24, begin + (perContract + 1) * hour)
  const store = ManagedRuntime.make(layerHistory.pipe(Layer.provideMerge(sqlite.layer(join(folder, "history.db")))))
  const { db } = await store.runPromise(Sqlite)
  const insert = db.prepare(
    "INSERT INTO captured_contracts (venue, ticker, capture_id, at, close_time, contract) VALUES ('kalshi', ?, ?, ?, ?, ?)",
  )
  const event = (n: number): string => `KXHIGHNY-${String(Math.floor(n / 6)).padStart(6, "0")}`
  const market = (n: number): string => `${event(n)}-T${n % 6}`
  db.exec(`BEGIN; INSERT INTO captures (id, lane, endpoint, subject, kind, at)
    WITH RECURSIVE each(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM each WHERE i + 1 < ${perContract})
    SELECT 'c' || i, 'weather', 'weather_signal', 'KNYC', 'on_demand', ${begin} + i * ${hour} FROM each`)
  for (let n = 0; n < count; n++) {
    const one = { ...once[n % once.length]!, venue: "kalshi", event: event(n), ticker: market(n) }
    const text = JSON.stringify(one)
    for (let at = 0; at < perContract; at++) insert.run(one.ticker, `c${at}`, begin + at * hour, one.closeTime, text)
    if (n % 100 === 99) db.exec("COMMIT; BEGIN")
  }
  db.exec("COMMIT")
  const ask = await store.runPromise(
    Effect.map(Ports.MarketHistory, (history) => Lane.method(historyEndpoint, { history })),
  )
  const any = (most: number) => Math.floor(Math.random() * most)
  const start = () => new Date(begin + any(perContract - 250) * hour).toISOString()
  const cursor = (n: number) => JSON.stringify(["kalshi", market(n), begin + 1_000 * hour, "c1000"])
  for (const [name, params] of [
    ["a contract from a time on", (n: number) => ({ market: market(n), start: start() })],
    ["an event", (n: number) => ({ event: event(n) })],
    ["a contract after a cursor", (n: number) => ({ market: market(n), cursor: cursor(n) })],
  ] as const) {
    const asked = await times(3_000, async () => {
      const { results } = await store.runPromise(ask({ ...params(any(count - 6)), limit: 200 }))
      if (results.count !== 200) throw new Error(`A page has ${results.count} rows.`)
    })
    row(`ms of 200 of ${count * perContract} captures, ${name}`, spread(asked), { p99: { most: 50 } })
  }
  await store.dispose()
}

export const load = define(
  {
    settled: [65_668, 2_000],
    pages: ["10000,100000,1000000", "3000,6000"],
    ...{ contracts: [738, 100], captures: [30, 3], points: [1_000_000, 24_000] },
  },
  async (bench) => {
    for (const part of [scoreboard, pages, board, history]) await part(bench)
  },
)
