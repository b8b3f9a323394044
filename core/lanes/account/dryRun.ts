import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CurrentCaller } from "../../account/CurrentCaller.ts"
import { Ledger } from "../../account/Ledger.ts"
import type { Answer } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { Price } from "../../endpoint/EnvelopeSchema.ts"
import * as Field from "../../endpoint/Field.ts"
import * as Pricing from "../../endpoint/Pricing.ts"
import { ifDefined } from "../../ifDefined.ts"
import { unpayable } from "../../rights/Rights.ts"
import { explainLedger, microsField, toWallet } from "./accountAnswer.ts"
import { ExampleTokens } from "./ExampleTokens.ts"

/** The results of a call with `dry_run=true`, instead of the endpoint's own. */
export const DryRun = Schema.Struct({
  quote: Schema.Struct({
    endpoint: Field.text("Path of the endpoint."),
    price: Price,
    charged_micros: microsField("The charge to this key."),
    affordable: Field.boolean("Whether caps and wallet allow the call now."),
    blocked_by: Field.optional(Field.text("The error code that the call would fail with.")),
    balance_micros: Field.optional(microsField("The wallet balance. Omitted for keys of an agent.")),
    tokens_estimated: Field.optional(Field.integer("Tokens of this endpoint's example answer.")),
  }),
}).annotations({ identifier: "DryRun" })

/** Makes a function that quotes a call to the caller and changes nothing. */
export const makeDryRun = Effect.gen(function* () {
  const ledger = yield* Ledger
  const exampleTokens = yield* ExampleTokens
  return Effect.fnUntraced(function* (endpoint: Endpoint.Any) {
    const { caller, startedAt } = yield* CurrentCaller
    const standing = yield* ledger.spendStatus(caller, startedAt)
    const tokens = yield* exampleTokens.of(endpoint, startedAt)
    const blockedBy = unpayable(standing, Pricing.quotePrice(endpoint, caller.livemode))
    const { explained, confidence } = explainLedger(
      "Checked parameters, caps and wallet. Nothing was computed or charged.",
    )
    const results: typeof DryRun.Encoded = {
      quote: {
        ...Pricing.quote(endpoint, caller.livemode),
        affordable: blockedBy === undefined,
        ...ifDefined("blocked_by", blockedBy),
        ...toWallet(caller, standing),
        ...ifDefined("tokens_estimated", tokens),
      },
    }
    return { results, ...explained, confidence, links: [], freshness: "live" } satisfies Answer<typeof DryRun.Encoded>
  })
})
