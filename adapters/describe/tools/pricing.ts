import * as Schema from "effect/Schema"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as EnvelopeSchema from "../../../core/endpoint/EnvelopeSchema.ts"
import * as Field from "../../../core/endpoint/Field.ts"
import * as JsonSchema from "../../../core/endpoint/jsonSchema.ts"
import * as Param from "../../../core/endpoint/Param.ts"
import * as Pricing from "../../../core/endpoint/Pricing.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { maxCalls, planEstimate } from "../../../core/lanes/account/plan.ts"
import { PaymentMethod } from "../../../core/payment/paymentMethods.ts"
import { type ObjectSchema, withObjectRoot, withoutDialect } from "./schemas.ts"

export const name = "pricing"

export const summary = `List all tool prices, or quote up to ${maxCalls} planned calls`

export const description = `${summary}: what they cost before they are made. For the balance, use \`wallet\`. The list needs no key. Free.`

const PriceList = Schema.Struct({
  currency: Schema.Literal("USD"),
  count: Field.integer(),
  free: Field.integer("Number of free tools."),
  ways_to_pay: Schema.Array(PaymentMethod),
  lowest_paid_micros: Field.integer("Lowest price of a paid tool, micro-dollars."),
  tools: Schema.Array(
    Schema.Struct({
      tool: Field.text(),
      endpoint: Field.text("The same call over HTTP."),
      summary: Field.text(),
      kind: Schema.Literal("Data", "Signal", "Proof"),
      auth: Schema.Literal("key", "none"),
      price: EnvelopeSchema.Price,
      charged_micros: Field.integer("Charge for a live key, micro-dollars. Test keys are free."),
    }),
  ),
}).annotations({ identifier: "PriceList" })

/** Planned calls, named by tool. */
const PlannedCalls = Schema.Array(
  Schema.Struct({
    tool: Schema.String,
    arguments: Param.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  }),
)

export const input: ObjectSchema = withObjectRoot(
  withoutDialect(
    JsonSchema.of(
      Schema.Struct({
        calls: Param.optional(
          PlannedCalls.annotations({
            description: `Planned calls, at most ${maxCalls}; quoted against the key's caps and wallet.`,
          }),
        ),
      }),
    ),
  ),
)

/** Translates the tool's arguments into a plan: `tool` becomes `endpoint`, `arguments` becomes `params`. */
export const toPlan = (args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Array.isArray(args["calls"]) ? { ...args, calls: args["calls"].map(toPlannedCall) } : args

const toPlannedCall = (call: unknown): unknown => {
  if (!JsonSchema.isObject(call)) return call
  const { tool, arguments: params, ...rest } = call
  return { ...ifDefined("endpoint", tool), ...ifDefined("params", params), ...rest }
}

/** The outline of an answer, for `tools/list`. */
export const outline: ObjectSchema = {
  type: "object",
  properties: { tools: { type: "array" }, results: { type: "object" } },
}

export const output: ObjectSchema = withObjectRoot(
  JsonSchema.of(Schema.Union(PriceList, EnvelopeSchema.answer(planEstimate) as Schema.Schema<unknown>)),
)

/** Prices of all tools, derived from the catalogue, and how to pay them. */
export const list = (catalogue: Catalogue.Any, waysToPay: ReadonlyArray<PaymentMethod>): typeof PriceList.Encoded => {
  const { endpoints, free, lowestPaidMicros } = Catalogue.counts(catalogue)
  return {
    currency: "USD",
    count: endpoints,
    free,
    ways_to_pay: waysToPay,
    lowest_paid_micros: lowestPaidMicros,
    tools: Catalogue.live(catalogue).map(({ endpoint }) => ({
      tool: endpoint.id,
      ...Pricing.quote(endpoint),
      summary: endpoint.summary,
      kind: endpoint.kind,
      auth: endpoint.auth,
    })),
  }
}
