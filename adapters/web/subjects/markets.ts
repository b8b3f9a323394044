import * as Effect from "effect/Effect"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import type { Demo } from "../demo.ts"
import { gainInCents, percent } from "../pictures/frame.ts"
import { pictureOf } from "../pictures/pictures.tsx"
import type { Shown, Subject, View } from "./Subject.ts"

type Asked = Endpoint.Input<typeof markets.edge>
type Row = Endpoint.Results<typeof markets.edge>["edges"][number]

/** The fact about the open contract of a board that is asked for: the pool of model and price, and its worth. */
export const pooledFact = (demo: Demo, asked: Asked, isOwn: (row: Row) => boolean) =>
  Effect.map(demo.call(markets.edge, { min_edge: 0, ...asked }), ({ answer }) => {
    const row = answer.results.edges.find(isOwn)
    if (row === undefined) return {}
    const { market_prob, pooled_prob, pool_weight, expected_gain, side } = row
    return {
      "Model and price":
        pool_weight === 0
          ? `the price stands, ${percent(market_prob)}: the record gives the model no weight; ${side} is expected to gain ${gainInCents(expected_gain)} a contract`
          : `${percent(pooled_prob)} by weight ${pool_weight} of the model; ${side} is expected to gain ${gainInCents(expected_gain)} a contract`,
    }
  })

/** Contracts in the list. */
const shown = 16

/** The contracts on which model and market differ, and how both have moved. */
export const subject: Subject = {
  kind: "markets",
  title: "Contracts",
  empty: "Model and market agree within five points on every open contract.",
  list: (demo) =>
    Effect.map(demo.call(markets.edge, {}), ({ answer }) =>
      answer.results.edges.slice(0, shown).map(({ market, title }) => ({ id: market, name: title })),
    ),
  read: (demo, market) => {
    const call: Shown = { endpoint: markets.history, params: { market, limit: 1_000 } }
    return Effect.gen(function* () {
      const { answer } = yield* demo.call(markets.history, { market, limit: 1_000 })
      const { contracts, points } = answer.results
      const contract = contracts[0]!
      const last = points.at(-1)!
      const worth = contract.status === "open" ? yield* pooledFact(demo, { market }, () => true) : {}
      const view: View = {
        title: contract.title,
        lead: `${contract.market}, ${contract.status}: our probability and the market's price, as they were captured.`,
        pictures: [pictureOf(markets.history.id, { ...call, ...answer })],
        facts: {
          Last: `model ${percent(last.model_prob)}, market ${last.market_prob === undefined ? "without a price" : percent(last.market_prob)}, at ${last.at.slice(0, 16).replace("T", " ")} UTC`,
          ...worth,
          Closes: `${contract.close_time.slice(0, 16).replace("T", " ")} UTC`,
          ...(contract.result === undefined ? {} : { Result: contract.result }),
        },
        calls: [
          { ...call, isFree: answer.billable === false },
          { endpoint: markets.edge, params: { market } },
        ],
      }
      return view
    })
  },
}
