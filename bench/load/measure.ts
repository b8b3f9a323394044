import { readdirSync, readFileSync } from "node:fs"
import { type Agent, get } from "node:http"
import { createRequire } from "node:module"
import type load from "autocannon"
import type { Question } from "./questions.ts"
import type { Running } from "./servers.ts"

/** What the bench loads and compares with, which `npm run test:install` installs. */
export const peers: NodeJS.Require = createRequire(new URL("../../test/long/package.json", import.meta.url))
export const autocannon: typeof load = peers("autocannon")

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The value below which a share of the values lies. */
export const quantile = (values: Iterable<number>, share: number): number => {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
export const median = (values: Iterable<number>): number => quantile(values, 0.5)

/** The median of each figure over rounds. */
export const medians = <Round extends { readonly [K in keyof Round]: number }>(all: ReadonlyArray<Round>): Round =>
  Object.fromEntries(
    Object.keys(all[0]!).map((name) => [name, median(all.map((round) => round[name as keyof Round]))]),
  ) as Round

/** Median and tails of times. */
export const spread = (values: Iterable<number>) => {
  const all = Float64Array.from(values)
  return { p50: median(all), p95: quantile(all, 0.95), p99: quantile(all, 0.99), max: quantile(all, 1) }
}

/** A /proc file of a process; undefined if absent. */
const proc = (pid: number | string | undefined, file: string): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return undefined
  }
}

/** The fields of a process after its name: state, parent, … */
const statFields = (pid: number | string | undefined): ReadonlyArray<string> | undefined =>
  proc(pid, "stat")?.split(") ").at(-1)?.split(" ")

/** Ticks of 10 ms at some fields of a process, in microseconds. */
const ticks = (fields: ReadonlyArray<string>, ...indices: ReadonlyArray<number>): number =>
  indices.reduce((sum, index) => sum + Number(fields[index]) * 10_000, 0)

/** CPU time so far, microseconds; NaN without /proc. */
export const cpuTime = ({ child }: Running): number => ticks(statFields(child.pid) ?? [], 11, 12)

/** The same of a process and all its children, ended ones too. */
export const treeCpuTime = ({ child: { pid } }: Running): number =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(statFields)
    .reduce(
      (sum, fields) => (fields?.[1] === String(pid) ? sum + ticks(fields, 11, 12) : sum),
      ticks(statFields(pid) ?? [], 11, 12, 13, 14),
    )

/** Resident set, MiB; NaN without /proc. */
export const resident = ({ child }: Running): number =>
  Number(/VmRSS:\s+(\d+)/.exec(proc(child.pid, "status") ?? "")?.[1]) / 1_024

/** Bytes that a process has written so far, to files and sockets. */
const written = ({ child }: Running): number => Number(/^wchar: (\d+)/m.exec(proc(child.pid, "io") ?? "")?.[1])

/**
 * Waits until a server has no work of its own, such as the generated record that is settled after a start; for a minute at most, as on
 * a busy machine jobs follow one another.
 */
export const idle = async (server: Running): Promise<void> => {
  const until = performance.now() + 60_000
  for (let quiet = 0; quiet < 3 && performance.now() < until; ) {
    const start = cpuTime(server)
    await pause(500)
    quiet = cpuTime(server) - start < 50_000 ? quiet + 1 : 0
  }
}

/** A good answer's times from the question to its head and to its end, and its size; fails at any other answer. */
export const answered = (
  url: string,
  headers: Readonly<Record<string, string>> = {},
  agent?: Agent,
): Promise<{ readonly firstMs: number; readonly ms: number; readonly bytes: number }> =>
  new Promise((resolve, reject) => {
    const begun = performance.now()
    get(url, { headers, ...(agent !== undefined && { agent }) }, (response) => {
      const firstMs = performance.now() - begun
      let bytes = 0
      response.on("data", (piece: Buffer) => {
        bytes += piece.length
      })
      response.once("end", () => {
        if (response.statusCode === 200) resolve({ firstMs, ms: performance.now() - begun, bytes })
        else reject(new Error(`${url} answered ${response.statusCode}.`))
      })
    }).once("error", reject)
  })

/** The load on a server, or on several together, as callers saw it. */
export interface Load {
  readonly calls: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds a call. */
  readonly cpu: number
  /** Bytes written to files, a call: all that are written but the answers. */
  readonly bytes: number
}

export type Keyed = Question & { readonly key: string }

/** Loads servers together, each over so many connections; fails at a bad answer. */
export const drive = async (
  servers: ReadonlyArray<Running & { readonly url: string }>,
  connections: number,
  until: { readonly duration: number } | { readonly amount: number },
  next: () => Keyed,
): Promise<Load> => {
  const sum = (of: (server: Running) => number) => servers.reduce((total, server) => total + of(server), 0)
  const [cpu, bytes] = [sum(cpuTime), sum(written)]
  const results = await Promise.all(
    servers.map(({ url }) =>
      autocannon({
        ...{ url, connections, ...until },
        requests: [
          {
            setupRequest: (request) => {
              const { key, headers, ...question } = next()
              return { ...request, ...question, headers: { authorization: `Bearer ${key}`, ...headers } }
            },
          },
        ],
      }),
    ),
  )
  const bad = results.reduce((total, { non2xx, errors }) => total + non2xx + errors, 0)
  if (bad > 0) {
    const answers = results.map(({ timeouts, errors, statusCodeStats }) => ({ timeouts, errors, statusCodeStats }))
    throw new Error(`${servers.map(({ url }) => url).join()}: ${bad} calls failed: ${JSON.stringify(answers)}`)
  }
  const calls = results.reduce((total, result) => total + result["2xx"], 0)
  const answerBytes = results.reduce((total, { throughput }) => total + throughput.total, 0)
  return {
    calls,
    perSecond: results.reduce((total, result) => total + result["2xx"] / result.duration, 0),
    p50: median(results.map(({ latency }) => latency.p50)),
    p99: Math.max(...results.map(({ latency }) => latency.p99)),
    cpu: (sum(cpuTime) - cpu) / calls,
    bytes: (sum(written) - bytes - answerBytes) / calls,
  }
}

/** Calls until the compiler has seen enough of them, for so many seconds at most: a slow disk must not make the bench endless. */
export const warm = async (
  server: Running & { readonly url: string },
  seconds: number,
  next: () => Keyed,
): Promise<void> => {
  await idle(server)
  const until = performance.now() + seconds * 1_000
  for (let calls = 0; calls < 30_000 && performance.now() < until; ) {
    calls += (await drive([server], 32, { duration: Math.min(2, seconds) }, next)).calls
  }
}

/** Measures parties in rounds, back and forth, so that none is always right after another one; the rounds of each. */
export const alternate = async <Party, Round>(
  parties: ReadonlyArray<Party>,
  rounds: number,
  measure: (party: Party) => Promise<Round>,
): Promise<ReadonlyArray<ReadonlyArray<Round>>> => {
  const all: ReadonlyArray<Array<Round>> = parties.map(() => [])
  for (let round = 0; round < rounds; round++) {
    const order = [...parties.entries()]
    for (const [index, party] of round % 2 === 0 ? order : order.reverse()) {
      all[index]!.push(await measure(party))
    }
  }
  return all
}

/** Milliseconds of some works, one after another. */
export const times = async (count: number, work: (n: number) => Promise<unknown>): Promise<ReadonlyArray<number>> => {
  const all: Array<number> = []
  for (let n = 0; n < count; n++) {
    const begun = performance.now()
    await work(n)
    all.push(performance.now() - begun)
  }
  return all
}
