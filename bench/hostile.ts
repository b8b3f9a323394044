// Runs the attacks of the security review against a server of its own on loopback, at the specification's sizes: their
// effect on a paying customer, without a key and with a free test key; and the longest task on the server's thread, by
// route and by job. `--quick` takes under 3 minutes, the full run under 12.
// Exits 1 if a bar is missed: latency above 3 × the quiet p99 for over 1 s, a task of more than 20 ms of CPU, or a request that
// costs nothing and takes the CPU of more than 40 plain paid calls and, if it is a download of many megabytes, more than 1.5
// times what a bare server takes to write as many bytes from memory.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { upstreamsNowhere } from "../test/support/hostileServer.ts"
import { type Attack, attacks } from "./hostile/attacks.ts"
import { longestAbove, p99, pay } from "./hostile/payer.ts"
import { type Piece, pieces } from "./hostile/pieces.ts"
import { server as start, type Watched, watched } from "./hostile/process.ts"
import { upstreams } from "./hostile/upstreams.ts"
import { type Keys, prepare } from "./hostile/world.ts"
import { progress } from "./progress.ts"

const isQuick = process.argv.includes("--quick")
const only = process.argv.find((each) => each.startsWith("--only="))?.slice("--only=".length)
const [quietSeconds, attackSeconds, charges, times] = isQuick ? [2, 3, 200_000, 3] : [6, 12, 2_000_000, 6]
const bars = { aboveMs: 1_000, pieceMs: 20, plainCalls: 40, bare: 1.5 }
/** Floor of the quiet p99, ms: below it, three times as long is noise. */
const leastP99 = 10

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const columns = [30, 9, 10, 10, 7, 9, 10, 10, 6] as const
const row = (cells: ReadonlyArray<string>): void =>
  say(cells.map((cell, at) => (at === 0 ? cell.padEnd(columns[0]) : cell.padStart(columns[at] ?? 0))).join(" "))
const ms = (value: number): string => value.toFixed(1)

let missed = 0

/** Runs an attack while the customer pays. */
const attacked = async (server: Watched & { readonly url: string }, keys: Keys, attack: Attack, key?: string) => {
  const arms = { url: server.url, keys: { poor: keys.poor, others: keys.others }, seconds: attackSeconds }
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "bench/hostile/attacker.ts", attack.name, JSON.stringify({ ...arms, key })],
    { stdio: ["ignore", "pipe", "inherit"] },
  )
  await server.reset()
  // The attacker takes about a second to load; the customer runs from before until after the attack.
  const [samples, said] = await Promise.all([
    pay(server.url, keys.payer, attack.payer ?? "signal", attackSeconds + 2),
    text(child.stdout),
  ])
  return { samples, said, seen: await server.read() }
}

const play = async (server: Watched & { readonly url: string }, keys: Keys, attack: Attack): Promise<void> => {
  const kind = attack.payer ?? "signal"
  const quiet = await pay(server.url, keys.payer, kind, kind === "signal" ? quietSeconds : quietSeconds + 2)
  const before = p99(quiet)
  const most = 3 * Math.max(before, leastP99)
  for (const [whose, key] of [
    ["no key", undefined],
    ["test key", keys.tests[0]],
  ] as const) {
    if (attack.needsKey === true && key === undefined) continue
    const { samples, said, seen } = await attacked(server, keys, attack, key)
    const above = longestAbove(samples, most)
    const failed = samples.filter(({ status }) => status !== 200).length
    const isMissed = above > bars.aboveMs
    if (isMissed) missed++
    row([
      `${attack.finding} ${attack.name}`,
      whose,
      ms(before),
      ms(p99(samples)),
      (p99(samples) / Math.max(before, leastP99)).toFixed(1),
      `${above.toFixed(0)} ms`,
      ms(seen.maxDelayMs),
      ms(seen.longestMs),
      `${(100 * seen.cpuShare).toFixed(0)} %`,
      `${isMissed ? "MISSED" : "ok"}${failed > 0 ? `, ${failed} of ${samples.length} paid calls failed` : ""}; ${said}`,
    ])
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

const tell = (found: ReadonlyArray<Piece>): void => {
  for (const { name, first, later, plainCalls, barePlainCalls = 0, said, isRefused = false } of found) {
    const most = Math.max(bars.plainCalls, bars.bare * barePlainCalls)
    const isMissed = later > bars.pieceMs || isRefused || (plainCalls ?? 0) > most
    if (isMissed) missed++
    say(
      `${isMissed ? "MISSED" : "ok    "} ${name.padEnd(40)} ${ms(later).padStart(8)} ${ms(first).padStart(8)} ${(plainCalls === undefined ? "" : ms(plainCalls)).padStart(8)}  ${said}${barePlainCalls === 0 ? "" : `; a bare server ${ms(barePlainCalls)}`}`,
    )
  }
}

const jobs = async (env: Readonly<Record<string, string>>): Promise<ReadonlyArray<Piece>> => {
  let output = ""
  const child = watched(["--import", "tsx", "bench/hostile/jobs.ts"], env, (said) => {
    output += said
  })
  await new Promise((resolve) => child.child.once("close", resolve))
  return output
    .trim()
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Piece] : []))
}

const folder = mkdtempSync(join(tmpdir(), "market-signals-hostile-"))
const file = join(folder, "store.db")
const fakes = await upstreams()
const environment = {
  ...upstreamsNowhere,
  DATABASE_URL: `sqlite:${file}`,
  RECORD_KEY_FILE: join(folder, "record-key"),
  ...{ DATA_FRESHNESS_MARKETS: "live", TERMS_ACCEPTED: "kalshi,polymarket" },
  DATA_FRESHNESS_WEATHER: "live",
  NWS_URL: fakes.nws,
  NFLVERSE_URL: fakes.nflverse,
}
let server: (Watched & { readonly url: string }) | undefined
try {
  const begun = performance.now()
  const keys = await prepare(file, charges)
  say(`A store of the specification's sizes, ${((performance.now() - begun) / 1_000).toFixed(0)} s.`)
  server = await start(environment)
  // Wait until the startup work is done.
  await new Promise((resolve) => setTimeout(resolve, 8_000))
  row(["attack", "as", "p99 quiet", "attacked", "ratio", "above 3 ×", "max delay", "piece CPU", "CPU", "came of it"])
  for (const [at, attack] of attacks.entries()) {
    progress(attack.name, at, attacks.length)
    if (only === undefined || only.split(",").includes(String(attack.finding))) await play(server, keys, attack)
  }
  if (only === undefined || only === "pieces") {
    say(`\nLongest task on the server's thread, ms of CPU (bar ${bars.pieceMs}): later calls, first call;`)
    say(`all CPU of a request that costs nothing, in plain paid calls (bar ${bars.plainCalls})`)
    tell(await pieces(server, keys, times))
    await server.stop()
    server = undefined
    tell(await jobs({ ...environment, DATA_FRESHNESS_FOOTBALL: "live" }))
  }
} finally {
  await server?.stop()
  fakes.stop()
  rmSync(folder, { recursive: true, force: true })
}
say(missed === 0 ? "\nAll bars are held." : `\n${missed} bars are missed.`)
if (missed > 0) process.exitCode = 1
