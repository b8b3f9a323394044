/** Pages of a contract's captures over a long table: `npm run bench:history -- --points 10000000`. */
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { layer as layerHistory } from "../adapters/lanes/markets/store/History.ts"
import { Sqlite } from "../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../adapters/store/engine/sqlite/open.ts"
import * as Lane from "../core/lanes/Lane.ts"
import { MarketHistory } from "../core/lanes/markets/ports.ts"
import { history as endpoint } from "../core/lanes/markets/settled.ts"
import { hour } from "../core/time.ts"
import { mockOpen } from "../test/support/mockLanes.ts"
import { makeFolder, removeFolder } from "../test/support/store.ts"
import { progress } from "./progress.ts"

const { values } = parseArgs({ options: { points: { type: "string", default: "1000000" } } })
const points = Number(values.points)
const timesOf = 2_000
const contracts = Math.ceil(points / timesOf)
const calls = 3_000
/** Bar of a page of 200 rows, p99, milliseconds. */
const mostP99 = 50

const begin = Date.UTC(2026, 0, 1)
const nameOf = (n: number): string => `KXHIGHNY-${String(n).padStart(6, "0")}`

const folder = makeFolder()
try {
  const once = await Effect.runPromise(mockOpen(Date.UTC(2026, 8, 10, 15)))
  const store = ManagedRuntime.make(layerHistory.pipe(Layer.provideMerge(sqlite.layer(join(folder, "store.db")))))
  const { db } = await store.runPromise(Sqlite)
  const capture = db.prepare(
    "INSERT INTO captures (id, lane, endpoint, subject, kind, at) VALUES (?, 'weather', 'weather_signal', ?, 'on_demand', ?)",
  )
  const insert = db.prepare(
    "INSERT INTO captured_contracts (venue, ticker, capture_id, at, close_time, contract) VALUES ('kalshi', ?, ?, ?, ?, ?)",
  )
  db.exec("BEGIN")
  for (let n = 0; n < timesOf; n++) capture.run(`c${n}`, "KNYC", begin + n * hour)
  const closeTime = begin + (timesOf + 1) * hour
  for (let n = 0; n < contracts; n++) {
    progress("contracts captured", n, contracts)
    const event = nameOf(Math.floor(n / 6))
    const ticker = `${event}-T${n % 6}`
    const text = JSON.stringify({ ...once[n % once.length]!, venue: "kalshi", event, ticker, closeTime })
    for (let at = 0; at < timesOf; at++) insert.run(ticker, `c${at}`, begin + at * hour, closeTime, text)
    if (n % 100 === 99) db.exec("COMMIT; BEGIN")
  }
  db.exec("COMMIT")

  const history = await store.runPromise(Effect.map(MarketHistory, (history) => Lane.method(endpoint, { history })))
  const measure = async (name: string, ask: (n: number) => Parameters<typeof history>[0]) => {
    const times: Array<number> = []
    for (let call = 0; call < calls; call++) {
      const began = performance.now()
      const { results } = await store.runPromise(history(ask(Math.floor(Math.random() * (contracts - 6)))))
      JSON.stringify(results)
      if (results.count !== 200) throw new Error(`A page has ${results.count} rows.`)
      times.push(performance.now() - began)
    }
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor(share * calls)]!
    process.stdout.write(
      `${name}, 200 of ${(contracts * timesOf).toLocaleString("en")} points: median ${at(0.5).toFixed(2)} ms, p99 ${at(0.99).toFixed(2)} ms (bar ${mostP99} ms) ${at(0.99) <= mostP99 ? "ok" : "MISSED"}\n`,
    )
  }
  const marketOf = (n: number) => `${nameOf(Math.floor(n / 6))}-T${n % 6}`
  const start = () => new Date(begin + Math.floor(Math.random() * (timesOf - 250)) * hour).toISOString()
  await measure("a contract from any time on", (n) => ({ market: marketOf(n), start: start(), limit: 200 }))
  await measure("an event", (n) => ({ event: nameOf(Math.floor(n / 6)), limit: 200 }))
  await measure("a contract after a cursor", (n) => ({
    market: marketOf(n),
    limit: 200,
    cursor: JSON.stringify(["kalshi", marketOf(n), begin + 1_000 * hour, "c1000"]),
  }))
  await store.dispose()
} finally {
  removeFolder(folder)
}
