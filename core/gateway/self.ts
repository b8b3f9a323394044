import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { nextMonth } from "../account/Agent.ts"
import type { Caller } from "../account/Keyring.ts"
import { Ledger, type Standing } from "../account/Ledger.ts"
import * as Pricing from "../account/Pricing.ts"
import { RateLimits } from "../account/RateLimits.ts"
import { breath } from "../breath.ts"
import type { Answer } from "../endpoint/Answer.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import type * as decode from "../endpoint/decode.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import * as Select from "../endpoint/Select.ts"
import { type Code, codes, type Failure } from "../Failure.ts"
import type { Call } from "./Call.ts"
import { LaneSets } from "./LaneSets.ts"
import { type DryRun, key, planEstimate } from "./service.ts"

/** Calls of a plan that are looked at in one turn. */
const stretch = 4

type Handler = (call: Call, caller: Caller, params: unknown) => Effect.Effect<Answer<unknown>, Failure>

/** What is read off the books, told as it stands. */
const told = <Results>(results: Results, reasoning: ReadonlyArray<string>): Answer<Results> => ({
  results,
  reasoning,
  citations: [{ step: 1, source: "account books", locator: "ledger" }],
  confidence: { score: 1, label: "settlement", factors: ["read from the account's own books"] },
  links: [],
  freshness: "live",
})

const walletOf = ({ agent }: Caller, { balance }: Standing) => (agent === undefined ? { balance_micros: balance } : {})

