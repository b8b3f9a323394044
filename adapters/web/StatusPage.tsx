/** @jsxRuntime automatic @jsxImportSource preact */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ComponentChildren } from "preact"
import type { Freshness } from "../../core/endpoint/Answer.ts"
import type { Failure } from "../../core/Failure.ts"
import { capitalize, count, plural } from "../../core/text.ts"
import { day } from "../../core/time.ts"
import { statusPath } from "../describe/paths.ts"
import type { Ready, Report } from "../server/http/health.ts"
import type { Route } from "../server/http/route.ts"
import { Site } from "../server/http/Site.ts"
import * as Wire from "../server/http/wire.ts"
import { marks, type Named } from "./condition/Condition.ts"
import * as conditions from "./condition/ofService.ts"
import { pageHeaders } from "./view/assets.ts"
import { ageOf, dayText, periodText, timeText } from "./view/dates.ts"
import { documentAt, types } from "./view/document.ts"
import { page } from "./view/Page.tsx"
import { List, State } from "./view/parts.tsx"
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

/** A day's bar: good checks from the bottom, failed ones above them. */
const Bar = ({ of: { day: number, checks, good }, x }: { readonly of: LaneDay; readonly x: number }) => {
  // At least two units, so that one failed check stays visible.
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
  const label = `${name}, last ${shownDays} days: ${share}${blank === 0 || checks === 0 ? "" : `; ${plural(blank, "day")} without checks ${blank === 1 ? "is" : "are"} blank`}.`
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

/** The title of a group of feeds: the first one, and how many more. */
const groupTitle = ([first = "", ...more]: ReadonlyArray<string>): string =>
  more.length === 0 ? first : `${first} and ${more.length} more`

/** Feeds of equal state, periods and consequences share a row. */
const grouped = (feeds: ReadonlyArray<Feed>) =>
  Object.values(
    Arr.groupBy(feeds, ({ absence, state, answers, newest, expected }) =>
      JSON.stringify([absence, state, answers, newest, expected]),
    ),
  )

const Time = ({ at, none }: { readonly at: string | null | undefined; readonly none: string }) => (
  <span>{at == null ? none : timeText(Date.parse(at))}</span>
)

/** The data that a lane's sources are due to deliver. */
const Feeds = ({
  feeds,
  name,
  isOperatorView,
}: {
  readonly feeds: ReadonlyArray<Feed>
  readonly name: string
  readonly isOperatorView: boolean
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
                  {isOperatorView && all[0].refusal !== null && ` Last refusal: ${all[0].refusal.reason}`}
                </small>
              </>
            )}
          </>
        ),
      ],
      ["State", ([feed]) => <State is={conditions.feed(feed)} />],
      ["Latest", ([{ newest }]) => (newest === null ? "–" : periodText(newest))],
      ["Expected", ([{ expected }]) => (expected === null ? "–" : periodText(expected))],
      isOperatorView && [
        "Last read",
        (all) => <Time at={all.flatMap((each) => each.last_good_at ?? []).sort()[0]} none="–" />,
      ],
      isOperatorView && ["Next attempt", ([{ next_attempt_at: next }]) => <Time at={next} none="with the next call" />],
    ]}
  />
)

/** A row: name, how old its data are, its last days, state, the cause of trouble, and details to unfold. */
const Line = ({
  of: { name, condition },
  age,
  picture,
  details,
}: {
  readonly of: Named
  readonly age?: string | undefined
  readonly picture?: ComponentChildren
  readonly details?: ComponentChildren
}) => {
  const { cause } = condition
  const why = cause === undefined ? undefined : `${capitalize(cause)}.`
  return (
    <li>
      <h2>{name}</h2>
      <p class="state">
        {age !== undefined && <small>{age} </small>}
        <State is={condition} />
      </p>
      {picture}
      {details === undefined ? (
        why !== undefined && <p>{why}</p>
      ) : (
        <details class="listing">
          <summary>{why ?? `Feeds of ${name.toLowerCase()}`}</summary>
          {details}
        </details>
      )}
    </li>
  )
}

