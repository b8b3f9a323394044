import { type BoundedCount, countText } from "../../../core/BoundedCount.ts"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import { type JobRun, type State, stateOf } from "../../../core/jobs/JobRuns.ts"
import { enumeration, plural } from "../../../core/text.ts"
import type { Report } from "../../server/http/health.ts"
import {
  attention,
  type Condition,
  isUrgent,
  type Named,
  ok,
  stopped,
  type Tone,
  urgentFirst,
  waiting,
  words,
} from "./Condition.ts"
import { dayWords } from "./ofAccount.ts"

const root = "/dashboard/operator"

type Lane = NonNullable<Report["lanes"]>[number]

/** A time in words for a reader of that day, such as `19:56` or `21 Nov 19:56`; UTC. */
const timeWords = (at: number, now: number): string =>
  `${dayWords(at) === dayWords(now) ? "" : `${dayWords(at)} `}${new Date(at).toISOString().slice(11, 16)}`

/**
 * A lane's data for live keys.
 *
 * @param row of the report; absent: the lane has generated data
 */
export const lane = (row: Lane | undefined, mode: Freshness, now: number): Condition => {
  if (row === undefined) return ok(mode === "live" ? "asked on every call" : "generated")
  if (!row.stale) return ok(row.last_good_at === null ? "asked on every call" : "fresh")
  const from = row.sources === undefined || row.sources.length === 0 ? "" : ` from ${enumeration(row.sources, "or")}`
  const next = { label: "See its jobs", href: `${root}/service` }
  return row.last_good_at === null
    ? stopped("no data", `no data${from} yet`, next)
    : attention("stale", `no data${from} since ${timeWords(Date.parse(row.last_good_at), now)}`, next)
}

type Feed = NonNullable<Report["feeds"]>[number]

/** What a source owes, and whether it is there. */
export const feed = ({ state, detail, expected }: Feed): Condition => {
  if (detail !== null) return attention(state === "behind" ? "late" : "refused", detail.replace(/\.$/, ""))
  return ok(expected === null ? "asked on every call" : "complete")
}

/** The last run of a job, and whether one is missing. */
export interface Run {
  readonly name: string
  /** `never_run`, or the state of the last run. */
  readonly state: State | "never_run"
  readonly overdue: boolean
  /** How the last run ended. */
  readonly detail?: string
}

const failures: Readonly<Partial<Record<Run["state"], string>>> = {
  failed: "its last run failed",
  interrupted: "its last run was interrupted",
}

/** The state of one run. */
export const ofRun = (run: JobRun, now: number): Condition => {
  const state = stateOf(run, now)
  if (state === "ok") return ok("ok")
  return state === "running" ? waiting("running") : attention(state, failures[state])
}

export const job = ({ name, state, overdue, detail }: Run): Condition => {
  const failure = failures[state]
  if (failure === undefined && !overdue) {
    return state === "ok" ? ok("on time") : waiting(state === "running" ? "running" : "not run yet")
  }
  const label = [...(failure === undefined ? [] : [state]), ...(overdue ? ["overdue"] : [])].join(", ")
  const late = state === "never_run" ? "it has never run" : "no run has succeeded in time"
  const reason = detail === undefined || detail === "" ? "" : `: ${detail.replace(/\.$/, "")}`
  const cause = failure === undefined ? late : `${failure}${reason}`
  return attention(label, cause, { label: "See its runs", href: `${root}/service?job=${name}` })
}

const seeDeliveries = { label: "See deliveries", href: `${root}/deliveries` }

/** A delivery that is due for so long is late: the worker looks every second. */
const late = 60_000

/** The queue of deliveries, by how long the first one is due; below 0: it is not due yet. */
export const due = (ms: number): Condition =>
  ms > late
    ? attention("late", `the first one is due for ${plural(Math.floor(ms / 60_000), "minute")}`, seeDeliveries)
    : ok("on time")

/** @param count of webhooks with a pending delivery that was tried several times in vain */
export const failing = (count: number): Condition =>
  count === 0
    ? ok("delivered")
    : attention(
        "failing",
        `${plural(count, "webhook")} ${count === 1 ? "does" : "do"} not take deliveries, which are tried again`,
        seeDeliveries,
      )

/** @param failed deliveries that were given up in the last 24 hours */
export const deadLetters = (failed: BoundedCount): Condition =>
  failed.count === 0
    ? ok("delivered")
    : attention("failed deliveries", `${countText(failed)} given up in 24 hours`, seeDeliveries)

/** The record: whether it can be signed. */
export const record = ({ refused, last_checkpoint: last }: NonNullable<Report["record"]>): Condition =>
  refused === null
    ? last === null
      ? waiting("nothing signed yet")
      : ok("signed")
    : stopped("not signed", `it cannot be signed (${refused.replaceAll("_", " ")})`, {
        label: "See the record",
        href: `${root}/store`,
      })