/** The answers about a caller itself: what it has left, and what calls would cost it. They decide and leave nothing. */
export const make = Effect.fnUntraced(function* (
  catalogue: Catalogue.Any,
  decoders: ReadonlyMap<string, decode.Decode>,
) {
  const ledger = yield* Ledger
  const limits = yield* RateLimits
  const { test } = yield* LaneSets

  /** Tokens of the answer that the mock lanes give to each endpoint's example: made when first asked for, then kept. */
  const typical = new Map<string, number | undefined>()
  const tokensOf = (endpoint: Endpoint.Any, now: number): Effect.Effect<number | undefined> =>
    Effect.suspend(() => {
      if (typical.has(endpoint.id)) return Effect.succeed(typical.get(endpoint.id))
      const example = endpoint.example as Readonly<Record<string, unknown>>
      const decoded = decoders.get(endpoint.id)!({ _tag: "Json", value: example }, now)
      const handler = test.get(endpoint.id)
      if (Either.isLeft(decoded) || handler === undefined) return Effect.succeed(undefined)
      return handler(decoded.right.params).pipe(
        Effect.map(({ results }) => Envelope.tokens(JSON.stringify(Select.apply(decoded.right.mask, results)))),
        // An example that does not answer has no typical size: the estimate is left out.
        Effect.orElseSucceed(() => undefined),
        Effect.tap((tokens) => Effect.sync(() => typical.set(endpoint.id, tokens))),
      )
    })

  const dryRun = (call: Call, caller: Caller, endpoint: Endpoint.Any) =>
    Effect.zipWith(ledger.standing(caller, call.startedAt), tokensOf(endpoint, call.startedAt), (standing, tokens) => {
      const obstacle = Pricing.obstacle(standing, Pricing.priceOf(endpoint, caller.livemode))
      return told<typeof DryRun.Encoded>(
        {
          quote: {
            ...Pricing.quote(endpoint, caller.livemode),
            affordable: obstacle === undefined,
            ...(obstacle === undefined ? {} : { obstacle }),
            ...walletOf(caller, standing),
            ...(tokens === undefined ? {} : { tokens_estimated: tokens }),
          },
        },
        ["Checked the call and its price against caps and wallet; nothing was computed and nothing was charged."],
      )
    })

  const keyAnswer = (call: Call, caller: Caller) =>
    Effect.zipWith(
      ledger.standing(caller, call.startedAt),
      limits.look(caller.keyId, caller.perMinute),
      (standing, { limit, remaining, resetSeconds }) =>
        told<Endpoint.Results<typeof key>>(
          {
            key_id: caller.keyId,
            environment: caller.livemode ? "live" : "test",
            ...(caller.scopes === undefined ? {} : { scopes: caller.scopes }),
            rate_limit: { per_minute: limit, remaining, reset_seconds: resetSeconds },
            month: standing.month,
            month_spent_micros: standing.monthSpent,
            ...(standing.agent === undefined
              ? { wallet: { balance_micros: standing.balance } }
              : {
                  agent: {
                    id: caller.agent!.id,
                    name: standing.agent.name,
                    ...(standing.agent.monthlyCap === undefined
                      ? {}
                      : { monthly_cap_micros: standing.agent.monthlyCap }),
                    ...(standing.agent.budgetCap === undefined ? {} : { budget_cap_micros: standing.agent.budgetCap }),
                    month_spent_micros: standing.agent.monthSpent,
                    total_spent_micros: standing.agent.totalSpent,
                    resets_at: new Date(nextMonth(call.startedAt)).toISOString(),
                  },
                }),
          },
          ["Read the limits, caps and spend of the key that asks."],
        ),
    )

  type Planned = Endpoint.Params<typeof planEstimate>["calls"][number]
  type Line = Endpoint.Results<typeof planEstimate>["calls"][number]

  /** The line of a call, and what it adds to the bill when it would be made. */
  const priced = (
    { endpoint: name, params = {} }: Planned,
    index: number,
    caller: Caller,
    standing: Standing,
    before: Pricing.Price,
    tokens: number | undefined,
    now: number,
  ): readonly [Line, Pricing.Price] => {
    const entry = catalogue.byId.get(name) ?? catalogue.byPath.get(name)
    const refused = (code: Code, message: string, shown: Partial<Line> = {}): readonly [Line, Pricing.Price] => [
      { index, endpoint: name, charged_micros: 0, ...shown, ok: false, code, message },
      Pricing.nothing,
    ]
    if (entry === undefined) return refused("not_found", `There is no endpoint ${JSON.stringify(name)}.`)
    const { endpoint, lane } = entry
    const { price, charged_micros } = Pricing.quote(endpoint, caller.livemode)
    const shown = { endpoint: endpoint.path, price }
    if (endpoint.auth === "key" && caller.scopes?.includes(lane.name) === false) {
      return refused("insufficient_scope", codes.insufficient_scope.message, shown)
    }
    const decoded = decoders.get(endpoint.id)!({ _tag: "Json", value: params }, now, false)
    if (Either.isLeft(decoded)) {
      const { code, message, hints = [] } = decoded.left
      return refused(code, [message, ...hints.map(({ suggestion }) => suggestion)].join(" "), shown)
    }
    const cost = Pricing.priceOf(endpoint, caller.livemode)
    const obstacle = Pricing.obstacle(standing, cost, before)
    if (obstacle !== undefined) return refused(obstacle, codes[obstacle].message, shown)
    return [
      { index, ...shown, charged_micros, ...(tokens === undefined ? {} : { tokens_estimated: tokens }), ok: true },
      cost,
    ]
  }

  const plan = Effect.fnUntraced(function* (call: Call, caller: Caller, calls: ReadonlyArray<Planned>) {
    const standing = yield* ledger.standing(caller, call.startedAt)
    const lines: Array<Line> = []
    let bill = Pricing.nothing
    for (const [index, planned] of calls.entries()) {
      if (index % stretch === stretch - 1) yield* breath
      const entry = catalogue.byId.get(planned.endpoint) ?? catalogue.byPath.get(planned.endpoint)
      const tokens = entry === undefined ? undefined : yield* tokensOf(entry.endpoint, call.startedAt)
      const [line, cost] = priced(planned, index, caller, standing, bill, tokens, call.startedAt)
      lines.push(line)
      bill = Pricing.plus(bill, cost)
    }
    const first = lines.findIndex(({ ok }) => !ok)
    const unpaid = new Set<string>(["agent_budget_exceeded", "insufficient_funds"] satisfies Array<Pricing.Obstacle>)
    return told<Endpoint.Results<typeof planEstimate>>(
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
        "Held the sum against caps and wallet as they stand now; other calls may spend meanwhile.",
      ],
    )
  })

  /** By the endpoint's id. */
  const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
    [key.id, keyAnswer],
    [
      planEstimate.id,
      (call, caller, params) => plan(call, caller, (params as Endpoint.Params<typeof planEstimate>).calls),
    ],
  ])
  return { dryRun, handlers }
})
