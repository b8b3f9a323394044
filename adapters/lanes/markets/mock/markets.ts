import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { breath } from "../../../../core/breath.ts"
import { pricings } from "../../../../core/lanes/all.ts"
import { Eager } from "../../../../core/lanes/Eager.ts"
import type { MarketsPorts } from "../../../../core/lanes/markets/Markets.ts"
import { after, inOrder } from "../../../../core/lanes/markets/pages.ts"
import {
  type Current,
  type Open,
  OpenContracts,
  Scoreboard,
  SettledRows,
} from "../../../../core/lanes/markets/ports.ts"
import * as signalCalls from "../../../../core/lanes/markets/signalCalls.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import { type CurrentRow, type Domain, domains } from "../../../../core/record/scoreboard/Settled.ts"
import { hour, minute } from "../../../../core/time.ts"
import { season as baseballSeason } from "../../baseball/mock/baseball.ts"
import { awaitingAt, openAt, tradingAt } from "./open.ts"
import type { Finals, Pricers } from "./pricing.ts"
import { capturedAt, captureOf, rowsOf, settledBy } from "./settled.ts"

/** The record of the generated world. */
interface World {
  readonly rows: ReadonlyMap<Domain, ReadonlyArray<CurrentRow>>
  readonly board: Board.Board
  readonly settledAt: number
}

const currentOf = ({ board, settledAt }: Pick<World, "board" | "settledAt">): Current => ({ board, settledAt })

/** Listings of one step, to settle and to count: a few milliseconds each. */
const [few, stretch] = [10, 40]

const count = (listings: ReturnType<typeof tradingAt>): number =>
  listings.reduce((sum, { contracts }) => sum + contracts.length, 0)

/** The seasons that a starter's career reaches back to. Each is generated once, which takes a while. */
const career = 4
const baseballReady = (at: number): Effect.Effect<void> =>
  Effect.forEach(
    Array.from({ length: career + 2 }, (_, back) => new Date(at).getUTCFullYear() - back),
    (year) =>
      Effect.zipRight(
        breath,
        Effect.sync(() => baseballSeason(year)),
      ),
    { discard: true },
  )

const make = Effect.gen(function* () {
  const context = yield* Effect.context<Finals | Pricers>()
  const scope = yield* Effect.scope

  /** The rows of a listing never change: each is priced and settled once, and kept for as long as it is on the board. */
  let known = new Map<string, ReadonlyArray<CurrentRow>>()

  /** The last record that was computed, and the hour that it is of. */
  let latest: (Omit<World, "rows"> & { readonly at: number }) | undefined

  const worldAt = (at: number): Effect.Effect<World> =>
    Effect.gen(function* () {
      yield* baseballReady(at)
      const cached = new Map<string, ReadonlyArray<CurrentRow>>()
      const rows = new Map<Domain, ReadonlyArray<CurrentRow>>()
      const board = Board.empty()
      let settledAt = 0
      for (const domain of domains) {
        const listings = settledBy(domain, at)
        // In the order of the questions: a tape moves on by what is new, and back from its beginning.
        const missing = listings.filter(({ ticker }) => !known.has(ticker))
        const inTime = [...missing].sort((a, b) => capturedAt(a) - capturedAt(b))
        const captured = yield* Effect.forEach(inTime, (listing) => Effect.zipLeft(captureOf(listing), breath))
        for (const [index, one] of captured.entries()) {
          known.set(one.listing.ticker, yield* rowsOf(one, at))
          if (index % few === few - 1) yield* breath
        }
        const own: Array<CurrentRow> = []
        for (const [index, { ticker, settlesAt }] of listings.entries()) {
          const found = known.get(ticker) ?? []
          cached.set(ticker, found)
          for (const row of found) Board.add(board, row)
          own.push(...found)
          settledAt = Math.max(settledAt, settlesAt)
          if (index % stretch === stretch - 1) yield* breath
        }
        rows.set(domain, own.filter((row) => Board.headToHead(row) !== undefined).sort(inOrder))
        yield* breath
      }
      known = cached
      latest = { at, board, settledAt }
      return { rows, board, settledAt }
    }).pipe(Effect.provide(context))

  /** The last answer to a question that changes every so often: one computation for all, which outlives who asked first. */
  const lately = <A>(every: number, compute: (at: number) => Effect.Effect<A>): Effect.Effect<A> => {
    let last: { readonly at: number; readonly computed: Fiber.Fiber<A> } | undefined
    const one = Effect.unsafeMakeSemaphore(1)
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.suspend(() => {
        const at = Math.floor(now / every) * every
        if (last?.at === at) return Effect.succeed(last.computed)
        return Effect.map(Effect.forkIn(Effect.interruptible(one.withPermits(1)(compute(at))), scope), (computed) => {
          last = { at, computed }
          return computed
        })
      }),
    ).pipe(Effect.uninterruptible, Effect.flatMap(Fiber.join))
  }

  const world = lately(hour, worldAt)
  const open = lately(
    minute,
    (at): Effect.Effect<Open> =>
      Effect.gen(function* () {
        if (tradingAt("mlb", at).length > 0) yield* baseballReady(at)
        return { contracts: yield* openAt(at), checkedAt: at }
      }).pipe(Effect.provide(context)),
  )

  if (yield* Eager) yield* Effect.forkScoped(Effect.zipRight(open, world))
  return Layer.mergeAll(
    Layer.succeed(SettledRows, {
      freshness: "mock",
      after: (domain, position, limit) => Effect.map(world, ({ rows }) => after(rows.get(domain)!, position, limit)),
    }),
    Layer.succeed(Scoreboard, {
      freshness: "mock",
      current: Effect.map(world, currentOf),
      latest: Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (latest === undefined) return Effect.succeed(undefined)
        const found = Effect.succeed(currentOf(latest))
        // The next one is computed meanwhile, so that nobody waits for it.
        return latest.at + hour > now ? found : Effect.zipRight(Effect.forkIn(world, scope), found)
      }),
    }),
    Layer.succeed(OpenContracts, {
      freshness: "mock",
      tracking: Effect.map(Clock.currentTimeMillis, (now) => {
        const at = Math.floor(now / hour) * hour
        return {
          openTracked: domains.reduce((sum, domain) => sum + count(tradingAt(domain, at)), 0),
          awaitingSettlement: domains.reduce((sum, domain) => sum + count(awaitingAt(domain, at)), 0),
        }
      }),
      open,
    }),
    signalCalls.layer(pricings),
  )
})

/**
 * A venue over the other mock lanes: its contracts are on their schedules, forecasts and tape, priced by their signals as
 * any call is answered, and settle on their finals. The market is the model with noise added: its record says nothing of
 * how good the models are. The same on every run at the same time; nothing is stored.
 */
export const layer: Layer.Layer<MarketsPorts, never, Finals | Pricers> = Layer.unwrapScoped(make)
