// A long run at a fixed rate over a live tape and a growing record, with all jobs, tabs of the dashboard, alerts and a webhook: memory, latency, handles and bytes per call must
// stay constant. Exits 1 if one of them does not.
//
//   SOAK_MINUTES=30 SOAK_RPS=200 npm run bench:soak

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { open } from "../adapters/store/engine/sqlite/driver.ts"
import { minute } from "../core/time.ts"
import { exchange, seedTape } from "../test/support/hostileExchange.ts"
import { asOperator, serve } from "../test/support/hostileServer.ts"
import { makeWorld } from "../test/support/hostileWorld.ts"
import { receiver } from "../test/support/receiver.ts"
import * as LiveTabs from "./liveTabs.ts"
import { progress } from "./progress.ts"
import { caller } from "./soakCalls.ts"
import { mean, median, type Slope, slopeOf, Times } from "./soakTrend.ts"
import { sqliteAt } from "./targets.ts"

const minutes = Number(process.env["SOAK_MINUTES"] ?? 30)
const rate = Number(process.env["SOAK_RPS"] ?? 200)
/** One minute, or a twelfth of a short run, so that there are enough windows. */
const windowMs = Math.min(minute, (minutes * minute) / 12)
const windows = Math.round((minutes * minute) / windowMs)
/** Warm-up: caches fill, the tape is fetched, code is compiled. */
const warmUp = Math.max(2, Math.round(windows / 5))
const warmUpCalls = 300
/** In shorter runs caches still fill: growth must be bounded, but no trend is tested. */
const conclusive = 20
const isConclusive = minutes >= conclusive
const unbounded = 10
/** With more calls in flight the server does not keep the rate. */
const mostUnderWay = 2_000

const bars = { megabytesPerMinute: 1, latency: 1.5, bytes: 0.1, handles: 10 }

const print = (text: string) => process.stdout.write(`${text}\n`)
const mb = (bytes: number): number => bytes / 1_048_576

interface Window {
  readonly minute: number
  readonly calls: number
  readonly p50: number
  readonly p99: number
  readonly heap: number
  readonly rss: number
  readonly loopP99: number
  readonly loopMax: number
  readonly fds: number
  readonly handles: number
  readonly bytesPerCall: number
}

const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "market-signals-soak-"))
const file = join(folder, "store.db")
const probe = join(folder, "probe.ndjson")
const upstream = await exchange()
const world = await makeWorld(file)
await seedTape(file)
const hook = await receiver()
const server = await serve(
  file,
  {
    WEBHOOK_ALLOW_HOSTS: hook.host,
    ...{ DATA_FRESHNESS_CRYPTO: "live", TERMS_ACCEPTED: "coinbase" },
    COINBASE_URL: upstream.url,
    RECORD_KEY_FILE: join(folder, "record.key"),
    SOAK_PROBE: probe,
    NODE_OPTIONS: `--max-semi-space-size=16 --import=${pathToFileURL(join(import.meta.dirname, "soakProbe.mjs"))}`,
  },
  "dist/services/server.js",
)
const pid = server.child.process.pid!
const { one, stop } = caller(server.url, world)

/** Beside the calls: tabs of the dashboard, and alerts on several calls whose firings a webhook takes. */
await asOperator(server, "POST accounts/fuzz/webhooks", { url: hook.url, events: ["alert.fired"] })
const watched: ReadonlyArray<object> = [
  { call: "/v1/weather/settlement?station=KNYC" },
  { call: "/v1/weather/signal?station=KMIA", threshold: 0.1 },
  { call: "/v1/markets/edge?domain=weather", threshold: 0.05, hysteresis: 0.005 },
  { call: "/v1/markets/edge?domain=crypto", threshold: 0.05, hysteresis: 0.005 },
]
for (const alert of watched) await asOperator(server, "POST accounts/fuzz/alerts", alert)
const cookies = await LiveTabs.signedIn(sqliteAt(file), server.url, "fuzz", 5)
const tabs = await LiveTabs.open(server.url, cookies)
const store = open(file, { readonly: true })

