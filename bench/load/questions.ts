// The questions of the call benches. They vary, so that no cache of answers can flatter the figures.
import { randomUUID } from "node:crypto"
import { day, dayOf } from "../../core/time.ts"

/** A request without its key. */
export interface Question {
  readonly method?: "GET" | "POST"
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Questions in turn, without end. */
export type Questions = () => Question

const inTurn = (questions: ReadonlyArray<Question>): Questions => {
  let at = 0
  return () => questions[at++ % questions.length]!
}

const spots = { BTC: 65_000, ETH: 3_200 } as const

/**
 * 4,608 signals: both assets, 48 horizons from 5 minutes to a day; every other one with 21 strikes of its own, the others
 * on the grid around spot.
 */
const signals: ReadonlyArray<Question> = Array.from({ length: 24 }, (_, shift) =>
  Array.from({ length: 48 }, (_, step) =>
    Object.entries(spots).flatMap(([asset, spot]) => {
      const path = `/v1/crypto/signal?asset=${asset}&horizon_minutes=${5 + 30 * step}`
      const strikes = Array.from({ length: 21 }, (_, n) => spot + ((n - 10) * spot) / 260 + shift * 2 + step / 4)
      return [{ path }, { path: `${path}&strikes=${strikes.map((strike) => strike.toFixed(2)).join(",")}` }]
    }),
  ).flat(),
).flat()

/** Signals in an order in which neighbours differ in everything. */
const shuffled: ReadonlyArray<Question> = signals.map((_, at) => signals[(at * 1_009) % signals.length]!)

/** Days with a stored report, newest last. */
export const reportDays = (newest: string): ReadonlyArray<string> =>
  Array.from({ length: 60 }, (_, n) => dayOf(Date.parse(newest) - (59 - n) * day))

export const plain = (): Questions => inTurn(shuffled)

/** Each with an idempotency key of its own. */
export const idempotent = (): Questions => {
  const next = plain()
  return () => ({ ...next(), headers: { "idempotency-key": randomUUID() } })
}

/** Settlement records of stored days. */
export const records = (newest: string): Questions =>
  inTurn(reportDays(newest).map((each) => ({ path: `/v1/weather/settlement?station=KNYC&day=${each}` })))
