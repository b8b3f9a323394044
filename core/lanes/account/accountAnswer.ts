import type { Caller } from "../../account/Keyring.ts"
import type { SpendStatus } from "../../account/Ledger.ts"
import { cite, explain, step } from "../../endpoint/explain.ts"
import * as Field from "../../endpoint/Field.ts"
import { recorded } from "../confidence.ts"

export const microsField = (description: string) => Field.integer(`Micro-dollars. ${description}`)

/** The reasoning and confidence of an answer from the account ledger. */
export const explainLedger = (first: string, ...more: ReadonlyArray<string>) => ({
  explained: explain(step(first, cite("account ledger", "/v1/key")), ...more),
  confidence: recorded(1, "read from the account ledger"),
})

/** The wallet balance, which is hidden from an agent's keys. */
export const toWallet = ({ agent }: Caller, { balance }: SpendStatus) =>
  agent === undefined ? { balance_micros: balance } : {}
