/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { type GuidanceSource, guidanceSources, sourceTitles } from "../../../core/lanes/weather/guidance/Guidance.ts"
import {
  type Estimate,
  getSourceWeight,
  initialStack,
  isInUse,
  type StackState,
  spreadShare,
} from "../../../core/lanes/weather/guidance/stack.ts"
import type { LearnedHistory, PublishedState } from "../../../core/lanes/weather/signal/Calibrations.ts"
import {
  bucketCount,
  bucketName,
  errorParameters,
  isWithdrawn,
  meanGain,
  minErrors,
} from "../../../core/lanes/weather/signal/calibration.ts"
import type { StepDay } from "../../../core/lanes/weather/signal/steps.ts"
import { variables } from "../../../core/lanes/weather/signal/temperature.ts"
import { stations } from "../../../core/lanes/weather/stations.ts"
import type { ValuePair } from "../../../core/lanes/weather/venue/agreement.ts"
import type { VenueSettlement } from "../../../core/lanes/weather/venue/VenueSettlement.ts"
import type * as Keyless from "../../server/http/publicRoute.ts"
import { parseQuery } from "../../server/http/query.ts"
import { Site } from "../../server/http/Site.ts"
import { pageScript } from "../view/assets.ts"
import { dayText } from "../view/dates.ts"
import { htmlReply } from "../view/document.ts"
import { byName, type Filter, Filters, reading, type Wrong } from "../view/filters.tsx"
import { signed } from "../view/numbers.ts"
import { page as framed } from "../view/Page.tsx"
import { Facts, Table } from "../view/parts.tsx"

import { Course, intervalText, plain, Steps, Venue } from "./learnedParts.tsx"

/** The lessons of the archive of forecasts. */
export const path = "/scoreboard/learned"

const leadValues = Array.from({ length: bucketCount }, (_, bucket) => String(bucket))
const names = stations.map(({ id }) => id)

const filters: ReadonlyArray<Filter> = [
  { name: "station", label: "Station", choices: [...byName(names)], initial: "KNYC" },
  { name: "extreme", label: "Extreme", choices: [...byName(variables)], initial: "high" },
  {
    ...{ name: "lead", label: "Lead", initial: "1" },
    choices: leadValues.map((each) => [each, bucketName(Number(each))]),
  },
]

const degrees = (value: number): string => `${signed(value.toFixed(2))} °F`
const gainText = (gain: Estimate | undefined): string =>
  gain === undefined ? "too few days" : `${intervalText(gain, (value) => signed(value.toFixed(3)))} °F`
const readStack = ({ state }: PublishedState): StackState => state.stack ?? initialStack

/** A learned number: its name, its column, its value in a state. */
type Quantity = readonly [
  name: string,
  column: string,
  of: (learned: PublishedState) => number,
  words: (value: number) => string,
]

/** Columns of the sources' weights. */
const columns: Readonly<Record<GuidanceSource, string>> = { nbm: "Blend", gfs_mos: "GFS", nbp: "Percentiles" }

/** Those of a history: a source's weight from its first day on. */
const quantitiesOf = (last: PublishedState): ReadonlyArray<Quantity> => [
  ["Bias of the grid", "Bias", ({ state }) => errorParameters([state], true)[0]!.bias, degrees],
  ["Spread, times the prior's", "Spread", ({ state }) => errorParameters([state], true)[0]!.scale, plain],
  ...guidanceSources
    .slice(0, readStack(last).weights.length)
    .map(
      (source, at): Quantity => [
        `Weight of the ${sourceTitles[source]}`,
        columns[source],
        (learned) => getSourceWeight(readStack(learned), at),
        (value) => signed(value.toFixed(2)),
      ],
    ),
  ["Spread left by the weights", "Left", (learned) => spreadShare(readStack(learned)), plain],
]

/** Rows of the table: the newest and each seventh before it. */
const weekly = (history: ReadonlyArray<PublishedState>): ReadonlyArray<PublishedState> =>
  history.filter((_, at) => (history.length - 1 - at) % 7 === 0).reverse()

const History = ({ history }: { readonly history: ReadonlyArray<PublishedState> }) => {
  const last = history.at(-1)!
  const quantities = quantitiesOf(last)
  const [own, less] = last.state.percentiles ?? []
  return (
    <>
      <Facts
        of={{
          "Errors counted": last.state.n,
          "CRPS change by bias and spread": gainText(meanGain(last.state)),
          "Bias and spread in use":
            last.state.n < minErrors
              ? `No, below ${minErrors} errors`
              : isWithdrawn(last.state)
                ? "No, withdrawn: the interval says that they do harm"
                : "Yes",
          "CRPS change by the weights": gainText(readStack(last).gain),
          "Weights in use": isInUse(readStack(last))
            ? "Yes, the change's interval excludes 0"
            : "No, the grid's forecast alone",
          ...(own !== undefined &&
            less !== undefined && {
              "CRPS without weights": gainText(meanGain({ gain: own })),
              "The same less that of the blend's percentiles": gainText(meanGain({ gain: less })),
            }),
        }}
      />
      <div class="columns">
        {quantities.map(([name, , of, words]) => (
          <Course key={name} name={name} points={history.map((each) => [each.at, of(each)])} words={words} />
        ))}
      </div>
      <Table
        caption="Week by week; a change is the CRPS with what is learned less that without: below 0 it helps"
        columns={[
          "Day",
          ...quantities.map(([, column]) => column),
          "Change, bias and spread",
          "Change, weights",
          "Weights",
        ]}
        rows={weekly(history).map((each) => {
          const stack = readStack(each)
          return [
            dayText(each.at),
            ...quantities.map(([, , of, words]) => words(of(each))),
            gainText(meanGain(each.state)),
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
  readonly history: ReadonlyArray<PublishedState>
  readonly steps: ReadonlyArray<StepDay>
  readonly pairs: ReadonlyArray<ValuePair>
}

const learnedPage = (
  query: URLSearchParams,
  wrong: ReadonlyArray<Wrong>,
  { history, steps, pairs }: Learned,
  isDemo: boolean,
  site: Site,
): string =>
  framed(
    {
      title: "Learned from past forecasts",
      description: "Bias, spread and weights of the weather forecasts, learned from their errors.",
      path,
      script: pageScript,
    },
    site,
    <>
      <h1>Learned from past forecasts</h1>
      {isDemo && <p class="notice">Sample data: 90 days of generated weather, learned by the real learner.</p>}
      <p class="lead">
        Each morning the errors of yesterday's forecasts are counted. A forecast uses only the errors that were known
        when it was made. Bias and spread help over all recorded days and are withdrawn where a station's own days say
        otherwise; the rest is used only where its own days show that it helps.
      </p>
      <Filters filters={filters} query={query} wrong={wrong} path={path} />
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
  ({ freshness, of, steps }: typeof LearnedHistory.Service, { pairs }: typeof VenueSettlement.Service) =>
  ({ url }: { readonly url: string }): Effect.Effect<Keyless.PublicReply, Failure, Site> =>
    Effect.gen(function* () {
      const query = parseQuery(url)
      const { one, wrong } = reading(query)
      const station = one("station", byName(names)) ?? "KNYC"
      const extreme = one("extreme", byName(variables)) ?? "high"
      const lead = one("lead", byName(leadValues)) ?? "1"
      const learned = {
        history: yield* of(station, extreme, Number(lead)),
        steps: yield* steps(station, extreme),
        pairs: yield* pairs(station),
      }
      return htmlReply(learnedPage(query, wrong, learned, freshness === "mock", yield* Site))
    })
