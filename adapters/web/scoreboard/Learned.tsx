/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { type GuidanceSource, guidanceSources, sourceTitles } from "../../../core/lanes/weather/guidance/Guidance.ts"
import {
  type Gain,
  isInUse,
  type StackState,
  spreadShare,
  unstacked,
} from "../../../core/lanes/weather/guidance/stack.ts"
import type { LearnedHistory, LearnedState } from "../../../core/lanes/weather/signal/Calibrations.ts"
import {
  bucketCount,
  bucketName,
  gainOf,
  isWithdrawn,
  minErrors,
  parametersOf,
} from "../../../core/lanes/weather/signal/calibration.ts"
import { fewestDays, type StepDay, stepsOf } from "../../../core/lanes/weather/signal/steps.ts"
import { type Variable, variables } from "../../../core/lanes/weather/signal/temperature.ts"
import { stations } from "../../../core/lanes/weather/stations.ts"
import {
  agreementOf,
  basisOf,
  equalInterval,
  isMeasured,
  type Pair,
} from "../../../core/lanes/weather/venue/agreement.ts"
import type { VenueSettlement } from "../../../core/lanes/weather/venue/VenueSettlement.ts"
import { iso } from "../../../core/time.ts"
import type * as Keyless from "../../server/http/publicRoute.ts"
import { queryOf } from "../../server/http/query.ts"
import { Site } from "../../server/http/Site.ts"
import { Lines } from "../pictures/lines.tsx"
import { dayWords } from "../record/words.ts"
import { signed } from "../view/chart.tsx"
import { htmlReply } from "../view/document.ts"
import { Choice, choiceIn, Problems, problemsIn } from "../view/filters.tsx"
import { page as framed } from "../view/Page.tsx"
import { Facts, Table } from "../view/parts.tsx"

/** The lessons of the archive of forecasts. */
export const path = "/scoreboard/learned"

const leadValues = Array.from({ length: bucketCount }, (_, bucket) => String(bucket))
const names = stations.map(({ id }) => id)

/** The states of one station, extreme and lead, which the reader chose. */
interface Asked {
  readonly station: string
  readonly extreme: Variable
  readonly lead: string
}

const degrees = (value: number): string => `${signed(value.toFixed(2))} °F`
const plain = (value: number): string => value.toFixed(2)
const intervalText = ({ estimate, low, high }: Gain, words: (value: number) => string): string =>
  `${words(estimate)} [${words(low)}, ${words(high)}]`
const gainText = (gain: Gain | undefined): string =>
  gain === undefined ? "too few days" : `${intervalText(gain, (value) => signed(value.toFixed(3)))} °F`
const stackOf = ({ state }: LearnedState): StackState => state.stack ?? unstacked

/** A learned number: its name, its column, its value in a state. */
type Quantity = readonly [
  name: string,
  column: string,
  of: (learned: LearnedState) => number,
  words: (value: number) => string,
]

/** Columns of the sources' weights. */
const columns: Readonly<Record<GuidanceSource, string>> = { nbm: "Blend", gfs_mos: "GFS" }

const quantities: ReadonlyArray<Quantity> = [
  ["Bias of the grid", "Bias", ({ state }) => parametersOf([state], true)[0]!.bias, degrees],
  ["Spread, times the prior's", "Spread", ({ state }) => parametersOf([state], true)[0]!.scale, plain],
  ...guidanceSources.map(
    (source, at): Quantity => [
      `Weight of the ${sourceTitles[source]}`,
      columns[source],
      (learned) => stackOf(learned).weights[at]!,
      (value) => signed(value.toFixed(2)),
    ],
  ),
  ["Spread left by the weights", "Left", (learned) => spreadShare(stackOf(learned)), plain],
]

