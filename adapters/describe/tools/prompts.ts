import { domains } from "../../../core/call/Contract.ts"
import * as Release from "../../../core/release.ts"

interface Argument {
  readonly name: string
  readonly description: string
  readonly required?: true
}

/** An MCP prompt: a job that a person picks in a client; `text` is the first message. */
interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: ReadonlyArray<Argument>
  readonly text: (values: Readonly<Record<string, string>>) => string
}

const budget: Argument = { name: "max_usd", description: "Most to spend on calls, USD; default 0.05." }
const budgetNote = (usd = "0.05") =>
  `I allow ${usd} USD: quote the plan with \`pricing\`, and ask before you spend more.`

export const prompts: ReadonlyArray<Prompt> = [
  {
    name: "price_temperature_contract",
    title: "Price a temperature contract",
    description: "Our probability of a temperature contract, beside its price, fee and settlement rule",
    arguments: [{ name: "contract", description: "The ticker, or the contract in words.", required: true }, budget],
    text: ({ contract, max_usd }) =>
      `Price this temperature contract with ${Release.name}: ${contract}. ${budgetNote(max_usd)}
Find the station with \`weather_stations\`. Read P(at least) of the strike from \`weather_signal\` of that station and day, and what was measured so far from \`weather_settlement\`. Call \`markets_edge\` with \`market\` set to the contract's ticker and \`min_edge\` 0.
Answer with: the probability of yes and its confidence; the market's bid and ask; the expected gain by the pool of model and price, and the pool's weight; which report and which version of it settles the contract, and how often the venue's source agreed with it; what was charged.`,
  },
  {
    name: "review_board",
    title: "Review the board",
    description: "Open contracts on which model and market differ, and which of them are worth acting on",
    arguments: [
      { name: "domain", description: `${domains.join(", ")}; default all.` },
      { name: "min_edge", description: "Least difference, 0 to 1; default 0.05." },
      budget,
    ],
    text: ({ domain, min_edge = "0.05", max_usd }) =>
      `Review the open contracts on the board of ${Release.name}. ${budgetNote(max_usd)}
Call \`markets_edge\` with \`min_edge\` ${min_edge}${domain ? ` and \`domain\` ${domain}` : ""}. Read \`markets_performance\`: in each domain of the rows, does the model beat the market, by how much, over how many contracts?
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
Read the totals from \`markets_performance\` and, for the domain of the claim, \`weather_performance\`, \`nfl_performance\`, \`mlb_performance\` or \`crypto_performance\`; read rows from \`markets_settled\`. From the rows compute the Brier scores of model and market yourself, and say what share of the settled contracts these rows are.
Answer with: holds, does not hold, or too few contracts to say; the numbers with their count; what the claim leaves out; and the rows that speak most against your verdict.`,
  },
]