/** How old the data of a lane are; undefined: each call asks its source, or nothing has come yet. */
const ageText = (readAt: string | null | undefined, now: number): string | undefined =>
  readAt == null ? undefined : `data read ${ageOf(Date.parse(readAt), now) ?? timeText(Date.parse(readAt))}`

/** The newest days on which checks found a lane down or delayed. */
const Incidents = ({ days, now }: { readonly days: ReadonlyArray<LaneDay>; readonly now: number }) => {
  const watched = days.filter((each) => each.day > Math.floor(now / day) - shownDays)
  if (watched[0] === undefined) return null
  const bad = watched.filter(({ checks, good }) => good < checks).reverse()
  const words = ({ lane, checks, good }: LaneDay) =>
    `${capitalize(lane)} not up in ${count(checks - good)} of ${count(checks)} checks`
  return (
    <section>
      <h2>Incidents</h2>
      <p class="soft">Checked every 5 minutes since {dayText(watched[0].day * day)}.</p>
      {bad.length === 0 && <p>None in the last {shownDays} days.</p>}
      <ul class="calls">
        {Object.entries(Arr.groupBy(bad, (each) => dayText(each.day * day)))
          .slice(0, 14)
          .map(([name, lanes]) => (
            <li key={name}>
              <strong>{name}</strong> {lanes.map(words).join(", ")}
            </li>
          ))}
      </ul>
    </section>
  )
}

/**
 * The headline, then a row for each other part in trouble and for each lane.
 *
 * @param days the checks of the lanes; absent: no history, and no bars
 * @param isOperatorView adds the last reading, next attempt and last refusal of each feed
 */
export const Service = ({
  report,
  modes,
  now,
  days,
  isOperatorView = false,
  children,
}: {
  readonly report: Report
  readonly modes: Modes
  readonly now: number
  readonly days?: ReadonlyArray<LaneDay> | undefined
  readonly isOperatorView?: boolean
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
          const daysOfLane = days?.filter((each) => each.lane === lane)
          return (
            <Line
              key={lane}
              of={named}
              age={mode === "live" ? ageText(readAt, now) : "Sample data"}
              picture={
                daysOfLane !== undefined &&
                (mode === "live" || daysOfLane.length > 0) && <Days name={name} days={daysOfLane} now={now} />
              }
              details={
                feeds.length > 0 ? <Feeds feeds={feeds} name={name} isOperatorView={isOperatorView} /> : undefined
              }
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
      description: "Which lanes are up, which are not and since when, and what calls return meanwhile.",
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
      {days !== undefined && <Incidents days={days} now={Date.parse(at ?? "")} />}
      {!Object.values(modes).includes("live") && (
        <p class="soft">Sample data is generated for each call: it is always new, and no source of it can fail.</p>
      )}
    </>,
  )
}

/** A store that takes longer has no bars of days on the page. */
const readTimeout = "2 seconds"

/**
 * The status page: for people, 200 even if the service is not ready; probes ask `/readyz`.
 *
 * @param modes each lane's data source for live keys, by lane name
 * @param laneDays checks of the lanes, oldest first
 */
export const make = (ready: Ready, modes: Modes, laneDays?: Effect.Effect<ReadonlyArray<LaneDay>, Failure>): Route =>
  documentAt(
    statusPath,
    "Status of each lane, as a page",
    types.html,
    Effect.gen(function* () {
      const { report } = yield* ready
      const site = yield* Site
      // Without a time the store is in trouble, or nothing is checked here.
      const readDays = report.at == null ? undefined : laneDays
      const days = readDays && Option.getOrUndefined(yield* Effect.option(Effect.timeout(readDays, readTimeout)))
      return HttpServerResponse.text(statusPage(report, modes, days, site), {
        headers: { ...Wire.commonHeaders, ...pageHeaders, "cache-control": "no-store" },
        contentType: types.html,
      })
    }),
  )
