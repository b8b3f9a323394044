import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { breath } from "../../../../core/breath.ts"
import { ifDefined } from "../../../../core/endpoint/Field.ts"
import type { MarketsPorts } from "../../../../core/lanes/markets/Markets.ts"
import { after, inOrder } from "../../../../core/lanes/markets/pages.ts"
import {
  type Open,
  OpenContracts,
  Scoreboard,
  SettledRows,
  type Tracking,
} from "../../../../core/lanes/markets/ports.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import { type CurrentRow, type Domain, domains } from "../../../../core/record/scoreboard/Settled.ts"
import { day, minute } from "../../../../core/time.ts"
import { seedOf, uniform } from "../../mock/hash.ts"
import { eventsOf } from "./events.ts"
import { bases, openAt } from "./open.ts"
import { modelAt, quotesAt, resultOf, sourceResultOf, type WorldContract, type WorldEvent } from "./world.ts"

/** Days on the scoreboard: enough for 500 scored rows in each domain. */
const days: Readonly<Record<Domain, number>> = { weather: 20, nfl: 91, mlb: 14, crypto: 5 }

/** Minutes from the last capture to the close: from ten minutes to a day and a half, whole minutes. */
const leadOf = ({ ticker, opensAt, closesAt }: WorldEvent): number => {
  const minutes = Math.round(10 * 216 ** uniform(ticker, "lead"))
  return Math.min(minutes * minute, Math.floor((closesAt - opensAt) / 2))
}

/** The settled row of a contract. */
export const settledOf = (event: WorldEvent, contract: WorldContract): CurrentRow => {
  const capturedAt = event.closesAt - leadOf(event)
  const quotes = quotesAt(event, contract, capturedAt)
  return {
    domain: event.domain,
    venue: "mock",
    series: event.series,
    ticker: contract.ticker,
    event: event.ticker,
    title: contract.title,
    instrument: event.instrument,
    strikeType: contract.strikeType,
    ...ifDefined("floorStrike", contract.floorStrike),
    ...ifDefined("capStrike", contract.capStrike),
    ...ifDefined("quotes", quotes),
    model: modelAt(event, contract, capturedAt),
    modelVersion: "mock-1",
    captureId: `mock_${seedOf(contract.ticker).toString(16)}`,
    capturedAt,
    closeTime: event.closesAt,
    settledAt: event.settlesAt,
    result: resultOf(event, contract),
    sourceResult: sourceResultOf(event, contract),
    ...ifDefined("feeRate", event.feeRate),
    anchored: uniform(event.ticker, "anchor") > 0.01,
    basis: bases[event.domain],
    flags: [],
    earlier: [],
  }
}

interface World {
  readonly rows: ReadonlyMap<Domain, ReadonlyArray<CurrentRow>>
  readonly board: Board.Board
  readonly settledAt: number
  readonly tracking: Tracking
}

/** The demonstration at the start of a UTC day. */
export const worldOf = (today: number): World => {
  const steps = worldSteps(today)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Events of one step: a few milliseconds. */
const stretch = 20

/** The same in steps, for callers that yield in between. */
function* worldSteps(today: number): Generator<undefined, World> {
  const board = Board.empty()
  const rows = new Map<Domain, ReadonlyArray<CurrentRow>>()
  let [openTracked, awaitingSettlement, settledAt] = [0, 0, 0]
  for (const domain of domains) {
    const events = eventsOf(domain, today - days[domain] * day, today + 9 * day)
    const settled = events.filter(({ settlesAt }) => settlesAt <= today)
    const known: Array<CurrentRow> = []
    for (const [at, event] of settled.entries()) {
      for (const contract of event.contracts) {
        const row = settledOf(event, contract)
        known.push(row)
        Board.add(board, row)
      }
      if (at % stretch === stretch - 1) yield
    }
    rows.set(domain, known.filter((row) => Board.headToHead(row) !== undefined).sort(inOrder))
    for (const { opensAt, closesAt, settlesAt, contracts } of events) {
      if (opensAt <= today && today < closesAt) openTracked += contracts.length
      if (closesAt <= today && today < settlesAt) awaitingSettlement += contracts.length
    }
    settledAt = settled.reduce((last, event) => Math.max(last, event.settlesAt), settledAt)
  }
  return { rows, board, settledAt, tracking: { openTracked, awaitingSettlement } }
}

/** A venue whose contracts have known true probabilities: the same on every run within a UTC day. Nothing is stored. */
export const layer: Layer.Layer<MarketsPorts> = Layer.unwrapEffect(
  Effect.sync(() => {
    let cached: { readonly today: number; readonly world: World } | undefined
    const one = Effect.unsafeMakeSemaphore(1)
    const make = (today: number): Effect.Effect<World> =>
      Effect.gen(function* () {
        if (cached?.today === today) return cached.world
        const steps = worldSteps(today)
        let step = steps.next()
        for (; step.done !== true; step = steps.next()) yield* breath
        cached = { today, world: step.value }
        return step.value
      })
    const world = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const today = Math.floor(now / day) * day
      return cached?.today === today ? Effect.succeed(cached.world) : one.withPermits(1)(make(today))
    })
    let seen: Open | undefined
    const openOf = (now: number): Open => {
      const at = Math.floor(now / minute) * minute
      if (seen?.checkedAt !== at) seen = { contracts: openAt(at), checkedAt: at }
      return seen
    }
    return Layer.mergeAll(
      Layer.succeed(SettledRows, {
        freshness: "mock",
        after: (domain, position, limit) => Effect.map(world, ({ rows }) => after(rows.get(domain)!, position, limit)),
      }),
      Layer.succeed(Scoreboard, {
        freshness: "mock",
        current: Effect.map(world, ({ board, settledAt }) => ({ board, settledAt })),
      }),
      Layer.succeed(OpenContracts, {
        freshness: "mock",
        tracking: Effect.map(world, ({ tracking }) => tracking),
        open: Effect.map(Clock.currentTimeMillis, openOf),
      }),
    )
  }),
)
