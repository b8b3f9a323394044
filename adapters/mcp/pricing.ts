import * as Schema from "effect/Schema"
import { display } from "../../core/account/Money.ts"
import * as Pricing from "../../core/account/Pricing.ts"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as EnvelopeSchema from "../../core/endpoint/EnvelopeSchema.ts"
import * as Field from "../../core/endpoint/Field.ts"
import * as JsonSchema from "../../core/endpoint/jsonSchema.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { planEstimate } from "../../core/lanes/account/endpoints.ts"
import { type ObjectSchema, rooted } from "./schemas.ts"

export const name = "pricing"

export const summary = "Price list of every tool, or the cost of a plan of calls"

const PriceList = Schema.Struct({
  currency: Schema.Literal("USD"),
  count: Field.integer(),
  free: Field.integer("Tools that cost nothing."),
  lowest_paid_micros: Field.integer("The cheapest of the others, micro-dollars."),
  tools: Schema.Array(
    Schema.Struct({
      tool: Field.text(),
      endpoint: Field.text("The same call over HTTP."),
      summary: Field.text(),
      kind: Schema.Literal("Data", "Signal", "Proof"),
      auth: Schema.Literal("key", "none"),
      price: EnvelopeSchema.Price,
      charged_micros: Field.integer("What a live key is charged; test keys are charged nothing."),
    }),
  ),
}).annotations({ identifier: "PriceList" })

export const input: ObjectSchema = rooted(
  JsonSchema.of(
    Schema.Struct({
      calls: Param.optional(
        planEstimate.params.fields.calls.annotations({
          description:
            "A plan of calls in their order: quoted one by one against this key's caps and wallet. Without it: the price list, which needs no key.",
        }),
      ),
    }),
  ),
)

export const output: ObjectSchema = rooted(
  JsonSchema.of(Schema.Union(PriceList, EnvelopeSchema.answer(planEstimate) as Schema.Schema<unknown>)),
)

/** What every tool costs, folded from the catalogue. */
export const list = (catalogue: Catalogue.Any): typeof PriceList.Encoded => {
  const { endpoints, free, lowestPaidMicros } = Catalogue.counts(catalogue)
  return {
    currency: "USD",
    count: endpoints,
    free,
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

/** Nothing is charged for a price. */
export const priceMicros = 0
export const price: string = display(priceMicros)