/** A learned number by day, and its words. */
const Course = ({
  name,
  points,
  words,
  least,
}: {
  readonly name: string
  readonly points: ReadonlyArray<readonly [at: number, value: number]>
  readonly words: (value: number) => string
  /** A share: the axis goes from here, or from the lowest value, to 1. */
  readonly least?: number
}) => {
  const [first, last] = [points[0]!, points.at(-1)!]
  return (
    <figure>
      <figcaption>{name}</figcaption>
      <Lines
        label={`${name}, from ${words(first[1])} to ${words(last[1])}`}
        series={[{ who: "model", points }]}
        at={[first, last].map(([at]) => [at, dayWords(iso(at).slice(0, 10))] as const)}
        named={words}
        {...(least !== undefined && { bounds: [Math.min(least, ...points.map(([, value]) => value)), 1] as const })}
      />
    </figure>
  )
}

/** The running ratio of two numbers a day, after each day from `fewest` on. */
const running = (
  days: ReadonlyArray<readonly [day: string, numerator: number, denominator: number]>,
  fewest: number,
): ReadonlyArray<readonly [at: number, value: number]> => {
  let [above, below] = [0, 0]
  return days.flatMap(([day, numerator, denominator], at) => {
    above += numerator
    below += denominator
    return at + 1 < fewest || below === 0 ? [] : [[Date.parse(day), above / below] as const]
  })
}

