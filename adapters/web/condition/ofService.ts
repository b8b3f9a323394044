import { type BoundedCount, countText } from "../../../core/BoundedCount.ts"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import { type JobRun, runState, type State } from "../../../core/jobs/JobRuns.ts"
import { capitalize, enumeration, plural } from "../../../core/text.ts"
import type { Report } from "../../server/http/health.ts"
import { shortly } from "../view/dates.ts"
import { attention, type Condition, type Named, ok, stopped, type Tone, urgentFirst, waiting } from "./Condition.ts"

const root = "/dashboard/operator"

type Lane = NonNullable<Report["lanes"]>[number]

const unchecked = waiting("Not checked")

/**
 * A lane's data for live keys.
 *
 * @param row of the report; absent: the lane was not checked
 */
export const lane = (row: Lane | undefined, mode: Freshness, now: number): Condition => {
  if (mode !== "live") return ok("Up")
  if (row === undefined) return unchecked
  const { state, since, detail } = row
  if (state === "up") return ok("Up")
  const label = `${capitalize(state)}${since === null ? "" : ` since ${shortly(Date.parse(since), now)}`}`
  return (state === "down" ? stopped : attention)(label, detail?.replace(/\.$/, "") ?? state, {
    label: "See its feeds",
    href: `${root}/service`,
  })
}

type Feed = NonNullable<Report["feeds"]>[number]

/** What a source owes, and whether it is there. */
export const feed = ({ state, answers, next_attempt_at: next }: Feed): Condition => {
  if (state !== "complete") return attention(state === "behind" ? "late" : "refused")
  if (!answers) return attention("no answer")
  return ok(next === null ? "fetched per call" : "complete")
}

/** The last run of a job, and whether one is missing. */
export interface Run {
  readonly name: string
  readonly state: State | "never_run"
  readonly overdue: boolean
  /** How the last run ended. */
  readonly detail?: string
}

const failures: Readonly<Partial<Record<Run["state"], string>>> = {
  failed: "its last run failed",
  interrupted: "its last run was interrupted",
}

export const ofRun = (run: JobRun, now: number): Condition => {
  const state = runState(run, now)
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

const ofDisk = ({ disk }: Report): ReadonlyArray<Named> =>
  disk?.low === true
    ? [
        {
          name: "Disk",
          condition: attention("nearly full", "the store's disk is nearly full, free calls are not stored", {
            label: "See the store",
            href: `${root}/store`,
          }),
        },
      ]
    : []

/** How the service does. */
export interface Service {
  readonly tone: Tone
  /** What it comes to, in a sentence or two. */
  readonly headline: string
  readonly lanes: ReadonlyArray<Named>
  /** The store, the record and the process, as far as they are in trouble. */
  readonly others: ReadonlyArray<Named>
}

const headlineOf = (status: string, lanes: ReadonlyArray<Named>, others: ReadonlyArray<Named>): string => {
  if (status === "unavailable") return "Paid calls cannot be answered now, and are not charged."
  const numberOf = (tone: Tone) => lanes.filter(({ condition }) => condition.tone === tone).length
  const [down, delayed] = [numberOf("stopped"), numberOf("attention")]
  const verb = (count: number) => (count === 1 ? "is" : "are")
  if (down + delayed === 0) {
    if (others.length > 0)
      return `Needs attention: ${enumeration(
        others.map(({ name }) => name),
        "and",
      )}.`
    return numberOf("waiting") === 0 ? "All systems operational." : "No trouble is known."
  }
  const of = `of ${plural(lanes.length, "lane")}`
  if (down === 0) return `${delayed} ${of} ${verb(delayed)} delayed.`
  const more = delayed === 0 ? "" : `, and ${delayed} delayed`
  return `${down} ${of} ${verb(down)} down${more}. Calls for ${down === 1 ? "its" : "their"} data answer 503 and cost nothing.`
}

/**
 * What the report of readiness comes to.
 *
 * @param modes each lane's data source for live keys, by lane name
 * @param now epoch milliseconds
 */
export const service = (report: Report, modes: Readonly<Record<string, Freshness>>, now: number): Service => {
  const lanes = Object.entries(modes).map(([name, mode]) => ({
    name: capitalize(name),
    condition:
      report.status === "unavailable"
        ? unchecked
        : lane(
            report.lanes?.find((each) => each.lane === name),
            mode,
            now,
          ),
  }))
  const others = urgentFirst([
    ...ofServer(report),
    ...ofDisk(report),
    ...(report.record === undefined ? [] : [{ name: "Record", condition: record(report.record) }]),
  ])
  const [worst] = urgentFirst([...lanes, ...others])
  return {
    tone: report.status === "unavailable" ? "stopped" : (worst?.condition.tone ?? "ok"),
    headline: headlineOf(report.status, lanes, others),
    lanes,
    others,
  }
}
