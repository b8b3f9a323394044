import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PricedSignal } from "../../../core/contracts/ContractPricing.ts"
import { fail } from "../../../core/Failure.ts"
import { PricingLanes, SourceResults, Venues } from "../../../core/lanes/markets/ports.ts"
import { toInputs } from "../../../core/record/captures/RecordInputs.ts"
import { type Domain, domains } from "../../../core/record/scoreboard/Settled.ts"
import { contractAt, pricedAt, tradingAt } from "./open.ts"
import { resultOf, sourceKnownAt, sourceResultOf, type WorldContract, type WorldEvent } from "./world.ts"

interface Listed {
  readonly event: WorldEvent
  readonly contract: WorldContract
}

export interface WorldOptions {
  /** Replaces the model's price, millionths: an injected fault. */
  readonly model?: (event: WorldEvent, contract: WorldContract, at: number) => number
  /** Times at which the venue fails. */
  readonly isDown?: (now: number) => boolean
}

/**
 * The mock world as a venue: quotes, early closes, voids and results, plus the mock models and the results of their own
 * sources. It settles every listed contract; unlisted ones are unknown to it.
 */
export const layer = ({
  model,
  isDown = () => false,
}: WorldOptions = {}): Layer.Layer<PricingLanes | SourceResults | Venues> =>
  Layer.suspend(() => {
    const listed = new Map<string, Listed>()
    const asked = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      isDown(now) ? Effect.fail(fail("upstream_unavailable", { retryAfterMs: 60_000 })) : Effect.succeed(now),
    )
    const venues = Layer.succeed(Venues, [
      {
        name: "mock",
        domains,
        open: (domain) =>
          Effect.map(asked, (now) => ({
            items: tradingAt(domain, now).flatMap((event) =>
              event.contracts.map((contract) => {
                listed.set(contract.ticker, { event, contract })
                return contractAt(event, contract, now)
              }),
            ),
            failed: [],
          })),
        outcomes: (tickers) =>
          Effect.map(asked, (now) => ({
            items: tickers.flatMap((ticker) => {
              const found = listed.get(ticker)
              return found === undefined || now < found.event.settlesAt
                ? []
                : [{ ticker, closedAt: found.event.closesAt, result: resultOf(found.event, found.contract) }]
            }),
            failed: [],
          })),
      },
    ])
    const models = Layer.succeed(PricingLanes, {
      price: (contracts) =>
        Effect.sync(() => {
          const signals = new Map<string, PricedSignal>()
          for (const { ticker, quotedAt } of contracts) {
            const { event, contract } = listed.get(ticker)!
            const own = pricedAt(event, contract, quotedAt)
            const row = model === undefined ? own : { ...own, model: model(event, contract, quotedAt) }
            const subject = { _tag: "Game", id: event.ticker } as const
            const before = signals.get(event.ticker)
            signals.set(event.ticker, {
              lane: row.lane,
              subject,
              record: {
                lane: row.lane,
                endpoint: "markets_edge",
                subject,
                modelVersion: row.modelVersion,
                at: quotedAt,
                params: { event: event.ticker },
                output: () => ({ ...(before?.record.output() as object | undefined), [ticker]: row.model }),
                // The world is known for good: an instant is all that is computed from.
                inputs: toInputs({ event: event.ticker, at: quotedAt }),
                closeTime: row.closeTime,
              },
              contracts: [...(before?.contracts ?? []), row],
            })
          }
          return { signals: [...signals.values()], warnings: [], unknownSources: [] }
        }),
    })
    const sources = Layer.succeed(SourceResults, {
      revisableDomains: new Set<Domain>(),
      read: (contracts) =>
        Effect.map(Clock.currentTimeMillis, (now) => ({
          results: new Map(
            contracts.flatMap(({ ticker }) => {
              const { event, contract } = listed.get(ticker)!
              return now < sourceKnownAt(event) ? [] : [[ticker, sourceResultOf(event, contract)] as const]
            }),
          ),
          failed: [],
          warnings: [],
        })),
    })
    return Layer.mergeAll(venues, models, sources)
  })
