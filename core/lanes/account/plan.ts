import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { CurrentCaller } from "../../account/CurrentCaller.ts"
import type { Price } from "../../account/decide.ts"
import type { Caller } from "../../account/Keyring.ts"
import { Ledger, type SpendStatus } from "../../account/Ledger.ts"
import type * as Catalogue from "../../endpoint/Catalogue.ts"
import * as decode from "../../endpoint/decode.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Pricing from "../../endpoint/Pricing.ts"
import { Tariff } from "../../endpoint/Tariff.ts"
import { type Code, codes } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import * as Rights from "../../rights/Rights.ts"
import { yieldToEventLoop } from "../../yieldToEventLoop.ts"
import { accountAnswer, walletOf } from "./accountAnswer.ts"
import { ExampleTokens } from "./ExampleTokens.ts"
import type { planEstimate } from "./endpoints.ts"

/** Calls of a plan between two yields to other fibers. */
const stretch = 4

const unpaid = new Set<string>(["agent_budget_exceeded", "insufficient_funds"] satisfies Array<Rights.Unpayable>)

type Planned = Endpoint.Params<typeof planEstimate>["calls"][number]
type Line = Endpoint.Results<typeof planEstimate>["calls"][number]

/** The line of a call, and its price if it would succeed. */
const priced = (
  entry: Catalogue.Entry | undefined,
  { endpoint: name, params = {} }: Planned,
  index: number,
  caller: Caller,
  standing: SpendStatus,
  before: Price,
  tariff: Tariff["Type"],
  now: number,
): readonly [Line, Price] => {
  const refused = (code: Code, message: string, shown: Partial<Line> = {}): readonly [Line, Price] => [
    { index, endpoint: name, charged_micros: 0, ...shown, ok: false, code, message },
    Pricing.nothing,
  ]
  if (entry === undefined) return refused("not_found", `Unknown endpoint ${JSON.stringify(name)}.`)
  const { endpoint, lane } = entry
  const due = tariff.due(endpoint, caller)
  const { price, charged_micros } = Pricing.quote(endpoint, caller.livemode, due)
  const shown = { endpoint: endpoint.path, price }
  const barred = endpoint.auth === "key" ? Rights.ofKey(caller).call(lane) : undefined
  if (barred !== undefined) return refused(barred.code, barred.message, shown)
  const decoded = decode.compile(endpoint)({ _tag: "Json", value: params }, now, false)
  if (Either.isLeft(decoded)) {
    const { code, message, hints = [] } = decoded.left
    return refused(code, [message, ...hints.map(({ suggestion }) => suggestion)].join(" "), shown)
  }
  const cost = Pricing.priceOf(due, caller.livemode)
  const blockedBy = Rights.unpayable(standing, cost, before)
  if (blockedBy !== undefined) return refused(blockedBy, codes[blockedBy].message, shown)
  return [{ index, ...shown, charged_micros, ok: true }, cost]
}

/** Prices a plan of calls of the catalogue to the caller; changes nothing. */
export const make = Effect.fnUntraced(function* (catalogue: Catalogue.Any) {
  const ledger = yield* Ledger
  const exampleTokens = yield* ExampleTokens
  const tariff = yield* Tariff

  return Effect.fnUntraced(function* ({ calls }: Endpoint.Params<typeof planEstimate>) {
    const { caller, startedAt } = yield* CurrentCaller
    const standing = yield* ledger.spendStatus(caller, startedAt)
    const lines: Array<Line> = []
    let bill = Pricing.nothing
    for (const [index, planned] of calls.entries()) {
      if (index % stretch === stretch - 1) yield* yieldToEventLoop
      const entry = catalogue.byId.get(planned.endpoint) ?? catalogue.byPath.get(planned.endpoint)
      const [line, cost] = priced(entry, planned, index, caller, standing, bill, tariff, startedAt)
      // An example may be long work the first time, so none is asked for a refused call.
      const tokens = line.ok ? yield* exampleTokens.of(entry!.endpoint, startedAt) : undefined
      lines.push({ ...line, ...ifDefined("tokens_estimated", tokens) })
      bill = Pricing.plus(bill, cost)
    }
    const first = lines.findIndex(({ ok }) => !ok)
    return accountAnswer<Endpoint.Results<typeof planEstimate>>(
      {
        count: lines.length,
        calls: lines,
        total_micros: bill.micros,
        total_list_micros: lines.reduce((sum, { price }) => sum + (price?.micros ?? 0), 0),
        tokens_estimated: lines.reduce((sum, { tokens_estimated = 0 }) => sum + tokens_estimated, 0),
        affordable: !lines.some(({ code }) => code !== undefined && unpaid.has(code)),
        ...(first === -1 ? {} : { first_failure: first }),
        ...walletOf(caller, standing),
      },
      [
        "Checked every call's parameters and added up the prices in the order of the plan.",
        "Compared the sum with current caps and balance; other calls may spend in the meantime.",
      ],
    )
  })
})
