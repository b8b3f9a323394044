// A long run at a fixed rate over a live tape and a growing record, with all jobs, tabs of the dashboard, alerts and a webhook: memory,
// latency, handles and bytes a call stay flat, and the books are exact. Below 20 minutes caches still fill: growth must be bounded, but
// no trend is held against its bar.
import { createServer, type RequestListener } from "node:http"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { alertVerbs } from "../../../adapters/admin/alertVerbs.ts"
import { webhookVerbs } from "../../../adapters/admin/webhookVerbs.ts"
import * as mock from "../../../adapters/lanes/crypto/mock/tape.ts"
import * as candles from "../../../adapters/lanes/crypto/store/Candles.ts"
import { open } from "../../../adapters/store/engine/sqlite/driver.ts"
import * as sqlite from "../../../adapters/store/engine/sqlite/open.ts"
import { type Asset, assets } from "../../../core/lanes/crypto/fields.ts"
import { CandleStore } from "../../../core/lanes/crypto/ports.ts"
import * as studentT from "../../../core/math/studentT.ts"
import { minute } from "../../../core/time.ts"
import { callers, makeKeys } from "../agents.ts"
import { define } from "../driver.ts"
import { idle, median, pause, quantile } from "../measure.ts"
import { collect, listen, operate, serve, signedIn, sqliteAt, stopped } from "../servers.ts"

/** Candles of an exchange that trades in every minute, newest first, as Coinbase prints them. */
const exchange: RequestListener = (request, response) => {
  const { pathname, searchParams: query } = new URL(request.url!, "http://exchange")
  const [from, until] = ["start", "end"].map((name) => Math.floor(Date.parse(query.get(name) ?? "") / minute))
  const asset: Asset = pathname.includes("ETH") ? "ETH" : "BTC"
  const to = Math.min(until!, Math.floor(Date.now() / minute)) + 1
  const isAsked = pathname.startsWith("/products/") && to > from!
  const rows = isAsked
    ? Array.from(mock.closes(asset, from!, to), (each, at) => [(from! + at) * 60, each, each, each, each, 1])
    : []
  response.setHeader("content-type", "application/json").end(JSON.stringify(rows.reverse()))
}

/** Puts a week on the tape, so that the first call finds it: the job that fetches begins with a minute. */
const seed = (file: string): Promise<void> =>
  Effect.gen(function* () {
    const store = yield* CandleStore
    const [until, kept] = [Math.floor(Date.now() / minute), 7 * 1_440]
    for (const asset of assets) {
      const tape = Array.from(mock.closes(asset, until - kept, until), (close, at) => ({
        ...{ high: close, low: close, close, volume: 1, minute: until - kept + at },
      }))
      yield* store.append(asset, "coinbase", tape)
    }
  }).pipe(Effect.provide(candles.layerStore.pipe(Layer.provide(sqlite.layer(file)))), Effect.runPromise)

/** A least-squares slope with its 95 % interval. */
const slope = (points: ReadonlyArray<readonly [x: number, y: number]>) => {
  const n = points.length
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / n
  const [mx, my] = [mean(0), mean(1)]
  const sxx = points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
  const slope = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / sxx
  if (n < 3) return { slope, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
  const residual = points.reduce((sum, [x, y]) => sum + (y - my - slope * (x - mx)) ** 2, 0)
  const error = Math.sqrt(residual / (n - 2) / sxx) * studentT.make(n - 2).quantile(0.975)
  return { slope, low: slope - error, high: slope + error }
}

/** Dashboard tabs that poll every two seconds; counts the answers with values. Calls `failed` for every other answer. */
const tabs = async (url: string, cookies: ReadonlyArray<string>, failed: (problem: string) => void) => {
  const page = await (await fetch(`${url}/dashboard`, { headers: { cookie: cookies[0]! } })).text()
  const account = /data-live-account="([^"]*)"/.exec(page)![1]!
  const tags = new Map<string, string>()
  let events = 0
  const look = async (cookie: string): Promise<void> => {
    const headers = { cookie, "if-none-match": tags.get(cookie) ?? "" }
    const answer = await fetch(`${url}/dashboard/live.json?account=${account}`, { headers })
    if (answer.status === 304) return
    const text = await answer.text()
    if (answer.status !== 200) return failed(`a tab: ${answer.status} ${text.slice(0, 160)}`)
    tags.set(cookie, answer.headers.get("etag")!)
    events++
  }
  const timer = setInterval(
    () => cookies.forEach((cookie) => void look(cookie).catch((error) => failed(`a tab: ${error}`))),
    2_000,
  )
  return { events: () => events, close: () => clearInterval(timer) }
}

const watched: ReadonlyArray<{ readonly call: string; readonly threshold?: number; readonly hysteresis?: number }> = [
  { call: "/v1/weather/settlement?station=KNYC" },
  { call: "/v1/weather/signal?station=KMIA", threshold: 0.1 },
  { call: "/v1/markets/edge?domain=weather", threshold: 0.05, hysteresis: 0.005 },
  { call: "/v1/markets/edge?domain=crypto", threshold: 0.05, hysteresis: 0.005 },
]

interface Window {
  readonly minute: number
  readonly p99: number
  readonly heap: number
  readonly rss: number
  readonly handles: number
  readonly bytes: number
}