/** The store, the clock and the process: without them nothing that costs is answered. */
const ofServer = ({ status, draining, clock, store, secrets }: Report): ReadonlyArray<Named> => {
  const down = (name: string, cause: string): Named => ({ name, condition: stopped("stopped", cause) })
  const named = [
    ...(draining === true ? [down("Server", "it is shutting down")] : []),
    ...(clock?.doubtful === true ? [down("Clock", "the store's time is not known")] : []),
    ...(store?.writable === false ? [down("Store", "it accepts no writes")] : []),
    ...(secrets === undefined || secrets.refused === null
      ? []
      : [down("Secrets", `they cannot be read (${secrets.refused.replaceAll("_", " ")})`)]),
  ]
  return named.length === 0 && status === "unavailable" ? [down("Store", "it does not answer")] : named
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const fullDisk = "the store's disk is nearly full, free calls are not stored"

/** Trouble beside which calls are answered: a disk that is nearly full, and sources that live lanes need. */
const ofSurroundings = ({ disk, sources = [], reasons = [] }: Report, now: number): ReadonlyArray<Named> => {
  const see = (page: "service" | "store") => ({ label: `See the ${page}`, href: `${root}/${page}` })
  const needed = new Set(reasons.flatMap(({ reason, name }) => (reason === "source" ? [name] : [])))
  return [
    ...(disk?.low === true ? [{ name: "Disk", condition: attention("nearly full", fullDisk, see("store")) }] : []),
    ...sources.flatMap(({ source, title, since }) => {
      if (!needed.has(source) || since === null) return []
      const cause = `no answer since ${timeWords(Date.parse(since), now)}`
      return [{ name: title, condition: attention("does not answer", cause, see("service")) }]
    }),
  ]
}

/** A check of readiness that nothing here speaks of. */
const unexplained: Named = {
  name: "Server",
  condition: attention(words.attention, "a check failed that /readyz names"),
}

/** A part of the service. */
export interface Part extends Named {
  readonly kind: "lane" | "feed" | "job" | "server"
}

/** How the service does. */
export interface Service {
  readonly condition: Condition
  /** Everything that a report speaks of. */
  readonly parts: ReadonlyArray<Part>
  /** What it comes to, in a sentence or two. */
  readonly summary: string
}

/** Jobs that a summary names; the pages list all. */
const namedJobs = 3

const summarize = (status: string, parts: ReadonlyArray<Part>): string => {
  const urgent = urgentFirst(parts)
  if (urgent.length === 0) return "All calls are answered."
  const isOf = (kind: Part["kind"]) => (part: Named) =>
    parts.some((each) => each.kind === kind && each.name === part.name)
  const jobs = urgent.filter(isOf("job"))
  const others = urgent.filter((part) => !jobs.includes(part))
  const normal = parts.filter(({ kind, condition }) => kind === "lane" && !isUrgent(condition)).length
  const more = (all: ReadonlyArray<Named>): string => (all.length > namedJobs ? `, ${all.length - namedJobs} more` : "")
  return [
    ...(status === "unavailable" ? ["Paid calls cannot be answered now, and are not charged."] : []),
    ...others.map(({ name, condition }) => `${capital(name)}: ${condition.cause}.`),
    ...(status === "unavailable" || normal === 0
      ? []
      : [urgent.some(isOf("lane")) ? "Other lanes normal." : "All lanes normal."]),
    ...(jobs.length === 0
      ? []
      : [
          `Jobs: ${jobs
            .slice(0, namedJobs)
            .map(({ name, condition }) => `${name} (${condition.label})`)
            .join(", ")}${more(jobs)}.`,
        ]),
  ].join(" ")
}

/**
 * What the report of readiness comes to.
 *
 * @param modes each lane's data source for live keys, by lane name
 * @param now epoch milliseconds
 * @param runs jobs with more than the report says of them; absent: those of the report
 */
export const service = (
  report: Report,
  modes: Readonly<Record<string, Freshness>>,
  now: number,
  runs: ReadonlyArray<Run> = report.jobs ?? [],
): Service => {
  const findLane = (name: string) => report.lanes?.find((each) => each.lane === name)
  const of = (kind: Part["kind"], all: ReadonlyArray<Named>) => all.map((each): Part => ({ ...each, kind }))
  const named = [
    ...of(
      "lane",
      Object.entries(modes).map(([name, mode]) => ({ name, condition: lane(findLane(name), mode, now) })),
    ),
    ...of(
      "feed",
      (report.feeds ?? []).map((row) => ({ name: row.title, condition: feed(row) })),
    ),
    ...of("server", [...ofServer(report), ...ofSurroundings(report, now)]),
    ...of("server", report.record === undefined ? [] : [{ name: "Record", condition: record(report.record) }]),
    ...of(
      "job",
      runs.map((run) => ({ name: run.name, condition: job(run) })),
    ),
  ]
  const isUnexplained = report.status === "degraded" && urgentFirst(named).length === 0
  const parts = isUnexplained ? [...named, { ...unexplained, kind: "server" as const }] : named
  const isBad = parts.some(({ condition }) => isUrgent(condition))
  const tone: Tone = report.status === "unavailable" ? "stopped" : isBad ? "attention" : "ok"
  return { condition: { tone, label: words[tone] }, parts, summary: summarize(report.status, parts) }
}
