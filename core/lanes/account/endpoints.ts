import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { Price } from "../../endpoint/EnvelopeSchema.ts"
import * as Field from "../../endpoint/Field.ts"
import type * as Lane from "../../endpoint/Lane.ts"
import * as Param from "../../endpoint/Param.ts"
import { codes } from "../../Failure.ts"
import type { Asker } from "./Asker.ts"

/** A field in micro-dollars. */
export const micros = (description: string) => Field.integer(`Micro-dollars. ${description}`)

/** The key that asks: its limits, caps and spend. */
export const key = Endpoint.make({
  id: "key",
  path: "/v1/key",
  kind: "Data",
  priceMicros: 0,
  auth: "key",
  summary: "This key's own limits, caps, spend of the month and rate-limit state",
  example: {},
  params: Schema.Struct({}),
  results: Schema.Struct({
    key_id: Field.text(),
    environment: Field.text("`live` or `test`."),
    scopes: Field.optional(Schema.Array(Schema.String)),
    rate_limit: Schema.Struct({
      per_minute: Field.integer(),
      remaining: Field.integer(),
      reset_seconds: Field.integer("Until the bucket is full."),
    }),
    month: Field.text("The UTC month, YYYY-MM."),
    month_spent_micros: micros("Charged to this key in the month."),
    agent: Field.optional(
      Schema.Struct({
        id: Field.text(),
        name: Field.text(),
        monthly_cap_micros: Field.optional(micros("Per UTC month.")),
        budget_cap_micros: Field.optional(micros("Over the agent's life.")),
        month_spent_micros: micros("By all keys of the agent in the month, at list price."),
        total_spent_micros: micros("By all keys of the agent, at list price."),
        resets_at: Field.instant("The begin of the next month."),
      }),
    ),
    wallet: Field.optional(
      Schema.Struct({ balance_micros: micros("Of the account.") }).annotations({
        description: "Omitted for keys of an agent.",
      }),
    ),
  }).annotations({ identifier: "Key" }),
})

const mostCalls = 100

/** A plan of calls, priced before any of them is made. */
export const planEstimate = Endpoint.make({
  id: "plan_estimate",
  path: "/v1/plan/estimate",
  method: "POST",
  kind: "Data",
  priceMicros: 0,
  auth: "key",
  summary: "What a plan of up to 100 calls would cost, and the first of them that would fail",
  example: { calls: [{ endpoint: "weather_settlement", params: { station: "KNYC" } }, { endpoint: "crypto_signal" }] },
  params: Schema.Struct({
    calls: Schema.Array(
      Schema.Struct({
        endpoint: Schema.String.annotations({ description: "An endpoint's id or path." }),
        params: Param.optional(
          Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
            description: "Its parameters, as JSON.",
          }),
        ),
      }),
    )
      .pipe(Schema.minItems(1), Schema.maxItems(mostCalls))
      .annotations({ description: `The calls in their order, 1 to ${mostCalls}.` }),
  }),
  results: Schema.Struct({
    count: Field.integer(),
    calls: Schema.Array(
      Schema.Struct({
        index: Field.integer("0 for the first."),
        endpoint: Field.text(),
        price: Field.optional(Price),
        charged_micros: micros("What this key would be charged."),
        tokens_estimated: Field.optional(Field.integer("Tokens of this endpoint's example answer.")),
        ok: Field.boolean("Whether the call would be made and paid, all before it having been."),
        code: Field.optional(Field.text(`An error code, such as ${Object.keys(codes)[0]}.`)),
        message: Field.optional(Field.text()),
      }),
    ),
    total_micros: micros("What the calls that would succeed are charged."),
    total_list_micros: micros("All calls at list price."),
    tokens_estimated: Field.integer("Sum over the calls that would succeed."),
    affordable: Field.boolean("Whether caps and wallet cover every call of the plan."),
    first_failure: Field.optional(Field.integer("Index of the first call that would fail.")),
    balance_micros: Field.optional(micros("The wallet; keys of an agent do not see it.")),
  }).annotations({ identifier: "PlanEstimate" }),
})

export const endpoints = { key, planEstimate }

/** One method per endpoint of the lane; each answers about the caller. */
export interface AccountMethods extends Lane.Methods<typeof endpoints, Asker> {}