const pragma = (name: string): number => store.pragma(name, { simple: true }) as number
const storeBytes = (): number => (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")

/** Requests the server's memory figures and waits for them. */
let asked = 0
const memory = async () => {
  const lines = () => {
    try {
      return readFileSync(probe, "utf8").trimEnd().split("\n")
    } catch {
      return []
    }
  }
  asked++
  process.kill(pid, "SIGUSR2")
  for (let tries = 0; lines().length < asked && tries < 1_000; tries++) await pause(20)
  return JSON.parse(lines().at(-1)!) as Readonly<
    Record<"heapUsed" | "external" | "rss" | "handles" | "loopP99" | "loopMax", number>
  >
}

let times = new Times()
let underWay = 0
let answered = 0
let failures = 0
const kinds = new Map<string, number>()

const call = async (dueAt: number): Promise<void> => {
  underWay++
  const { kind, problem, micros } = await one()
  underWay--
  times.add(performance.now() - dueAt)
  answered += micros
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  if (problem !== undefined && ++failures <= 20) print(`! ${problem}`)
}

// Warm-up calls are not measured: the first of each kind allocates.
for (let each = 0; each < warmUpCalls; each++) await call(performance.now())
times = new Times()

const measured: Array<Window> = []
const begin = performance.now()
let sent = 0
let bytes = storeBytes()
print(
  `${minutes} minutes at ${rate}/s, windows of ${windowMs / 1_000} s, ${warmUp} of ${windows} to warm up, store in ${folder}`,
)

/** Sends every due call, whether or not the earlier ones are answered. */
const sending = setInterval(() => {
  const due = Math.floor(((performance.now() - begin) / 1_000) * rate)
  while (sent < due) {
    if (underWay >= mostUnderWay) {
      failures++
      sent++
      continue
    }
    void call(begin + (++sent / rate) * 1_000)
  }
  progress("calls sent", sent, rate * minutes * 60)
}, 5)

for (let window = 1; window <= windows; window++) {
  await pause(begin + window * windowMs - performance.now())
  const done = times
  times = new Times()
  const now = storeBytes()
  const { heapUsed, external, rss, handles, loopP99, loopMax } = await memory()
  const entry: Window = {
    minute: (window * windowMs) / minute,
    calls: done.count,
    p50: done.quantile(0.5),
    p99: done.quantile(0.99),
    heap: mb(heapUsed + external),
    rss: mb(rss),
    ...{ loopP99, loopMax, handles },
    fds: readdirSync(`/proc/${pid}/fd`).length,
    bytesPerCall: (now - bytes) / done.count,
  }
  bytes = now
  measured.push(entry)
  print(
    `${entry.minute.toFixed(1).padStart(5)} min ${entry.calls} calls, p50 ${entry.p50.toFixed(1)} p99 ${entry.p99.toFixed(1)} ms, heap ${entry.heap.toFixed(1)} rss ${entry.rss.toFixed(0)} MB, loop p99 ${loopP99.toFixed(0)} max ${loopMax.toFixed(0)} ms, ${entry.fds} fds ${handles} handles, ${entry.bytesPerCall.toFixed(0)} B/call`,
  )
}
clearInterval(sending)
while (underWay > 0) await pause(10)
stop()
const tabEvents = tabs.events()
tabs.close()
const firings = new Set(hook.received.map(({ id }) => id)).size
store.close()
const code = await server.stop()
await upstream.stop()
await hook.stop()

const books = open(file, { readonly: true })
/** The charges of callers' keys, and the rest: those of the alerts' own keys. */
const ownKeys = JSON.stringify(Object.values(world.keys).map(({ keyId }) => keyId))
const [charged, byAlerts] = ["IN", "NOT IN"].map((which) =>
  books
    .prepare(
      `SELECT coalesce(SUM(micros), 0) FROM postings WHERE kind = 'charge' AND key_id ${which} (SELECT value FROM json_each(?))`,
    )
    .pluck()
    .get(ownKeys),
)
books.close()
rmSync(folder, { recursive: true, force: true })

const warm = measured.slice(warmUp)
const third = Math.max(1, Math.floor(warm.length / 3))
const [first, last] = [warm.slice(0, third), warm.slice(-third)]
const slope = (pick: (window: Window) => number): Slope =>
  slopeOf(warm.map((each) => [each.minute, pick(each)] as const))
const thirds = (summary: (values: ReadonlyArray<number>) => number, pick: (window: Window) => number) =>
  [first, last].map((each) => summary(each.map(pick))) as [number, number]

const missed: Array<string> = []
/** @param isOpen whether the run is too short for a verdict */
const verdict = (name: string, isGood: boolean, detail: string, isOpen = false): void => {
  print(`${name.padEnd(16)} ${isGood ? "flat" : isOpen ? "unclear" : "NOT FLAT"}: ${detail}`)
  if (!isGood && !isOpen) missed.push(name)
}
const rising = (name: string, pick: (window: Window) => number): void => {
  const { slope: value, low, high } = slope(pick)
  const detail = `${value.toFixed(2)} MB/min (95 %: ${low.toFixed(2)} to ${high.toFixed(2)}), all of it below ${bars.megabytesPerMinute}`
  verdict(name, high < bars.megabytesPerMinute, detail, !isConclusive && low < unbounded)
}

print([...kinds].map(([kind, count]) => `${kind} ${count}`).join(", "))
rising("heap", ({ heap }) => heap)
rising("resident", ({ rss }) => rss)
const [p99Before, p99After] = thirds(median, ({ p99 }) => p99)
verdict(
  "latency",
  p99After <= p99Before * bars.latency,
  `p99 ${p99Before.toFixed(1)} → ${p99After.toFixed(1)} ms, first and last third, at most × ${bars.latency}`,
  !isConclusive,
)
const [bytesBefore, bytesAfter] = thirds(mean, ({ bytesPerCall }) => bytesPerCall)
verdict(
  "bytes per call",
  Math.abs(bytesAfter / bytesBefore - 1) <= bars.bytes,
  `${bytesBefore.toFixed(0)} → ${bytesAfter.toFixed(0)} B, within ${bars.bytes * 100} %`,
  !isConclusive,
)
const [openBefore, openAfter] = thirds(median, ({ fds, handles }) => Math.max(fds, handles))
verdict("handles", openAfter <= openBefore + bars.handles, `${openBefore} → ${openAfter}, at most + ${bars.handles}`)
verdict("answers", failures === 0, `${failures} of ${sent} calls failed`)
verdict("books", charged === answered, `${charged} micro-dollars charged, answers add up to ${answered}`)
verdict("alerts", firings > 0, `${firings} firings came to the webhook, ${byAlerts} micro-dollars charged for them`)
verdict("tabs", tabEvents > 0, `${tabEvents} events with values to ${cookies.length} tabs`)
verdict("end", code === 0, `exit code ${code}`)
process.exitCode = missed.length === 0 ? 0 : 1
