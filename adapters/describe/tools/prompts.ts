import * as Release from "../../../core/release.ts"

interface Argument {
  readonly name: string
  readonly description: string
  readonly required?: true
}

type Given = Readonly<Record<string, string>>

/** A job that a person picks in a client, as the message that begins it. */
interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: ReadonlyArray<Argument>
  readonly text: (given: Given) => string
}

const budgetNote = "Quote the plan with `pricing` first, and stop where it costs more than I allow."

export const prompts: ReadonlyArray<Prompt> = [
  {
    name: "price_temperature_contract",
    title: "Price a temperature contract",
    description: "Our probability of a temperature contract, beside its price, fee and settlement rule",
    arguments: [
      { name: "contract", description: "The venue's ticker, or the contract in words.", required: true },
      { name: "max_usd", description: "Most to spend on calls, USD." },
    ],
    text: ({ contract, max_usd = "0.05" }) =>
      `Price this temperature contract with ${Release.name}: ${contract}. I allow ${max_usd} USD. ${budgetNote}
Find the station with \`weather_stations\`. Read P(at least) of the strike from \`weather_signal\` of that station and day, and what was measured so far from \`weather_settlement\`. Look for the contract on \`markets_edge\` with \`market\`.
Answer with: the probability of yes and its confidence; the market's bid and ask; the expected gain by the pool of model and price, and the pool's weight; which report and which version of it settles the contract, and how often the venue's source agreed with it; what was charged.`,
  },
  {
    name: "review_board",
    title: "Review the board",
    description: "Open contracts on which model and market differ, and which of them are worth acting on",
    arguments: [
      { name: "domain", description: "weather, nfl, mlb or crypto; default all." },
      { name: "min_edge", description: "Least difference, 0 to 1; default 0.05." },
    ],
    text: ({ domain, min_edge }) =>
      `Review the open contracts of ${Release.name}${domain === undefined ? "" : ` in ${domain}`}. ${budgetNote}
Call \`markets_edge\`${[domain === undefined ? "" : ` with domain ${domain}`, min_edge === undefined ? "" : ` with min_edge ${min_edge}`].join("")}. Read \`markets_performance\`: does the model beat the market in that domain, by how much, over how many contracts?
Of each row state the side, the ask, \`expected_gain\` (by model and price together) with \`pool_weight\`, \`edge_after_fee\` (the gain if the model alone were right), the size at the ask, the spread, the time to the close and every quality flag. Call the row's signal where its inputs decide. Name the rows that you would leave alone, and why: no expected gain, a wide spread, a small size, another settlement source, a domain in which the market was better.`,
  },
  {
    name: "audit_claim",
    title: "Audit a claim of accuracy",
    description: "Whether a claim about the models holds on the public record",
    arguments: [
      { name: "claim", description: "The claim, such as “the weather model beats the market”.", required: true },
    ],
    text: ({ claim }) =>
      `Audit this claim on the public record of ${Release.name}: “${claim}”. All that you need is free.
Read \`markets_performance\`, \`nfl_performance\` or \`mlb_performance\` for the totals, and \`markets_settled\` for the rows: compute the Brier scores of model and market and the share of contracts that you counted yourself.
Answer with: holds, does not hold, or too few contracts to say; the numbers with their count; what the claim leaves out; and the rows that speak most against your verdict.`,
  },
]
