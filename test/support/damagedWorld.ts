import { createHash, randomUUID } from "node:crypto"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Report } from "../../adapters/server/http/health.ts"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import { laneModes, type Settings } from "../../services/Config.ts"
import * as Readiness from "../../services/readiness.ts"
import { clockAt } from "./clock.ts"
import { type Damage, type Damageable, loginPath, loginReply } from "./damages.ts"
import { faults } from "./faults.ts"
import { liveServer, type Upstream } from "./liveServer.ts"
import type { Payload, Route, Seen } from "./replay.ts"
import type { Running } from "./running.ts"

/** Since when a source is damaged: its first attempt, or after a good one. */
export const onsets = ["first", "later"] as const
export type Onset = (typeof onsets)[number]

/** A file or an endpoint of an upstream that is damaged, and the feeds that it brings. */
export interface Source extends Damageable {
  /** In the table. */
  readonly title: string
  readonly upstream: Upstream
  /** Names in the register; empty: none, so that no report has to tell. */
  readonly feeds: ReadonlyArray<string>
  /** First those of the source; the first route that fits answers. */
  readonly path: string | RegExp
  /** Titles of sources that are damaged with it, each in its own shape. */
  readonly alongside?: ReadonlyArray<string>
  /** Names of damages after which what is left is right and may be enough: whether anything tells depends on it. */
  readonly harmless?: ReadonlyArray<string>
  /** Names of damages that nothing contradicts, and which are not tried: all sources state the same. */
  readonly unknowable?: ReadonlyArray<string>
  /** Names of damages after which nothing is late: there is a hole of before, which the job tells alone. */
  readonly holes?: ReadonlyArray<string>
  /** Names of the jobs that read it, of which one fails; default: all of the lane. */
  readonly jobs?: ReadonlyArray<string>
  readonly query?: Route["query"]
  /** Its good answer at a time; undefined: there is no such file. */
  readonly reply: (request: Seen, now: number) => Payload | undefined
}

/** A call of the lane. */
export interface Call {
  readonly path: string
  /** The figures of its results; default: all of them. */
  // biome-ignore lint/suspicious/noExplicitAny: results of any endpoint
  readonly figures?: (results: any) => unknown
  /** Whether results say that there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: results of any endpoint
  readonly isNone?: (results: any) => boolean
  /** Its figures are rows, each right by itself: fewer of them are no others. */
  readonly isList?: boolean
}

/** A lane over recorded payloads. */
export interface DamagedLane {
  readonly name: string
  readonly settings: Partial<Settings>
  readonly sources: ReadonlyArray<Source>
  /** Routes that are never damaged. */
  readonly others?: Readonly<Partial<Record<Upstream, (now: () => number) => ReadonlyArray<Route>>>>
  /** Names of the jobs that ask the sources, in their order. */
  readonly jobs: ReadonlyArray<string>
  readonly calls: ReadonlyArray<Call>
  /** Since when a source is damaged; default: its first attempt, and after a good one. */
  readonly onsets?: ReadonlyArray<Onset>
  /** Before the first attempt of a source all others are read, which is less work for each damage; default: nothing is. */
  readonly othersAreRead?: boolean
  /** The first attempt, epoch milliseconds. */
  readonly begin: number
  /** Milliseconds from an attempt to the next. */
  readonly period: number
  /** Sleepers wake so many times earlier, so that a request is given up within a second. */
  readonly times: number
}

/** The answer to a call. */
export interface Answered {
  readonly status: number
  readonly confidence: number | undefined
  readonly figures: unknown
  readonly isNone: boolean
  readonly charged: number
  /** Of another status than 200. */
  readonly refusal?: string
}

/** All that is seen at one time: the jobs of the attempt, the report after it, the answers. */
export interface Seeing {
  /** With their details. */
  readonly failedJobs: ReadonlyArray<string>
  /** Names of the feeds in the reasons of the report. */
  readonly redFeeds: ReadonlyArray<string>
  /** By the path of the call. */
  readonly answers: ReadonlyMap<string, Answered>
  /** New captures on the record: endpoint, subject, output and market. */
  readonly captures: ReadonlyArray<string>
}

/** A client that has the present bytes is told so. */
const conditional = ({ headers }: Seen, payload: Payload): Payload => {
  if ((payload.status ?? 200) !== 200) return payload
  const etag = `"${createHash("sha256").update(payload.body).digest("hex")}"`
  return headers["if-none-match"] === etag
    ? { status: 304, headers: { etag }, body: "" }
    : { ...payload, headers: { etag, ...payload.headers } }
}

/** What is done to which source at present. */
interface Present {
  source?: Source | undefined
  damage?: Damage | undefined
  seed: number
  /** Whether an answer has been damaged. */
  isDone: boolean
}

