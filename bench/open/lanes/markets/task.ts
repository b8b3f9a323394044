import * as Either from "effect/Either"
import * as Rec from "effect/Record"
import * as Schema from "effect/Schema"
import type { FileFormat } from "../../../../core/csv/FileFormat.ts"
import {
  type Row,
  readOption,
  readRequiredNumber,
  readRequiredText,
  readText,
  requireValue,
  rowError,
} from "../../../../core/csv/row.ts"
import type { Known } from "../../../../core/History.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import type { Forecaster, Model } from "../../../../core/Model.ts"
import { brier, logScore } from "../../../../core/math/score.ts"
import { isContested } from "../../../../core/record/scoreboard/board.ts"
import { clip, probabilityScale } from "../../../../core/record/scoreboard/calibration.ts"
import { clusterName } from "../../../../core/record/scoreboard/cluster.ts"
import { divisions, partLabel } from "../../../../core/record/scoreboard/divisions.ts"
import { domains, type Result, type SettledMarket, toMarketKey } from "../../../../core/record/scoreboard/Settled.ts"
import { iso } from "../../../../core/time.ts"
import type { Case, Entrant, Fields, Input, Measure, Task } from "../../compare/Task.ts"

/** The terms of a contract. */
type Terms = Pick<
  SettledMarket,
  | ("domain" | "venue" | "series" | "ticker" | "event" | "title" | "instrument")
  | ("strikeType" | "floorStrike" | "capStrike")
>

/** A contract at its capture: its terms, and what venue and served model said. Probabilities are of yes. */
export interface MarketsQuestion extends Terms, Pick<SettledMarket, "modelVersion" | "capturedAt" | "closeTime"> {
  /** Dollars. */
  readonly yesBid: number
  readonly yesAsk: number
  readonly noAsk: number
  /** The midpoint of yes bid and yes ask. */
  readonly marketProb: number
  readonly modelProb: number
  /** Of both together, by the weight that was published at the capture. */
  readonly pooledProb: number
}

/** A settled contract. */
export interface MarketsFact extends MarketsQuestion {
  readonly result: Result
}

/** A row of the export of settled contracts. */
export interface MarketsRow extends MarketsFact {
  /** When the result was learned, epoch milliseconds. */
  readonly settledAt: number
  /** What it is drawn with for intervals. */
  readonly cluster: string
}

/** Settled contracts, unordered. */
export interface MarketsData {
  readonly rows: ReadonlyArray<MarketsRow>
  readonly inputs: ReadonlyArray<Input>
}

/** The probability of yes. */
export const MarketsForecast = Schema.Struct({ p: Schema.Number.pipe(Schema.between(0, 1)) })
export type MarketsForecast = typeof MarketsForecast.Type

/** The function of a custom model. */
export type MarketsForecaster = Forecaster<MarketsQuestion, MarketsFact, MarketsForecast>
export type MarketsModel = Model<MarketsQuestion, MarketsFact, MarketsForecast>
/** The outcome is whether the contract settled yes. */
export type MarketsTask = Task<MarketsQuestion, MarketsFact, MarketsForecast, boolean>

const probabilityIn = (row: Row, field: string) =>
  Either.flatMap(readRequiredNumber(row, field), (value) =>
    value >= 0 && value <= 1 ? Either.right(value) : rowError(field, `${value} is not a probability from 0 to 1.`),
  )

const instantIn = (row: Row, field: string) =>
  Either.flatMap(readRequiredText(row, field), (text) => {
    const at = /^\d{4}-\d{2}-\d{2}T.*Z$/.test(text) ? Date.parse(text) : Number.NaN
    return Number.isNaN(at)
      ? rowError(field, `"${text}" is not a time in UTC (2026-07-08T12:00:00.000Z).`)
      : Either.right(at)
  })

const choiceIn = <A extends string>(row: Row, field: string, values: ReadonlyArray<A>) =>
  Either.flatMap(readOption(row, field, values), (value) => requireValue(value, field))

const strikeIn = (row: Row, field: string) =>
  readText(row, field) === undefined ? Either.right(undefined) : readRequiredNumber(row, field)

/** Prices have four decimals, probabilities six. */
const rounding = 1e-6

const read = (row: Row) =>
  Either.gen(function* () {
    const domain = yield* choiceIn(row, "domain", domains)
    const [venue, ticker] = [yield* readRequiredText(row, "venue"), yield* readRequiredText(row, "market_ticker")]
    const [floorStrike, capStrike] = [yield* strikeIn(row, "floor_strike"), yield* strikeIn(row, "cap_strike")]
    const prices = {
      yesBid: yield* probabilityIn(row, "yes_bid"),
      yesAsk: yield* probabilityIn(row, "yes_ask"),
      noAsk: yield* probabilityIn(row, "no_ask"),
    }
    const marketProb = yield* probabilityIn(row, "market_prob")
    const middle = (prices.yesBid + prices.yesAsk) / 2
    if (Math.abs(marketProb - middle) > rounding) {
      return yield* rowError("market_prob", `${marketProb} is not the midpoint of yes_bid and yes_ask, ${middle}.`)
    }
    const modelProb = yield* probabilityIn(row, "model_prob")
    const pooledProb = yield* probabilityIn(row, "pooled_prob")
    const capturedAt = yield* instantIn(row, "captured_at")
    const closeTime = yield* instantIn(row, "close_time")
    const settledAt = yield* instantIn(row, "settled_at")
    if (!(capturedAt < closeTime)) {
      return yield* rowError("captured_at", `${iso(capturedAt)} is not before close_time, ${iso(closeTime)}.`)
    }
    if (!(closeTime <= settledAt)) {
      return yield* rowError("settled_at", `${iso(settledAt)} is before close_time, ${iso(closeTime)}.`)
    }
    const found: MarketsRow = {
      domain,
      venue,
      series: yield* readRequiredText(row, "series"),
      ticker,
      event: yield* readRequiredText(row, "event"),
      title: readText(row, "title") ?? "",
      instrument: readText(row, "instrument") ?? "",
      ...ifDefined("strikeType", readText(row, "strike_type")),
      ...ifDefined("floorStrike", floorStrike),
      ...ifDefined("capStrike", capStrike),
      ...prices,
      marketProb,
      modelProb,
      pooledProb,
      modelVersion: yield* readRequiredText(row, "model_version"),
      capturedAt,
      closeTime,
      settledAt,
      cluster: readText(row, "cluster") ?? clusterName({ domain, closeTime }),
      result: yield* choiceIn(row, "result", ["yes", "no"] as const),
    }
    return found
  })

