import * as Schema from "effect/Schema"
import type { CurrentCaller } from "../../account/CurrentCaller.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { Price } from "../../endpoint/EnvelopeSchema.ts"
import * as Field from "../../endpoint/Field.ts"
import type * as Lane from "../../endpoint/Lane.ts"
import * as Param from "../../endpoint/Param.ts"
import { codes } from "../../Failure.ts"
import { PaymentMethod } from "../../payment/paymentMethods.ts"
import { data } from "../fields.ts"

/** A field in micro-dollars. */
export const micros = (description: string) => Field.integer(`Micro-dollars. ${description}`)

/** The calling key: its limits, caps and spend. */
export const key = Endpoint.declare({
  path: "/v1/key",
  ...data(0),
  summary: "This key's limits, caps, monthly spend and rate-limit state",
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
        budget_cap_micros: Field.optional(micros("Lifetime cap.")),
        month_spent_micros: micros("By all keys of the agent in the month, at list price."),
        total_spent_micros: micros("By all keys of the agent, at list price."),
        resets_at: Field.instant("Start of the next UTC month."),
      }),
    ),
    wallet: Field.optional(
      Schema.Struct({ balance_micros: micros("Of the account.") }).annotations({
        description: "Omitted for keys of an agent.",
      }),
    ),
  }).annotations({ identifier: "Key" }),
})

/** The wallet of the key's account. */
export const wallet = Endpoint.declare({
  path: "/v1/wallet",
  ...data(0),
  summary: "The wallet: balance, the month's spend, open orders and the ways to pay",
  use: "How much money is left, and how to add some.",
  example: {},
  params: Schema.Struct({}),
  results: Schema.Struct({
    balance_micros: Field.optional(micros("Omitted for keys of an agent.")),
    month: Field.text("The UTC month, YYYY-MM."),
    month_spent_micros: Field.optional(
      micros("By all keys of the account in the month. Omitted for keys of an agent."),
    ),
    open_orders: Field.optional(
      Schema.Array(
        Schema.Struct({
          id: Field.text("The id of its credit in the journal, once it is paid."),
          provider: Field.text(),
          micros: micros("To be paid and credited."),
          pay_url: Field.optional(Field.text("Where to pay.")),
          expires_at: Field.optional(Field.instant("Until when it can be paid.")),
        }),
      ).annotations({ description: "Payments that nobody has made yet. Omitted for keys of an agent." }),
    ),
    ways_to_pay: Schema.Array(PaymentMethod),
  }).annotations({ identifier: "Wallet" }),
})

/** Most calls of a plan. */
export const maxCalls = 100

/** The price of a plan of calls, before any call. */
export const planEstimate = Endpoint.declare({
  path: "/v1/plan/estimate",
  method: "POST",
  ...data(0),
  summary: `Cost of a plan of up to ${maxCalls} calls, and the first call that would fail`,
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
        // A misspelt `params` would be priced as a call without parameters.
      }).annotations({ parseOptions: { onExcessProperty: "error" } }),
    )
      .pipe(Schema.minItems(1), Schema.maxItems(maxCalls))
      .annotations({ description: `The calls in order, 1 to ${maxCalls}.` }),
  }),
  results: Schema.Struct({
    count: Field.integer(),
    calls: Schema.Array(
      Schema.Struct({
        index: Field.integer("0 for the first."),
        endpoint: Field.text(),
        price: Field.optional(Price),
        charged_micros: micros("The charge to this key."),
        tokens_estimated: Field.optional(Field.integer("Tokens of this endpoint's example answer.")),
        ok: Field.boolean("Whether the call would succeed, given the charges of all calls before it."),
        code: Field.optional(Field.text(`An error code, such as ${Object.keys(codes)[0]}.`)),
        message: Field.optional(Field.text()),
      }),
    ),
    total_micros: micros("Total charge of the calls that would succeed."),
    total_list_micros: micros("All calls at list price."),
    tokens_estimated: Field.integer("Sum over the calls that would succeed."),
    affordable: Field.boolean("Whether caps and wallet cover every call of the plan."),
    first_failure: Field.optional(Field.integer("Index of the first call that would fail.")),
    balance_micros: Field.optional(micros("The wallet balance. Omitted for keys of an agent.")),
  }).annotations({ identifier: "PlanEstimate" }),
})

export const endpoints = { key, wallet, planEstimate }

/** One method per endpoint of the lane, about the caller. */
export interface AccountMethods extends Lane.Methods<typeof endpoints, CurrentCaller> {}