const routeOf = (source: Source, present: Present, now: () => number): Route => {
  const damage = () =>
    present.source === source || present.source?.alongside?.includes(source.title) === true ? present.damage : undefined
  return {
    path: source.path,
    ...(source.query !== undefined && { query: source.query }),
    reply: (request) => {
      const good = source.reply(request, now())
      if (good === undefined) return { status: 404, body: "" }
      const damaged = damage()?.payload?.(good, source, present.seed)
      present.isDone ||= damaged !== undefined
      return conditional(request, damaged ?? good)
    },
    fault: () => {
      const fault = damage()?.fault
      present.isDone ||= fault !== undefined
      return fault
    },
  }
}

/** The feeds that a report names as reasons. */
const redOf = ({ reasons = [] }: Report): ReadonlyArray<string> =>
  reasons.flatMap(({ reason, name }) => (reason === "feed" && name !== undefined ? [name] : []))

/** A capture as its figures, each by itself: with fewer contracts it has fewer of them. */
const captureOf = (text: string): ReadonlyArray<string> => {
  const { kind, lane, subject, body } = JSON.parse(text)
  if (kind !== "capture") return []
  const priced = body.quotes ?? []
  const outputs = Object.entries(body.output).flatMap(([name, value]) =>
    !Array.isArray(value) ? [[name, value]] : priced.length > 0 ? [] : value.map((each) => [name, each]),
  )
  const quotes = priced.map(({ quoted_at: _, ...quote }: Record<string, unknown>) => quote)
  return [...outputs, ...quotes].map((each) => JSON.stringify([lane, body.endpoint, subject, each, body.market]))
}

const captures = (from: number) =>
  Effect.gen(function* () {
    const log = yield* RecordLog
    const leaves = yield* log.range(from, yield* log.size)
    return leaves.flatMap(({ text }) => captureOf(text))
  })

const ask = async (
  server: Running,
  { path, figures = (all) => all, isNone = () => false }: Call,
): Promise<Answered> => {
  const before = await server.balance()
  const { status, json } = await server.get(path)
  const isGood = status === 200
  return {
    status,
    confidence: json?._confidence?.score,
    figures: isGood ? figures(json.results) : undefined,
    isNone: isGood && isNone(json.results),
    charged: before - (await server.balance()),
    ...(!isGood && { refusal: `${json?.error?.code}: ${json?.error?.message}` }),
  }
}

export interface DamagedWorld {
  /** From now on this is done to a source; without arguments all are well. */
  readonly damage: (source?: Source, damage?: Damage, seed?: number) => void
  /** Whether it was done to an answer: there may be nothing in it to damage so. */
  readonly isDamaged: () => boolean
  /** Sets the time, runs the jobs and asks every call; without `calls` none. */
  readonly see: (at: number, calls?: ReadonlyArray<Call>) => Promise<Seeing>
  readonly stop: () => Promise<void>
}

/** A server with a live lane over its recorded upstreams, on a store in a folder. */
export const damagedWorld = async (lane: DamagedLane, folder: string): Promise<DamagedWorld> => {
  const clock = clockAt(lane.begin, lane.times)
  // The report gives up a slow store: it waits in real time.
  const reporting = clockAt(lane.begin)
  const now = () => clock.unsafeCurrentTimeMillis()
  const present: Present = { seed: 1, isDone: false }
  const names = [...new Set([...lane.sources.map(({ upstream }) => upstream), ...Object.keys(lane.others ?? {})])]
  const routes = names.map((name) => [
    name,
    [
      ...lane.sources.filter(({ upstream }) => upstream === name).map((source) => routeOf(source, present, now)),
      ...(lane.others?.[name as Upstream]?.(now) ?? []),
      { path: loginPath, reply: loginReply },
    ],
  ])
  const changes = { ...lane.settings, sqliteFile: join(folder, "store.db") }
  // The store may be the copy of one that another server has filled.
  const { server, context, config, jobs, stop } = await liveServer(
    changes,
    Object.fromEntries(routes),
    clock,
    randomUUID(),
  )
  const ready = await server.run(
    Readiness.make(laneModes(config)).pipe(Effect.provide(context), Effect.withClock(reporting)),
  )
  return {
    damage: (source, damage, seed = 1) => {
      Object.assign(present, { source, damage, seed, isDone: false })
    },
    isDamaged: () => present.isDone,
    see: async (at, calls = lane.calls) => {
      clock.set(at)
      reporting.set(at)
      const from = await server.run(Effect.flatMap(RecordLog, ({ size }) => size))
      const failedJobs = await jobs(lane.jobs)
      const answers = new Map<string, Answered>()
      for (const call of calls) answers.set(call.path, await ask(server, call))
      // An answer that does not come is given up in the background.
      if (present.damage?.fault === faults.hang)
        await new Promise((resolve) => setTimeout(resolve, 12_000 / lane.times))
      const { report } = await server.run(Effect.withClock(ready, reporting))
      return { failedJobs, redFeeds: redOf(report), answers, captures: await server.run(captures(from)) }
    },
    stop,
  }
}