export const load = define(
  { minutes: [30, 1], rps: [200, 20] },
  async ({ options: { minutes, rps }, folder, print, row }) => {
    const file = join(folder, "store.db")
    const database = sqliteAt(file)
    const { account, keys } = await makeKeys(database)
    await seed(file)
    const firings = new Set<unknown>()
    const receiver = createServer((request, response) => {
      firings.add(request.headers["webhook-id"])
      request.resume().once("end", () => response.end())
    })
    const hook = `127.0.0.1:${await listen(receiver)}`
    const server = await serve(
      {
        ...{ ...database, WEBHOOK_ALLOW_HOSTS: hook, TERMS_ACCEPTED: "coinbase", DATA_FRESHNESS_CRYPTO: "live" },
        COINBASE_URL: `http://127.0.0.1:${await listen(createServer(exchange))}`,
      },
      { isWatched: true },
    )
    await idle(server)
    await operate(database, ({ verb }) =>
      Effect.zipRight(
        verb(webhookVerbs.webhooksCreate, { account, url: `http://${hook}`, events: ["alert.fired"] }),
        Effect.forEach(watched, (alert) => verb(alertVerbs.alertsCreate, { account, ...alert })),
      ),
    )
    const cookies: Array<string> = []
    for (let n = 0; n < 5; n++) cookies.push(await signedIn(database, server.url, { account, name: `viewer ${n}` }))
    const { one, stop } = callers(server.url, keys)
    const store = open(file, { readonly: true })
    const pragma = (name: string): number => store.pragma(name, { simple: true }) as number
    const used = (): number => (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")

    let [times, inFlight, charged, failures, sent]: [Array<number>, number, number, number, number] = [[], 0, 0, 0, 0]
    const kinds = new Map<string, number>()
    const failed = (problem: string): void => {
      if (++failures <= 20) print(`! ${problem}`)
    }
    const views = await tabs(server.url, cookies, failed)
    const call = async (dueAt: number): Promise<void> => {
      inFlight++
      const { kind, problem, micros } = await one()
      inFlight--
      times.push(performance.now() - dueAt)
      charged += micros
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      if (problem !== undefined) failed(problem)
    }
    // The first call of each kind allocates.
    for (let each = 0; each < 300; each++) await call(performance.now())
    /** A minute, or a twelfth of a short run, so that there are enough windows. */
    const windowMs = Math.min(minute, (minutes * minute) / 12)
    const windows = Math.round((minutes * minute) / windowMs)
    const [all, begun]: [Array<Window>, number] = [[], performance.now()]
    times = []
    let bytes = used()
    // Sends every due call, whether or not the earlier ones are answered; with too many in flight it does not keep the rate.
    const sending = setInterval(() => {
      const due = Math.floor(((performance.now() - begun) / 1_000) * rps)
      while (sent < due) {
        sent++
        if (inFlight >= 2_000) failures++
        else void call(begun + (sent / rps) * 1_000)
      }
    }, 5)
    for (let window = 1; window <= windows; window++) {
      await pause(begun + window * windowMs - performance.now())
      const [done, now] = [times, used()]
      times = []
      const { heapMiB, rssMiB, handles, maxDelayMs, delayP99Ms } = await collect(server)
      const each: Window = {
        ...{ minute: (window * windowMs) / minute, p99: quantile(done, 0.99), heap: heapMiB, rss: rssMiB, handles },
        bytes: (now - bytes) / done.length,
      }
      bytes = now
      all.push(each)
      const { minute: at, ...figures } = each
      row(`minute ${at.toFixed(1)}`, { calls: done.length, ...figures, "loop p99": delayP99Ms, "loop max": maxDelayMs })
    }
    clearInterval(sending)
    while (inFlight > 0) await pause(10)
    stop()
    views.close()
    store.close()
    const code = await stopped(server)

    const books = open(file, { readonly: true })
    const ids = JSON.stringify(Object.values(keys).map(({ keyId }) => keyId))
    const [journal, byAlerts] = ["IN", "NOT IN"].map((which) =>
      books
        .prepare(
          `SELECT coalesce(SUM(micros), 0) FROM postings WHERE kind = 'charge' AND key_id ${which} (SELECT value FROM json_each(?))`,
        )
        .pluck()
        .get(ids),
    ) as [number, number]
    books.close()
    print([...kinds].map(([kind, count]) => `${kind} ${count}`).join(", "))
    // Warm-up: caches fill, the tape is fetched, code is compiled.
    const warm = all.slice(Math.max(2, Math.round(windows / 5)))
    const third = Math.max(1, Math.floor(warm.length / 3))
    const thirds = (of: (window: Window) => number) =>
      [warm.slice(0, third), warm.slice(-third)].map((part) => median(part.map(of))) as [number, number]
    const isLong = minutes >= 20
    for (const name of ["heap", "rss"] as const) {
      const trend = slope(warm.map((each) => [each.minute, each[name]]))
      row(`${name}, MiB a minute, 95 % interval`, trend, isLong ? { high: { most: 1 } } : { low: { most: 10 } })
    }
    for (const [name, bar] of [
      ["p99", 1.5],
      ["bytes", 1.1],
    ] as const) {
      const [first, last] = thirds((each) => each[name])
      row(`${name}, first and last third`, { first, last, ratio: last / first }, isLong ? { ratio: { most: bar } } : {})
    }
    const [first, last] = thirds(({ handles }) => handles)
    row("handles", { first, last, more: last - first }, { more: { most: 10 } })
    row("answers", { calls: sent, failures }, { failures: { most: 0, isExact: true } })
    row(
      "books, micros",
      { journal, answers: charged, off: Math.abs(journal - charged) },
      { off: { most: 0, isExact: true } },
    )
    row(
      "beside the calls",
      { firings: firings.size, "micros of alerts": byAlerts, "tab events": views.events() },
      {
        firings: { least: 1 },
        "tab events": { least: 1 },
      },
    )
    row("end", { "exit code": code ?? -1 }, { "exit code": { most: 0, least: 0, isExact: true } })
  },
)
