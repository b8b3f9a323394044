// Load test of MCP over streamable HTTP with the whole catalogue: the paid `tools/call` of the crypto signal and
// `tools/list`, in the protocol's form of 2025 (an event stream) and of 2026 (JSON), each compared with the plain HTTP call
// of the same server. Rounds alternate, because only ratios within one run are meaningful. BENCH_BEFORE, a folder with
// another build, runs too. Exits 1 if `tools/call` is below the bar.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { medians } from "./medians.ts"
import { autocannon } from "./peers.ts"
import { cpuTime, idle } from "./processes.ts"
import { progress } from "./progress.ts"
import * as Questions from "./questions.ts"
import { ofBuild, ours, stopped, type Target } from "./targets.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 2)
const place = process.env["BENCH_DIR"] ?? tmpdir()
const connections = 32
/** Calls per second. */
const bar = 2_000

interface Round {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds. */
  readonly cpuPerCall: number
}

interface Asked {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** One kind of request; each round begins its questions anew. */
interface Case {
  readonly name: string
  readonly questions: () => () => Asked
}

type Params = Readonly<Record<string, unknown>>

const post = { "content-type": "application/json", accept: "application/json, text/event-stream" }

/** A message as clients of 2025 send it, or with the envelope and headers of 2026. */
const message = (form: "2025" | "2026", method: string, params: Params, id: number): Asked => {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  }
  const { name } = params
  const modern = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": name } : {}),
  }
  return {
    method: "POST",
    path: "/mcp",
    headers: form === "2025" ? { ...post, "mcp-protocol-version": "2025-11-25" } : { ...post, ...modern },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id,
      method,
      params: form === "2025" ? params : { ...params, _meta: envelope },
    }),
  }
}

/** The tool's arguments of a question's query. */
const argumentsOf = (path: string): Params => {
  const query = new URLSearchParams(path.slice(path.indexOf("?") + 1))
  const strikes = query.get("strikes")
  return {
    asset: query.get("asset"),
    horizon_minutes: Number(query.get("horizon_minutes")),
    ...(strikes === null ? {} : { strikes: strikes.split(",").map(Number) }),
  }
}

const calls = (form: "2025" | "2026") => () => {
  const next = Questions.plain()
  let id = 0
  return () => message(form, "tools/call", { name: "crypto_signal", arguments: argumentsOf(next().path) }, ++id)
}

const lists = (form: "2025" | "2026") => () => {
  let id = 0
  return () => message(form, "tools/list", {}, ++id)
}

const http: Case = {
  name: "HTTP call",
  questions: () => {
    const next = Questions.plain()
    return () => ({ method: "GET", path: next().path })
  },
}

const cases: ReadonlyArray<Case> = [
  http,
  { name: "tools/call 2025", questions: calls("2025") },
  { name: "tools/call 2026", questions: calls("2026") },
  { name: "tools/list 2025", questions: lists("2025") },
  { name: "tools/list 2026", questions: lists("2026") },
]

/** A failed tool call has status 200: one answer of each kind is read before it is measured. */
const check = async ({ name, url, key }: Target, asked: Case): Promise<void> => {
  const { path, method, headers = {}, body } = asked.questions()()
  const request = { method, headers: { ...headers, authorization: `Bearer ${key}` } }
  const answer = await fetch(`${url}${path}`, body === undefined ? request : { ...request, body })
  const text = await answer.text()
  if (!answer.ok || /"isError":true|"error":/.test(text)) throw new Error(`${name}, ${asked.name}: ${text}`)
}

const drive = async (target: Target, asked: Case, duration: number): Promise<Round> => {
  const next = asked.questions()
  const authorization = `Bearer ${target.key}`
  const before = cpuTime(target) ?? Number.NaN
  const result = await autocannon({
    url: target.url,
    connections,
    duration,
    requests: [
      {
        setupRequest: (request) => {
          const { headers, ...question } = next()
          return { ...request, ...question, headers: { authorization, ...headers } }
        },
      },
    ],
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${asked.name}: ${result.non2xx} bad answers, ${result.errors} errors`)
  const answered = result["2xx"]
  return {
    perSecond: answered / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuPerCall: ((cpuTime(target) ?? Number.NaN) - before) / answered,
  }
}

const print = (...cells: ReadonlyArray<string>): void => {
  const line = cells.map((cell, column) => (column < 2 ? cell.padEnd(17) : cell.padStart(9)))
  process.stdout.write(`${line.join(" ")}\n`)
}

const folder = mkdtempSync(join(place, "market-signals-mcp-"))
const targets: Array<Target> = []
try {
  targets.push(await ours(folder))
  const before = process.env["BENCH_BEFORE"]
  if (before !== undefined) targets.push(await ours(folder, {}, ofBuild(before)))
  const all = targets.map(() => cases.map((): Array<Round> => []))
  for (const target of targets) {
    await idle(target)
    for (const asked of cases) {
      await check(target, asked)
      await drive(target, asked, 2)
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const [n, asked] of cases.entries()) {
      progress(asked.name, round * cases.length + n, rounds * cases.length)
      for (const [index, target] of targets.entries()) all[index]![n]!.push(await drive(target, asked, seconds))
    }
  }
  process.stdout.write(
    `\nstore in ${folder}; ${connections} connections, medians of ${rounds} alternating rounds of ${seconds} s; ms, CPU in µs\n`,
  )
  print("request", "server", "calls/s", "p50", "p99", "CPU/call", "× HTTP")
  for (const [index, { name }] of targets.entries()) {
    const found = all[index]!.map(medians)
    for (const [n, { perSecond, p50, p99, cpuPerCall }] of found.entries()) {
      const asked = cases[n]!.name
      const isMissed = name === targets[0]!.name && asked.startsWith("tools/call") && perSecond < bar
      if (isMissed) process.exitCode = 1
      const figures = [perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), cpuPerCall.toFixed(0)]
      print(asked, name, ...figures, (perSecond / found[0]!.perSecond).toFixed(2), isMissed ? `below ${bar}` : "")
    }
  }
} finally {
  await Promise.all(targets.map(stopped))
  rmSync(folder, { recursive: true, force: true })
}
