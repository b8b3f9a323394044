import * as Effect from "effect/Effect"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import { percent } from "../pictures/frame.ts"
import { pictureOf } from "../pictures/pictures.tsx"
import type { Shown, Subject, View } from "./Subject.ts"

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
    return Effect.map(demo.call(markets.history, { market, limit: 1_000 }), ({ answer }): View => {
      const { contracts, points } = answer.results
      const contract = contracts[0]!
      const last = points.at(-1)!
      return {
        title: contract.title,
        lead: `${contract.market}, ${contract.status}: our probability and the market's price, as they were captured.`,
        pictures: [pictureOf(markets.history.id, { ...call, ...answer })],
        facts: {
          Last: `model ${percent(last.model_prob)}, market ${last.market_prob === undefined ? "without a price" : percent(last.market_prob)}, at ${last.at.slice(0, 16).replace("T", " ")} UTC`,
          Closes: `${contract.close_time.slice(0, 16).replace("T", " ")} UTC`,
          ...(contract.result === undefined ? {} : { Result: contract.result }),
        },
        calls: [
          { ...call, isFree: answer.billable === false },
          { endpoint: markets.edge, params: { market } },
        ],
      }
    })
  },
}
