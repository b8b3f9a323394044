import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { modules } from "../adapters/lanes/all.ts"
import { type Any, type Mode, termsNotAccepted } from "../adapters/lanes/LaneModule.ts"
import { type Source, Sources } from "../adapters/runtime/upstream/breaker.ts"
import type { Report } from "../adapters/server/http/health.ts"
import { recordCheck } from "../adapters/store/upkeep/laneDays.ts"
import { type FeedStatus, isBehind } from "../core/feeds/Due.ts"
import { Feeds } from "../core/feeds/Feeds.ts"
import { makeJob } from "../core/jobs/Job.ts"
import { every } from "../core/jobs/schedule.ts"
import { enumeration, plural } from "../core/text.ts"
import { iso } from "../core/time.ts"

type LaneRow = NonNullable<Report["lanes"]>[number]

/** Null if unknown. */
export const isoOrNull = (at: number | undefined): string | null => (at === undefined ? null : iso(at))

/** Since when a source has not given a usable answer; undefined if it does, as far as is known. */
export const silentSince = ({ outage, failingSince }: Source): number | undefined => failingSince() ?? outage()?.since

/** Whether one of a feed's sources answers, or none has been asked yet. */
export const hasAnswer = ({ upstreams }: FeedStatus, sources: ReadonlyArray<Source>): boolean => {
  const silent = sources.filter((source) => silentSince(source) !== undefined).map(({ name }) => name)
  return upstreams.length === 0 || !upstreams.every((name) => silent.includes(name))
}

/** True if no source of a lane is read, because the operator has not accepted their terms. */
export const isUnread = ({ upstreams }: Any, unaccepted: ReadonlyArray<string>): boolean => {
  const names = Object.keys(upstreams)
  return names.length > 0 && names.every((name) => unaccepted.includes(name))
}

/** The public hosts of sources. A configured address may be a mirror of the operator and is not shown. */
const listHosts = ({ upstreams }: Any, names: Iterable<string>): ReadonlyArray<string> =>
  [...names].flatMap((name) => {
    const url = upstreams[name]?.url
    return url === undefined || url === "" ? [] : [new URL(url).host]
  })

const noAnswer = (hosts: ReadonlyArray<string>, isSilent: boolean): string =>
  `No ${isSilent ? "" : "usable "}answer from ${hosts.length > 2 ? `${hosts[0]} and ${hosts.length - 1} others` : enumeration(hosts, "or")}.`

/** A sentence about feeds that are late or unusable. */
const lateness = (feeds: ReadonlyArray<FeedStatus>): string => {
  const more = feeds.length === 1 ? "" : ` and ${plural(feeds.length - 1, "other feed")}`
  return `${feeds[0]!.feed.title}${more} ${feeds.some(isBehind) ? "are late" : "came unusable"}.`
}

/** Since when attempts to read a feed have failed, as far as is known. */
const failingSince = ({ goodAt, refusal }: FeedStatus): ReadonlyArray<number> =>
  goodAt !== undefined && refusal !== undefined && refusal.at > goodAt ? [goodAt] : []

/** The state of a lane for its callers: `down` without any of its sources, `delayed` while some data is missing. */
const laneState = (
  module: Any,
  feeds: ReadonlyArray<FeedStatus>,
  sources: ReadonlyArray<Source>,
  unaccepted: ReadonlyArray<string>,
): Pick<LaneRow, "state" | "since" | "detail"> => {
  if (isUnread(module, unaccepted)) {
    return { state: "down", since: null, detail: termsNotAccepted(...Object.values(module.upstreams)).message }
  }
  const laneSources = sources.filter(({ name }) => name in module.upstreams)
  const silent = laneSources.filter((source) => silentSince(source) !== undefined)
  const times = silent.map((source) => silentSince(source)!)
  const bad = feeds.filter((feed) => feed.state !== "complete" || !hasAnswer(feed, laneSources))
  const silence =
    silent.length === 0
      ? []
      : [
          noAnswer(
            listHosts(
              module,
              silent.map(({ name }) => name),
            ),
            silent.every(({ outage }) => outage() !== undefined),
          ),
        ]
  if (silent.length > 0 && silent.length === laneSources.length) {
    return { state: "down", since: isoOrNull(Math.max(...times)), detail: silence[0]! }
  }
  if (silent.length === 0 && bad.length === 0) return { state: "up", since: null, detail: null }
  const since = [...times, ...bad.flatMap(failingSince)]
  return {
    state: "delayed",
    since: isoOrNull(since.length === 0 ? undefined : Math.min(...since)),
    detail: [
      ...(silent.length === 0 ? [lateness(bad)] : silence),
      ...bad.slice(0, 1).map(({ feed }) => feed.absence),
    ].join(" "),
  }
}

/** A lane is as old as its least recently read feed. Lanes without feeds query their source on every call. */
export const reportLane = (
  module: Any,
  all: ReadonlyArray<FeedStatus>,
  sources: ReadonlyArray<Source>,
  now: number,
  unaccepted: ReadonlyArray<string>,
): LaneRow => {
  const lane = module.definition.lane.name
  const feeds = all.filter((feed) => feed.lane === lane)
  const stored = feeds.filter(({ nextAttemptAt }) => nextAttemptAt !== undefined)
  const times = stored.map(({ goodAt }) => goodAt ?? Number.NaN)
  const oldest = times.length === 0 || times.some(Number.isNaN) ? undefined : Math.min(...times)
  return {
    lane,
    ...laneState(module, feeds, sources, unaccepted),
    last_good_at: isoOrNull(oldest),
    age_seconds: oldest === undefined ? null : Math.max(0, Math.round((now - oldest) / 1_000)),
    stale: feeds.some(isBehind),
    sources: listHosts(
      module,
      feeds.length === 0 ? Object.keys(module.upstreams) : new Set(feeds.flatMap(({ upstreams }) => upstreams)),
    ),
    terms_not_accepted: Object.keys(module.upstreams).filter((name) => unaccepted.includes(name)),
  }
}

/** Those of the modules that serve live data. */
export const liveModules = (modes: Readonly<Record<string, Mode>>, lanes: ReadonlyArray<Any> = modules) =>
  lanes.filter(({ definition }) => modes[definition.lane.name] === "live")

/** Checks the live lanes for the days on the status page. */
export const laneChecks = (modes: Readonly<Record<string, Mode>>, unaccepted: ReadonlyArray<string>) => {
  const live = liveModules(modes)
  const job = makeJob({
    name: "lane-checks",
    description: "Count for the status page whether each live lane is up.",
    schedule: every(5, 45),
    catchUp: "none",
    run: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const feeds = yield* (yield* Feeds).all
      const sources = (yield* Sources).all()
      const rows = live.map((module) => reportLane(module, feeds, sources, now, unaccepted))
      yield* recordCheck(
        rows.map(({ lane, state }) => ({ lane, isGood: state === "up" })),
        now,
      )
      return `${rows.filter(({ state }) => state === "up").length} of ${plural(rows.length, "lane")} up`
    }),
  })
  return live.length === 0 ? Effect.succeed([]) : Effect.map(job, (one) => [one])
}