/** The public export of settled contracts, `/scoreboard/settled.csv`: one row a contract. */
export const settledFeed: FileFormat<"settled", MarketsRow> = {
  name: "settled",
  source: "settled rows",
  columns: [
    ...["domain", "venue", "series", "market_ticker", "event", "yes_bid", "yes_ask", "no_ask", "market_prob"],
    ...["model_prob", "pooled_prob", "model_version", "captured_at", "close_time", "settled_at", "result"],
  ],
  read,
  seasonOf: ({ closeTime }) => new Date(closeTime).getUTCFullYear(),
  keyOf: toMarketKey,
}

/** As the scoreboard has it: in whole millionths. */
const millionths = (p: number): number => Math.round(p * probabilityScale)
const rounded = (p: number): number => millionths(p) / probabilityScale

const measures: ReadonlyArray<Measure<MarketsQuestion, MarketsForecast, boolean>> = [
  { name: "Brier", unit: "", better: "lower", score: ({ p }, happened) => brier(p, happened) },
  { name: "log score", unit: "nats", better: "lower", score: ({ p }, happened) => logScore(p, happened, clip) },
]

const all = "all contracts"
const contested = "contested: priced 5 % to 95 %"

const caseOf = ({ settledAt: _, cluster, result, ...question }: MarketsRow): Case<MarketsQuestion, boolean> => ({
  id: toMarketKey(question),
  at: question.capturedAt,
  cluster,
  groups: [all, ...(isContested(millionths(question.marketProb)) ? [contested] : []), question.domain],
  question,
  outcome: result === "yes",
})

const entrantOf = (
  kind: "served" | "market",
  name: string,
  cases: ReadonlyArray<Case<MarketsQuestion, boolean>>,
  of: (question: MarketsQuestion) => number,
): Entrant<MarketsQuestion, MarketsFact, MarketsForecast> => ({
  kind,
  name,
  forecasts: new Map(cases.map(({ id, question }) => [id, { p: rounded(of(question)) }])),
})

export const marketsQuestion: Fields<MarketsQuestion> = {
  domain: true,
  venue: true,
  series: true,
  ticker: true,
  event: true,
  title: true,
  instrument: true,
  strikeType: false,
  floorStrike: false,
  capStrike: false,
  modelVersion: true,
  capturedAt: true,
  closeTime: true,
  yesBid: true,
  yesAsk: true,
  noAsk: true,
  marketProb: true,
  modelProb: true,
  pooledProb: true,
}

/**
 * The result of contracts, from the record: what the served models said at the last capture before the close, and the
 * venue's price at that moment. A question is asked at its capture and knows the contracts settled by then, in their
 * present rows: a result that was corrected counts from its correction on.
 */
export const marketsTask = ({ rows, inputs }: MarketsData): MarketsTask => {
  const ordered = [...rows].sort((a, b) => a.capturedAt - b.capturedAt || (toMarketKey(a) < toMarketKey(b) ? -1 : 1))
  const cases = ordered.map(caseOf)
  const facts = ordered
    .map(({ settledAt: at, cluster: _, ...fact }): Known<MarketsFact> => ({ at, fact }))
    .sort((a, b) => a.at - b.at)
  const present = new Set(cases.flatMap(({ groups }) => groups))
  return {
    lane: "markets",
    event: "the contract settles yes",
    inputs,
    facts,
    cases,
    groups: [all, contested, ...domains].filter((group) => present.has(group)),
    entrants: [
      entrantOf("served", "served models", cases, ({ modelProb }) => modelProb),
      entrantOf("served", "model and market", cases, ({ pooledProb }) => pooledProb),
      entrantOf("market", "market midpoint", cases, ({ marketProb }) => marketProb),
    ],
    measures,
    occurrences: ({ p }, happened) => [{ p, happened }],
    divisions: Rec.map(
      divisions,
      (division): NonNullable<MarketsTask["divisions"]>[string] =>
        () =>
        ({ question: { modelProb, marketProb, capturedAt, closeTime } }) => {
          const [model, market] = [millionths(modelProb), millionths(marketProb)]
          return partLabel(division, { model, market, capturedAt, closeTime })
        },
    ),
    forecast: MarketsForecast,
    question: marketsQuestion,
    columns: ["p"],
  }
}
