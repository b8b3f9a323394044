import * as Encoding from "effect/Encoding"
import { parseTickerDay } from "../../../../core/contracts/tickers.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { pricings } from "../../../../core/lanes/all.ts"
import { toLeaf as opinionLeafOf } from "../../../../core/lanes/markets/challenge/Challenge.ts"
import { toLeaf as settlementLeafOf } from "../../../../core/lanes/markets/settlement.ts"
import type { Leaf } from "../../../../core/record/log/leaf.ts"
import { type CurrentRow, type Domain, toMarketProbability } from "../../../../core/record/scoreboard/Settled.ts"
import { iso, minute } from "../../../../core/time.ts"
import { hashSeed } from "../../mock/hash.ts"
import { invented, toOpinionId } from "./challenge.ts"
import type { Forecast } from "./settled.ts"

/** Is in every leaf of the demonstration. */
const demoText = "Sample data, not a track record."

/** A leaf, and when it is written, epoch milliseconds: after its own time if no checkpoint is to cover it. */
export interface DemoLeaf {
  readonly leaf: Leaf
  readonly writtenAt: number
}

const lanes = new Map(pricings.map(({ domain, lane }) => [domain, lane]))
const domainLane = (domain: Domain): string => lanes.get(domain)!

/** 16 bytes, the same on every run: a generated seal protects no secret. */
const drawSalt = (name: string): string => {
  const words = Uint32Array.from([0, 1, 2, 3], (part) => hashSeed(`${name}/salt/${part}`))
  return Encoding.encodeBase64Url(new Uint8Array(words.buffer))
}

const toSubject = ({ domain, instrument, event, closeTime }: Forecast): string => {
  const day = parseTickerDay(event)?.day ?? iso(closeTime).slice(0, 10)
  if (domain === "weather") return `${instrument}/${day}`
  if (domain === "crypto") return `${instrument}/${iso(closeTime)}`
  return [day, ...instrument.split(" @ ")].join("/")
}

const markDemo = (leaf: Leaf): Leaf => ({ ...leaf, body: { ...leaf.body, demo: demoText } })

const toCaptureLeaf = (row: Forecast): Leaf => ({
  id: row.captureId,
  kind: "capture",
  at: row.capturedAt,
  lane: domainLane(row.domain),
  subject: toSubject(row),
  body: {
    model_version: row.modelVersion,
    trigger: "scheduled",
    quotes: [
      {
        ...{ venue: row.venue, series: row.series, event: row.event, ticker: row.ticker },
        ...ifDefined("strike_type", row.strikeType),
        ...ifDefined("floor_strike", row.floorStrike),
        ...ifDefined("cap_strike", row.capStrike),
        close_time: row.closeTime,
        ...(row.quotes === undefined
          ? {}
          : { yes_bid: row.quotes.yesBid, yes_ask: row.quotes.yesAsk, no_ask: row.quotes.noAsk }),
        ...ifDefined("fee_rate", row.feeRate),
        model: row.model,
        pool_weight: row.poolWeight,
        model_source: row.basis.modelSource,
        venue_source: row.basis.venueSource,
      },
    ],
    close_time: row.closeTime,
  },
  seal: { until: row.closeTime, salt: drawSalt(row.captureId) },
})

const toOpinionLeaves = (row: Forecast): ReadonlyArray<Leaf> => {
  const { quotes, domain, venue, ticker, title, closeTime } = row
  if (quotes === undefined) return []
  return invented.map(({ model, says }) => {
    const id = toOpinionId(model, ticker)
    const p = says({ model: row.model, market: toMarketProbability(quotes) })
    const contract = { domain, venue, ticker, title, closeTime, lane: domainLane(domain) }
    return opinionLeafOf({ id, model, at: row.capturedAt, salt: drawSalt(id), contract, p })
  })
}

/** The leaves of a forecast: its own, those of the challengers, and its settlement once there is a result. */
export const toLeaves = (row: Forecast | CurrentRow): ReadonlyArray<DemoLeaf> => {
  const writtenAt = row.anchored ? row.capturedAt : row.closeTime + minute
  const settlement = "result" in row ? [settlementLeafOf(row, undefined, domainLane(row.domain), 1)] : []
  return [
    ...[toCaptureLeaf(row), ...toOpinionLeaves(row)].map((leaf) => ({ leaf: markDemo(leaf), writtenAt })),
    ...settlement.map((leaf) => ({ leaf: markDemo(leaf), writtenAt: leaf.at })),
  ]
}
