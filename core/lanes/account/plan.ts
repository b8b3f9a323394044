import * as Context from "effect/Context"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { CurrentCaller } from "../../account/CurrentCaller.ts"
import type { Price as Cost } from "../../account/decide.ts"
import type { Caller } from "../../account/Keyring.ts"
import { Ledger, type SpendStatus } from "../../account/Ledger.ts"
import type * as Catalogue from "../../endpoint/Catalogue.ts"
import * as decode from "../../endpoint/decode.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { Price } from "../../endpoint/EnvelopeSchema.ts"
import * as Field from "../../endpoint/Field.ts"
import * as Param from "../../endpoint/Param.ts"
import * as Pricing from "../../endpoint/Pricing.ts"
import { type Code, codes } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import * as Rights from "../../rights/Rights.ts"
import { yieldToEventLoop } from "../../yieldToEventLoop.ts"
import { dataTerms } from "../fields.ts"
import { explainLedger, microsField, toWallet } from "./accountAnswer.ts"
import { ExampleTokens } from "./ExampleTokens.ts"

export class PlannedCatalogue extends Context.Tag("market-signals/core/lanes/account/PlannedCatalogue")<
  PlannedCatalogue,
  Catalogue.Any
>() {}

/** A plan may have this many calls. */
export const maxCalls = 100

/** Calls that are checked between two yields to other fibers. */
const callsBetweenYields = 4

const unpaidCodes = new Set<string>(["agent_budget_exceeded", "insufficient_funds"] satisfies Array<Rights.Unpayable>)

const Call = Schema.Struct({
  endpoint: Schema.String.annotations({ description: "An endpoint's id or path." }),
  params: Param.optional(
    Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
      description: "Its parameters, as JSON.",
    }),
  ),
  // A misspelt `params` would be priced as a call without parameters.
}).annotations({ parseOptions: { onExcessProperty: "error" } })

const PlannedCall = Schema.Struct({
  index: Field.integer("0 for the first."),
  endpoint: Field.text(),
  price: Field.optional(Price),
  charged_micros: microsField("The charge to this key."),
  tokens_estimated: Field.optional(Field.integer("Tokens of this endpoint's example answer.")),
  ok: Field.boolean("Whether the call would succeed, given the charges of all calls before it."),
  code: Field.optional(Field.text(`An error code, such as ${Object.keys(codes)[0]}.`)),
  message: Field.optional(Field.text()),
})
type PlanLine = typeof PlannedCall.Encoded

/** The line of a call, and what it costs if it would succeed. */
const priceCall = (
  entry: Catalogue.Entry | undefined,
  { endpoint: name, params = {} }: typeof Call.Type,
  index: number,
  caller: Caller,
  standing: SpendStatus,
  before: Cost,
  now: number,
): readonly [PlanLine, Cost] => {
  const refused = (code: Code, message: string, shown: Partial<PlanLine> = {}): readonly [PlanLine, Cost] => [
    { index, endpoint: name, charged_micros: 0, ...shown, ok: false, code, message },
    Pricing.nothing,
  ]
  if (entry === undefined) return refused("not_found", `Unknown endpoint ${JSON.stringify(name)}.`)
  const { endpoint, lane } = entry
  const { price, charged_micros } = Pricing.quote(endpoint, caller.livemode)
  const shown = { endpoint: endpoint.path, price }
  const barred = endpoint.auth === "key" ? Rights.ofKey(caller).call(lane) : undefined
  if (barred !== undefined) return refused(barred.code, barred.message, shown)
  const decoded = decode.compile(endpoint)({ _tag: "Json", value: params }, now, false)
  if (Either.isLeft(decoded)) {
    const { code, message, hints = [] } = decoded.left
    return refused(code, [message, ...hints.map(({ suggestion }) => suggestion)].join(" "), shown)
  }
  const cost = Pricing.quotePrice(endpoint, caller.livemode)
  const blockedBy = Rights.unpayable(standing, cost, before)
  if (blockedBy !== undefined) return refused(blockedBy, codes[blockedBy].message, shown)
  return [{ index, ...shown, charged_micros, ok: true }, cost]
}

export const planEstimate = Endpoint.make("/v1/plan/estimate", {
  method: "POST",
  ...dataTerms(0),
  summary: `Cost of a plan of up to ${maxCalls} calls, and the first call that would fail`,
  example: { calls: [{ endpoint: "weather_settlement", params: { station: "KNYC" } }, { endpoint: "crypto_signal" }] },
  params: Schema.Struct({
    calls: Schema.Array(Call)
      .pipe(Schema.minItems(1), Schema.maxItems(maxCalls))
      .annotations({ description: `The calls in order, 1 to ${maxCalls}.` }),
  }),
  results: Schema.Struct({
    count: Field.integer(),
    calls: Schema.Array(PlannedCall),
    total_micros: microsField("Total charge of the calls that would succeed."),
    total_list_micros: microsField("All calls at list price."),
    tokens_estimated: Field.integer("Sum over the calls that would succeed."),
    affordable: Field.boolean("Whether caps and wallet cover every call of the plan."),
    first_failure: Field.optional(Field.integer("Index of the first call that would fail.")),
    balance_micros: Field.optional(microsField("The wallet balance. Omitted for keys of an agent.")),
  }).annotations({ identifier: "PlanEstimate" }),
  ports: { catalogue: PlannedCatalogue, ledger: Ledger, exampleTokens: ExampleTokens },
  answer: function* ({ calls }, { catalogue, ledger, exampleTokens }, give) {
    const { caller, startedAt } = yield* CurrentCaller
    const standing = yield* ledger.spendStatus(caller, startedAt)
    const lines: Array<PlanLine> = []
    let bill = Pricing.nothing
    for (const [index, planned] of calls.entries()) {
      if (index % callsBetweenYields === callsBetweenYields - 1) yield* yieldToEventLoop
      const entry = catalogue.byId.get(planned.endpoint) ?? catalogue.byPath.get(planned.endpoint)
      const [line, cost] = priceCall(entry, planned, index, caller, standing, bill, startedAt)
      // Counting the tokens of an example may take long the first time, so it is not done for refused calls.
      const tokens = line.ok ? yield* exampleTokens.of(entry!.endpoint, startedAt) : undefined
      lines.push({ ...line, ...ifDefined("tokens_estimated", tokens) })
      bill = Pricing.plus(bill, cost)
    }
    const first = lines.findIndex(({ ok }) => !ok)
    return give({
      results: {
        count: lines.length,
        calls: lines,
        total_micros: bill.micros,
        total_list_micros: lines.reduce((sum, { price }) => sum + (price?.micros ?? 0), 0),
        tokens_estimated: lines.reduce((sum, { tokens_estimated = 0 }) => sum + tokens_estimated, 0),
        affordable: !lines.some(({ code }) => code !== undefined && unpaidCodes.has(code)),
        ...(first === -1 ? {} : { first_failure: first }),
        ...toWallet(caller, standing),
      },
      ...explainLedger(
        "Checked every call's parameters and added up the prices in the order of the plan.",
        "Compared the sum with current caps and balance; other calls may spend in the meantime.",
      ),
    })
  },
})
