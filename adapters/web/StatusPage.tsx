/** @jsxRuntime automatic @jsxImportSource preact */

import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ComponentChildren } from "preact"
import type { Freshness } from "../../core/endpoint/Answer.ts"
import type { Failure } from "../../core/Failure.ts"
import { count } from "../../core/text.ts"
import { day } from "../../core/time.ts"
import { statusPath } from "../describe/paths.ts"
import type { Ready, Report } from "../server/http/health.ts"
import type { Route } from "../server/http/route.ts"
import { Site } from "../server/http/Site.ts"
import * as Wire from "../server/http/wire.ts"
import { marks, type Named } from "./condition/Condition.ts"
import * as conditions from "./condition/ofService.ts"
import { pageHeaders } from "./view/assets.ts"
import { dayText, periodText, shortly, timeText } from "./view/dates.ts"
import { documentAt, types } from "./view/document.ts"
import { page } from "./view/Page.tsx"
import { List, Sample, State } from "./view/parts.tsx"
import { round } from "./view/scale.ts"

type Modes = Readonly<Record<string, Freshness>>
type Feed = NonNullable<Report["feeds"]>[number]

/** The checks of a lane on a day since 1970. */
export interface LaneDay {
  readonly lane: string
  readonly day: number
  readonly checks: number
  readonly good: number
}

const shownDays = 90
const [step, barWidth, height] = [4, 3, 24]

/** A bar a day: what is good from below, what is not above it. */
const Bar = ({ of: { day: number, checks, good }, x }: { readonly of: LaneDay; readonly x: number }) => {
  // A bad check is seen among any number of good ones.
  const bad = good === checks ? 0 : Math.max(2, round(height * (1 - good / checks)))
  return (
    <g>
      <title>{`${dayText(number * day)}: up in ${count(good)} of ${count(checks)} checks`}</title>
      {bad < height && <rect class="up" x={x} y={bad} width={barWidth} height={height - bad} />}
      {bad > 0 && <rect class="down" x={x} y={0} width={barWidth} height={bad} />}
    </g>
  )
}

