/** @jsxRuntime automatic @jsxImportSource preact */

import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Cursor from "../../../core/endpoint/Cursor.ts"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../../core/Failure.ts"
import type { Gateway } from "../../../core/gateway/Gateway.ts"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import * as Calibration from "../../../core/record/scoreboard/calibration.ts"
import { type Domain, domains } from "../../../core/record/scoreboard/Settled.ts"
import { count } from "../../../core/text.ts"
import { reliability } from "../pictures/reliability.ts"
import { marketPath } from "../view/addresses.ts"
import { percent } from "../view/numbers.ts"
import { Closer } from "../view/parts.tsx"
import { plot } from "../view/plot.tsx"
import type { View } from "./Subject.ts"
import { addReliability, binsOf, contractName, eventName } from "./words.ts"

type Row = Endpoint.Results<typeof markets.settled>["rows"][number]

/** Settled markets of a domain, newest first, as everybody may read them, and whether they are generated. */
export interface Settled {
  readonly rows: ReadonlyArray<Row>
  readonly isGenerated: boolean
}

/** The newest settled rows that are read for a page: so many pages of 500. */
const pages = 4

const readDomain = ({ call }: Gateway["Type"], domain: Domain): Effect.Effect<Settled, Failure> =>
  Effect.gen(function* () {
    const rows: Array<Row> = []
    let isGenerated = false
    let cursor: string | undefined
    for (let page = 0; page < pages; page++) {
      const input = { domain, limit: 500, ...(cursor === undefined ? {} : { cursor }) }
      const { answer } = yield* call(markets.settled, input, { authorization: undefined })
      rows.push(...answer.results.rows)
      isGenerated = answer.freshness === "mock"
      cursor = Cursor.next(markets.settled, input, answer)
      if (cursor === undefined) break
    }
    return { rows, isGenerated }
  })

/** Reads the settled rows of a domain at most once a minute. */
export const make = (gateway: Gateway["Type"]): Effect.Effect<(domain: Domain) => Effect.Effect<Settled, Failure>> =>
  Effect.map(
    Cache.make({
      capacity: domains.length,
      timeToLive: "1 minute",
      lookup: (domain: Domain) => Effect.uninterruptible(readDomain(gateway, domain)),
    }),
    (cache) => (domain) => cache.get(domain),
  )

/** Fewer markets than these have figures and no curve. */
const least = 40

/** How good the model has been on a subject's settled markets, next to the market itself. */
export const Scored = ({
  of: { isOwn, name, domain },
  settled: { rows },
}: {
  readonly of: NonNullable<View["scored"]>
  readonly settled: Settled
}) => {
  const own = rows.filter(({ instrument }) => isOwn(instrument))
  if (own.length === 0) return <p>No market of {name} has settled yet.</p>
  const [model, market] = [addReliability(own, "model_prob"), addReliability(own, "market_prob")]
  const forecasters = [
    { name: "Model", as: "model", bins: binsOf(model) },
    { name: "Market", as: "market", bins: binsOf(market) },
  ]
  return (
    <>
      <p>
        Over the last {count(own.length)} settled markets of {name} the model's Brier score is{" "}
        {Calibration.brier(model).toFixed(4)}, the market's {Calibration.brier(market).toFixed(4)}; lower is better. The{" "}
        <a href={`/scoreboard#${domain}`}>scoreboard</a> has all markets, with intervals.
      </p>
      {own.length >= least &&
        plot({
          title: `Reliability of model and market over ${count(own.length)} settled markets of ${name}`,
          ...reliability(forecasters, "Markets", 5),
        })}
    </>
  )
}

const eventIn = (row: Row): string => row.event ?? row.market_ticker.replace(/-[^-]*$/, "")

/** The contract that says best what happened in an event: the narrowest that paid. */
export const winnerOf = (rows: ReadonlyArray<Row>): Row | undefined => {
  const paid = rows.filter(({ result }) => result === "yes")
  return paid.find(({ strike_type }) => strike_type === "between") ?? paid.at(-1)
}

/** What happened in the newest events of settled rows: of each its contract that paid. */
export const happened = (rows: ReadonlyArray<Row>, wanted: number): ReadonlyArray<Row> =>
  [...new Set(rows.map(eventIn))]
    .flatMap((event) => winnerOf(rows.filter((row) => eventIn(row) === event)) ?? [])
    .slice(0, wanted)

/** What happened, and the probability that we and the market had given it. */
export const Happened = ({ rows }: { readonly rows: ReadonlyArray<Row> }) => (
  <ul class="tiles results">
    {rows.map(({ market_ticker: ticker, title, model_prob: model, market_prob: market }) => (
      <li key={ticker}>
        <a class="tile" href={marketPath(ticker)}>
          <span>{eventName(title, ticker)}</span>
          <strong>{contractName(title, ticker)}</strong>
          <small>
            We said <b>{percent(model)}</b>, the market {percent(market)}
            {percent(model) !== percent(market) && " · "}
            <Closer model={model} market={market} />
          </small>
        </a>
      </li>
    ))}
  </ul>
)