/** The variance between readings, of which the rest of the same day is forecast. */
const Steps = ({ days }: { readonly days: ReadonlyArray<StepDay> }) => {
  const { n, ratio, isLearned } = stepsOf(days, 0)
  const points = running(
    days.map(({ day, missedF, expectedF }) => [day, missedF, expectedF]),
    fewestDays,
  )
  return (
    <section>
      <h2>Between readings</h2>
      <p>
        How far final reports lie beyond the day's observations, by the distance that the fitted variance expects. Used
        once the interval excludes 1.
      </p>
      <Facts
        of={{
          "Days compared": n,
          "Observed by expected": ratio === undefined ? "too few days" : intervalText(ratio, plain),
          "In use": isLearned ? "Yes, the interval excludes 1" : "No, the fitted variance as it is",
        }}
      />
      {points.length > 1 && <Course name="Observed by expected distance" points={points} words={plain} />}
    </section>
  )
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

/** The basis to the source on which the venue settles. */
const Venue = ({ pairs }: { readonly pairs: ReadonlyArray<Pair> }) => {
  const agreement = agreementOf({ pairs, missing: 0 })
  const points = running(
    pairs.map(({ day, report, venue }) => [day, report === venue ? 1 : 0, 1]),
    1,
  )
  const [below, equal, above] = basisOf(agreement)
  return (
    <section>
      <h2>The venue's source</h2>
      <p>
        How often the source on which the venue settles states the value of the official report. Used once the interval
        of a share excludes the assumed one.
      </p>
      <Facts
        of={{
          "Highs and lows compared": agreement.compared,
          Equal:
            agreement.compared === 0
              ? "nothing to compare yet"
              : intervalText({ estimate: agreement.equal / agreement.compared, ...equalInterval(agreement) }, percent),
          "Contracts are priced with": `${percent(below)} a degree less, ${percent(equal)} equal, ${percent(above)} a degree more`,
          "In use": isMeasured(agreement) ? "Yes, an interval excludes what is assumed" : "No, the assumed shares",
        }}
      />
      {points.length > 1 && <Course name="Share of equal values" points={points} words={percent} least={0.9} />}
    </section>
  )
}

/** Rows of the table: the newest and each seventh before it. */
const weekly = (history: ReadonlyArray<LearnedState>): ReadonlyArray<LearnedState> =>
  history.filter((_, at) => (history.length - 1 - at) % 7 === 0).reverse()

const History = ({ history }: { readonly history: ReadonlyArray<LearnedState> }) => {
  const last = history.at(-1)!
  return (
    <>
      <Facts
        of={{
          "Errors counted": last.state.n,
          "CRPS gain by bias and spread": gainText(gainOf(last.state)),
          "Bias and spread in use":
            last.state.n < minErrors
              ? `No, below ${minErrors} errors`
              : isWithdrawn(last.state)
                ? "No, withdrawn: the interval says that they do harm"
                : "Yes",
          "CRPS gain by the weights": gainText(stackOf(last).gain),
          "Weights in use": isInUse(stackOf(last))
            ? "Yes, the gain's interval excludes 0"
            : "No, the grid's forecast alone",
        }}
      />
      <div class="columns">
        {quantities.map(([name, , of, words]) => (
          <Course key={name} name={name} points={history.map((each) => [each.at, of(each)])} words={words} />
        ))}
      </div>
      <Table
        caption="Week by week; a gain is the CRPS with what is learned less that without: below 0 it helps"
        columns={[
          "Day",
          ...quantities.map(([, column]) => column),
          "Gain, bias and spread",
          "Gain, weights",
          "Weights",
        ]}
        rows={weekly(history).map((each) => {
          const stack = stackOf(each)
          return [
            dayWords(iso(each.at).slice(0, 10)),
            ...quantities.map(([, , of, words]) => words(of(each))),
            gainText(gainOf(each.state)),
            gainText(stack.gain),
            isInUse(stack) ? "in use" : "not used",
          ]
        })}
        isCards
      />
    </>
  )
}

/** All that was learned of a station. */
interface Learned {
  readonly history: ReadonlyArray<LearnedState>
  readonly steps: ReadonlyArray<StepDay>
  readonly pairs: ReadonlyArray<Pair>
}

const learnedPage = (
  { station, extreme, lead }: Asked,
  { history, steps, pairs }: Learned,
  problems: ReadonlyArray<string>,
  isDemo: boolean,
  site: Site,
): string =>
  framed(
    {
      title: "Learned from past forecasts",
      description: "Bias, spread and weights of the weather forecasts, learned from their errors.",
      path,
    },
    site,
    <>
      <h1>Learned from past forecasts</h1>
      {isDemo && <p class="notice">Simulated: 90 days of generated weather, walked through by the real learner.</p>}
      <p class="lead">
        Each morning the errors of yesterday's forecasts are counted. A forecast uses only the errors that were known
        when it was made. Bias and spread help over all recorded days and are withdrawn where a station's own days say
        otherwise; the rest is used only where its own days show that it helps.
      </p>
      <form class="filters" method="get" action={path}>
        <Choice name="station" label="Station" value={station} options={names.map((id) => [id, id] as const)} />
        <Choice
          name="extreme"
          label="Extreme"
          value={extreme}
          options={variables.map((each) => [each, each] as const)}
        />
        <Choice
          name="lead"
          label="Lead"
          value={lead}
          options={leadValues.map((each) => [each, bucketName(Number(each))] as const)}
        />
        <button type="submit">Show</button>
      </form>
      <Problems of={problems} />
      {history.length === 0 ? (
        <p>No error is counted yet: forecasts use the published priors.</p>
      ) : (
        <History history={history} />
      )}
      <Steps days={steps} />
      <Venue pairs={pairs} />
      <p class="actions">
        <a href="/scoreboard">Scoreboard</a>
      </p>
    </>,
  )

/** Answers the page. */
export const learnedOver =
  ({ freshness, of, steps }: LearnedHistory["Type"], { pairs }: VenueSettlement["Type"]) =>
  ({ url }: { readonly url: string }): Effect.Effect<Keyless.PublicReply, Failure, Site> =>
    Effect.gen(function* () {
      const query = queryOf(url)
      const chosen = {
        station: choiceIn(query, "station", names),
        extreme: choiceIn(query, "extreme", variables),
        lead: choiceIn(query, "lead", leadValues),
      }
      const { station = "KNYC", extreme = "high", lead = "1" } = chosen
      const learned = {
        history: yield* of(station, extreme, Number(lead)),
        steps: yield* steps(station, extreme),
        pairs: yield* pairs(station),
      }
      const asked = { station, extreme, lead }
      return htmlReply(learnedPage(asked, learned, problemsIn(query, chosen), freshness === "mock", yield* Site))
    })
