import * as Schema from "effect/Schema"
import { codes, hintActions } from "../Failure.ts"
import { anchoredLabel, freshnesses } from "./Answer.ts"
import * as Endpoint from "./Endpoint.ts"
import { version } from "./Envelope.ts"
import * as Field from "./Field.ts"

/*
 * Schemas of the wire bodies that `Envelope.ts` writes, for documents and tools. Nothing encodes with them.
 */

export const Price = Schema.Struct({ display: Field.text(), micros: Field.integer() }).annotations({
  identifier: "Price",
})

const Citation = Schema.Struct({
  step: Field.integer("1-based index into `_reasoning`."),
  source: Field.text(),
  locator: Field.text(
    "Where the source is looked up: a URL, a path of this service, or an id: of a climate report's product, a station, a game, a filing, or a venue's ticker.",
  ),
}).annotations({ identifier: "Citation" })

const Confidence = Schema.Struct({
  score: Field.probability("Judged by hand, as `factors` say: not a probability, not calibrated."),
  label: Schema.Literal("settlement", "reasoned").annotations({
    description: "`settlement`: recorded values. `reasoned`: model output, forecasts and guesses.",
  }),
  factors: Schema.Array(Schema.String),
}).annotations({ identifier: "Confidence" })

const Link = Schema.Struct({
  id: Field.text("A canonical id."),
  endpoints: Schema.Array(Schema.String).annotations({ description: "Calls that accept it: relative paths." }),
}).annotations({ identifier: "Link" })

const Alternative = Schema.Struct({
  id: Field.text(),
  label: Field.text(),
  score: Field.quantity("ratio"),
  why: Field.text(),
}).annotations({ identifier: "Alternative" })

const figures = (description: string) =>
  Field.optional(Schema.Record({ key: Schema.String, value: Field.number() }).annotations({ description }))

const Counterfactual = Schema.Struct({
  input: Field.optional(Field.text("The input that was changed.")),
  from: Field.optional(Field.number("As it was.")),
  to: Field.optional(Field.number("As it is in the comparison.")),
  result: figures("The model's figures with it, by name."),
  delta: figures("How far these are from the served ones."),
}).annotations({ identifier: "Counterfactual", description: "Empty if the endpoint computes none." })

const Suggestion = Schema.Struct({
  endpoint: Field.text("Path."),
  params: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  why: Field.text(),
  price: Price,
}).annotations({ identifier: "Suggestion" })

export const MarketAnchored = Schema.Struct({
  label: Schema.Literal(anchoredLabel),
  weight: Field.optional(
    Field.probability("The model's weight in log-odds, fitted on settled rows: 0 until it improves on the market."),
  ),
  laws: Schema.Array(
    Schema.Struct({
      variable: Field.text("The number: `high`, `low`, `margin`, `total`."),
      venue: Field.text(),
      venue_source: Field.text(
        "The venue's settlement source: the law is of its number, which may differ from the model's.",
      ),
      contracts: Field.integer("Contracts whose two-sided quotes the law has."),
      as_of: Field.instant("When the oldest of these quotes was read."),
      from: Field.integer("The number of the first element of `pmf` and `ge`."),
      pmf: Schema.Array(Field.probability()),
      ge: Schema.Array(Field.probability()).annotations({ description: "The probability of each number or more." }),
    }).annotations({ identifier: "AnchoredLaw" }),
  ),
  reason: Field.optional(Field.text("Why there is no law.")),
}).annotations({
  identifier: "MarketAnchored",
  description:
    "The signal's laws with the market's prices, and the model's shape between them. Not a model's forecast: never recorded, never scored.",
})

const Meta = Schema.Struct({
  request_id: Field.text(),
  latency_ms: Field.integer(),
  data_freshness: Schema.Literal(...freshnesses),
  tokens_estimated: Field.integer("Estimated tokens of this whole body: its UTF-8 bytes divided by four."),
  next_cursor: Field.optional(Field.text("`cursor` of the next page; omitted on the last one.")),
  record: Field.optional(
    Field.text("Address of the page of this answer's entry on the public record; only of recorded answers."),
  ),
  version: Schema.Literal(version),
  price: Schema.Struct({
    display: Field.text("The list price."),
    charged_micros: Field.integer("Micro-dollars taken from the wallet for this call."),
  }),
}).annotations({ identifier: "Meta" })

/** The fields of an enveloped answer in addition to `results`. */
export const envelopeFields = {
  _reasoning: Schema.Array(Schema.String),
  _citations: Schema.Array(Citation),
  _confidence: Confidence,
  _links: Schema.Array(Link),
  _alternatives: Field.optional(Schema.Array(Alternative)),
  _counterfactual: Field.optional(Counterfactual),
  _suggestions: Field.optional(Schema.Array(Suggestion)),
  _market_anchored: Field.optional(MarketAnchored),
  _meta: Meta,
}

/** The body of a 2xx answer of an endpoint in its full shape: enveloped, or plain where no key is needed. */
export const answer = (endpoint: Endpoint.AnyOperation): Schema.Schema.AnyNoContext =>
  Endpoint.isKeyless(endpoint)
    ? endpoint.results
    : Schema.Struct({ results: endpoint.results as Schema.Schema<unknown>, ...envelopeFields })

const Hint = Schema.Struct({
  field: Field.text(),
  action: Schema.Literal(...hintActions),
  suggestion: Field.text(),
}).annotations({ identifier: "Hint" })

/** Terms of payment by x402. */
export const Accept = Schema.Struct({
  scheme: Schema.Literal("exact"),
  network: Field.text("CAIP-2 id of the chain, such as `eip155:8453`."),
  amount: Field.text("Whole units of the token, decimal."),
  asset: Field.text("Address of the token's contract."),
  payTo: Field.text("Address that is paid."),
  maxTimeoutSeconds: Field.integer("For which a signed payment must be valid at most."),
  extra: Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
    description: "Name and version of the token, which are part of the signature.",
  }),
}).annotations({ identifier: "Accept" })

const Quote = Schema.Struct({
  endpoint: Field.text(),
  price: Price,
  balance_micros: Field.optional(Field.integer("Omitted for keys of an agent.")),
  shortfall_micros: Field.integer(),
  currency: Schema.Literal("USD"),
  topup_url: Field.text(),
  expires_at: Field.instant(),
  accepts: Schema.Array(Accept).annotations({
    description:
      "Terms of x402 on which the call is answered with a signed payment: its price first, then top-ups of the key's wallet. Empty if the operator accepts none.",
  }),
}).annotations({ identifier: "Quote" })

/** The body of every other answer. */
export const Failed = Schema.Struct({
  error: Schema.Struct({
    code: Schema.Literal(...(Object.keys(codes) as [keyof typeof codes, ...Array<keyof typeof codes>])),
    message: Field.text(),
    recoverable: Field.boolean("true: fix the request or wait, then retry. false: a person must act."),
    retry_after_ms: Schema.NullOr(Schema.Number.pipe(Schema.int())),
    docs_url: Field.text(),
    request_id: Field.text(),
    hints: Schema.Array(Hint),
    quote: Field.optional(Quote),
  }),
}).annotations({ identifier: "Error" })
