import type { Caller } from "../../account/Keyring.ts"
import type { SpendStatus } from "../../account/Ledger.ts"
import type { Answer } from "../../endpoint/Answer.ts"
import { recorded } from "../confidence.ts"

/** An answer read from the account ledger. */
export const accountAnswer = <Results>(results: Results, reasoning: ReadonlyArray<string>): Answer<Results> => ({
  results,
  reasoning,
  citations: [{ step: 1, source: "account ledger", locator: "/v1/key" }],
  confidence: recorded(1, "read from the account ledger"),
  links: [],
  freshness: "live",
})

/** The wallet balance; hidden from an agent's keys. */
export const walletOf = ({ agent }: Caller, { balance }: SpendStatus) =>
  agent === undefined ? { balance_micros: balance } : {}