/** The last days of a lane; those without checks are blank. */
export const Days = ({
  name,
  days,
  now,
}: {
  readonly name: string
  readonly days: ReadonlyArray<LaneDay>
  readonly now: number
}) => {
  const last = Math.floor(now / day)
  const shown = days.filter((each) => each.day > last - shownDays && each.day <= last)
  const sum = (of: (each: LaneDay) => number) => shown.reduce((all, each) => all + of(each), 0)
  const [checks, good, blank] = [sum((each) => each.checks), sum((each) => each.good), shownDays - shown.length]
  const share = checks === 0 ? "not checked yet" : `up in ${count(good)} of ${count(checks)} checks`
  const label = `${name}, last ${shownDays} days: ${share}${blank === 0 ? "" : `; ${blank} days without checks are blank`}.`
  return (
    <svg
      class="days"
      viewBox={`0 0 ${shownDays * step - 1} ${height + 2}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <line class="grid" x1={0} x2={shownDays * step - 1} y1={height + 1} y2={height + 1} />
      {shown.map((each) => (
        <Bar key={each.day} of={each} x={(each.day - last + shownDays - 1) * step} />
      ))}
    </svg>
  )
}

/** The name of like feeds: that of the first, and how many more. */
const groupTitle = ([first = "", ...more]: ReadonlyArray<string>): string =>
  more.length === 0 ? first : `${first} and ${more.length} more`

/** Feeds of the same kind in the same state are one row. */
const grouped = (feeds: ReadonlyArray<Feed>) =>
  Object.values(
    Arr.groupBy(feeds, ({ absence, state, answers, newest, expected }) =>
      JSON.stringify([absence, state, answers, newest, expected]),
    ),
  )

const Time = ({ at, none }: { readonly at: string | null | undefined; readonly none: string }) => (
  <span>{at == null ? none : timeText(Date.parse(at))}</span>
)

/** What the sources of a lane owe. */
const Feeds = ({
  feeds,
  name,
  isWhole,
}: {
  readonly feeds: ReadonlyArray<Feed>
  readonly name: string
  readonly isWhole: boolean
}) => (
  <List
    caption={`Expected and latest data: ${name}`}
    rows={grouped(feeds)}
    columns={[
      [
        "Feed",
        (all) => (
          <>
            {groupTitle(all.map(({ title }) => title))}
            {conditions.feed(all[0]).tone !== "ok" && (
              <>
                <br />
                <small>
                  {all[0].absence}
                  {isWhole && all[0].refusal !== null && ` Last refusal: ${all[0].refusal.reason}`}
                </small>
              </>
            )}
          </>
        ),
      ],
      ["State", ([feed]) => <State is={conditions.feed(feed)} />],
      ["Latest", ([{ newest }]) => (newest === null ? "–" : periodText(newest))],
      ["Expected", ([{ expected }]) => (expected === null ? "–" : periodText(expected))],
      isWhole && [
        "Last read",
        (all) => <Time at={all.flatMap((each) => each.last_good_at ?? []).sort()[0]} none="–" />,
      ],
      isWhole && ["Next attempt", ([{ next_attempt_at: next }]) => <Time at={next} none="with the next call" />],
    ]}
  />
)

/** A line: a name, its state, whether its data is generated or when it was last read, why it is not better, and what is folded under that. */
const Line = ({
  of: { name, condition },
  isSample = false,
  readAt,
  picture,
  folded,
}: {
  readonly of: Named
  readonly isSample?: boolean
  /** `14:00`, or with its date. */
  readonly readAt?: string | undefined
  readonly picture?: ComponentChildren
  readonly folded?: ComponentChildren
}) => {
  const { cause } = condition
  const why = cause === undefined ? undefined : `${cause.charAt(0).toUpperCase()}${cause.slice(1)}.`
  return (
    <li>
      <h2>{name}</h2>
      <p class="state">
        {readAt !== undefined && <small>read {readAt} </small>}
        <Sample isSample={isSample} /> <State is={condition} />
      </p>
      {picture}
      {folded === undefined ? (
        why !== undefined && <p>{why}</p>
      ) : (
        <details class="listing">
          <summary>{why ?? `Feeds of ${name.toLowerCase()}`}</summary>
          {folded}
        </details>
      )}
    </li>
  )
}

/**
 * What the service comes to, and a line for each lane and for what else is in trouble.
 *
 * @param days the checks of the lanes; absent: not known here
 * @param isWhole for operators, who see when feeds were read
 */
export const Service = ({
  report,
  modes,
  now,
  days,
  isWhole = false,
  children,
}: {
  readonly report: Report
  readonly modes: Modes
  readonly now: number
  readonly days?: ReadonlyArray<LaneDay> | undefined
  readonly isWhole?: boolean
  /** Under the headline. */
  readonly children?: ComponentChildren
}) => {
  const { tone, headline, lanes, others } = conditions.service(report, modes, now)
  return (
    <>
      <div class={`headline ${tone}`}>
        <p>
          <span aria-hidden="true">{marks[tone]}</span> {headline}
        </p>
        {children}
      </div>
      <ul class="lanes">
        {others.map((each) => (
          <Line key={each.name} of={each} />
        ))}
        {Object.entries(modes).map(([lane, mode], at) => {
          const named = lanes[at]!
          const { name } = named
          const feeds = report.feeds?.filter((feed) => feed.lane === lane) ?? []
          const readAt = report.lanes?.find((each) => each.lane === lane)?.last_good_at
          const ofLane = days?.filter((each) => each.lane === lane)
          return (
            <Line
              key={lane}
              of={named}
              isSample={mode !== "live"}
              readAt={readAt == null ? undefined : shortly(Date.parse(readAt), now)}
              picture={ofLane !== undefined && mode === "live" && <Days name={name} days={ofLane} now={now} />}
              folded={feeds.length > 0 ? <Feeds feeds={feeds} name={name} isWhole={isWhole} /> : undefined}
            />
          )
        })}
      </ul>
    </>
  )
}

/** The report of `/readyz` as a page to read. */
const statusPage = (report: Report, modes: Modes, days: ReadonlyArray<LaneDay> | undefined, site: Site): string => {
  const { at } = report
  return page(
    {
      title: "Status",
      description: "Which lanes are up, since when one is not, and what calls answer meanwhile.",
      path: statusPath,
    },
    site,
    <>
      <h1>Status</h1>
      <Service report={report} modes={modes} now={Date.parse(at ?? "")} days={days}>
        {typeof at === "string" && (
          <p class="soft">
            Checked <a {...(site.served("/readyz") ? { href: "/readyz" } : {})}>{timeText(Date.parse(at))}</a>
          </p>
        )}
      </Service>
    </>,
  )
}

/** A store that takes longer to say the days is left out of the page. */
const readTimeout = "2 seconds"

/**
 * The status page: for people, always 200 when it could be made; probes ask `/readyz`.
 *
 * @param modes each lane's data source for live keys, by lane name
 * @param laneDays checks of the lanes, oldest first
 */
export const make = (ready: Ready, modes: Modes, laneDays?: Effect.Effect<ReadonlyArray<LaneDay>, Failure>): Route =>
  documentAt(
    statusPath,
    "Lanes and what calls for their data answer, as a page to read",
    types.html,
    Effect.gen(function* () {
      const { report } = yield* ready
      const site = yield* Site
      // A store that is in trouble is not asked for more.
      const asked = report.at == null ? undefined : laneDays
      const days = asked && Option.getOrUndefined(yield* Effect.option(Effect.timeout(asked, readTimeout)))
      return HttpServerResponse.text(statusPage(report, modes, days, site), {
        headers: { ...Wire.common, ...pageHeaders, "cache-control": "no-store" },
        contentType: types.html,
      })
    }),
  )
