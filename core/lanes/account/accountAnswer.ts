import type { Caller } from "../../account/Keyring.ts"
import type { Standing } from "../../account/Ledger.ts"
import type { Answer } from "../../endpoint/Answer.ts"

/** An answer that is read off the account's books. */
export const accountAnswer = <Results>(results: Results, reasoning: ReadonlyArray<string>): Answer<Results> => ({
  results,
  reasoning,
  citations: [{ step: 1, source: "account books", locator: "ledger" }],
  confidence: { score: 1, label: "settlement", factors: ["read from the account's own books"] },
  links: [],
  freshness: "live",
})

/** The wallet, which keys of an agent do not see. */
export const walletOf = ({ agent }: Caller, { balance }: Standing) =>
  agent === undefined ? { balance_micros: balance } : {}
