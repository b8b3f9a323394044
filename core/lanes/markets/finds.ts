import * as Effect from "effect/Effect"
import { dayIn } from "../../contracts/tickers.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { type Findable, type Finds, ready } from "../../find/Findable.ts"
import { domains } from "../../record/scoreboard/Settled.ts"
import { dayOf } from "../../time.ts"
import { practiceTicker } from "./challenge/fields.ts"
import { endpoints } from "./endpoints.ts"

type Row = Endpoint.Results<typeof endpoints.benchContracts>["contracts"][number]

const contractOf = ({ ticker, venue, title, closes_at }: Row): Findable => {
  const event = ticker.replace(/-[^-]*$/, "")
  return {
    kind: "contract",
    name: title,
    words: `${ticker} ${venue} contract market`,
    ids: { market: ticker, venue },
    zone: "America/New_York",
    day: dayIn(event)?.day ?? dayOf(Date.parse(closes_at)),
    group: event,
    calls: [
      ready(endpoints.edge, "edge price odds mispriced fair value model", () => ({ market: ticker, min_edge: 0 })),
      ready(endpoints.history, "history moved over time past prices chart", () => ({ market: ticker })),
    ],
  }
}

/** The open contracts, those first that close first. */
export const finds: Finds = (ask) =>
  domains.map((domain) => ({
    what: `open ${domain} contracts`,
    read: Effect.map(ask(endpoints.benchContracts, { domain }), ({ contracts }) =>
      contracts.filter(({ ticker }) => ticker !== practiceTicker).map(contractOf),
    ),
  }))
