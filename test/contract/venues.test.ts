import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { UpstreamError } from "../../adapters/runtime/upstream/upstream.ts"
import type { Contract } from "../../core/contracts/Contract.ts"
import type { Failure } from "../../core/Failure.ts"
import { type PartialResult, type Venue, Venues } from "../../core/lanes/markets/ports.ts"
import { minute } from "../../core/time.ts"
import { clockAt, type SetClock } from "../support/clock.ts"
import { faults, isSaid } from "../support/faults.ts"
import { events } from "../support/kalshi.ts"
import * as mock from "../support/knownWorld/venue.ts"
import { impatient, patient } from "../support/policy.ts"
import { describeRealData } from "../support/realData.ts"
import { json, type Route, replay } from "../support/replay.ts"
import { kalshiStand, listedAt, polymarketStand, type Stand } from "../support/venues.ts"
import { type Occasion, venueCases } from "./venues.ts"

type Staged = (clock: SetClock) => Effect.Effect<Occasion, unknown, Scope.Scope>

const hour = 3_600_000

/** The seeded venue, which settles what it has listed: it has been asked before. */
const askedBefore: Staged = (clock) =>
  Effect.gen(function* () {
    const [venue] = yield* Venues
    const listed: Array<Contract> = []
    for (const back of [60, 2]) {
      clock.set(listedAt - back * hour)
      for (const domain of venue!.domains) listed.push(...(yield* venue!.open(domain)).items)
    }
    clock.set(listedAt)
    const closedFor = (from: number, to: number) =>
      listed
        .filter(({ closeTime }) => closeTime <= listedAt - from * hour && closeTime > listedAt - to * hour)
        .map(({ ticker }) => ticker)
    return { venue: venue!, ended: [...new Set(closedFor(10, 1_000))], pending: closedFor(0, 0.05) }
  }).pipe(Effect.provide(mock.layer()))

let asked: Occasion | undefined
/** One for all tests: it has no clock of its own, and nothing but what it has listed. */
const seeded: Staged = (clock) =>
  asked === undefined
    ? Effect.tap(askedBefore(clock), (occasion) => {
        asked = occasion
      })
    : Effect.succeed(asked)

const over =
  (stand: Stand): Staged =>
  () =>
    Effect.gen(function* () {
      const venue = yield* stand.over(yield* replay(stand.routes))
      return { venue, ended: stand.ended, pending: stand.pending }
    })

const stage = <A, E>(staged: Staged, look: (occasion: Occasion) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.suspend(() => {
    const clock = clockAt(listedAt)
    return Effect.flatMap(staged(clock), look).pipe(Effect.withClock(clock))
  })

const venueContract = (name: string, staged: Staged): void => {
  describe(`the venue ${name}`, () => {
    for (const [sentence, holds] of Object.entries(venueCases)) it.scopedLive(sentence, () => stage(staged, holds))
  })
}

const stands = { kalshi: kalshiStand, polymarket: polymarketStand }

venueContract("of the seeded world", seeded)
for (const [name, stand] of Object.entries(stands)) venueContract(name, over(stand()))

describeRealData("as recorded", (root) => {
  const read = (file: string) => JSON.parse(readFileSync(join(root, "markets", file), "utf8"))
  const only = (venue: Venue, domain: "crypto" | "weather"): Venue => ({ ...venue, domains: [domain] })

  /** Two markets of a high were recorded after they had settled, three of another while they traded. */
  venueContract("Kalshi, July 2026", () =>
    Effect.gen(function* () {
      const [open, settled] = [read("kalshi/kxhighny_open_trimmed.json"), read("kalshi/kxhighny_settled_trimmed.json")]
      const rows: ReadonlyArray<{ readonly ticker: string }> = [...open.markets, ...settled.markets]
      const lists: Route["reply"] = ({ query }) => {
        const tickers = query.get("tickers")?.split(",")
        if (tickers === undefined) return json(query.get("series_ticker") === "KXHIGHNY" ? open : { markets: [] })
        return json({ markets: rows.filter(({ ticker }) => tickers.includes(ticker)) })
      }
      const routes: ReadonlyArray<Route> = [
        { path: "/markets", reply: lists },
        { path: "/historical/markets", reply: json({ markets: [] }) },
        { path: "/events", reply: events(open.markets) },
        {
          path: /^\/series\//,
          reply: ({ path }) =>
            json({ series: { ticker: path.split("/")[2], fee_type: "quadratic", fee_multiplier: 1 } }),
        },
      ]
      const venue = yield* kalshiStand().over(yield* replay(routes))
      const ended = settled.markets.map(({ ticker }: { readonly ticker: string }) => ticker)
      return { venue: only(venue, "weather"), ended, pending: [] }
    }),
  )
})

const reasons: Readonly<Record<Exclude<keyof typeof faults, "none">, UpstreamError["reason"]>> = {
  hang: "timeout",
  drip: "timeout",
  reset: "transport",
  halfBody: "transport",
  truncated: "not-json",
  empty: "not-json",
  html: "not-json",
  notANumber: "not-json",
  wrongTypes: "shape",
  nothing: "shape",
  infinite: "shape",
  huge: "too-large",
  tooManyRequests: "status",
  serverError: "status",
  badGateway: "status",
  unavailable: "status",
  forbidden: "status",
}

for (const [name, make] of Object.entries(stands)) {
  const stand = make()
  const questions: Readonly<Record<string, (venue: Venue) => Effect.Effect<PartialResult<unknown>, Failure>>> = {
    open: (venue) => venue.open(stand.domain),
    outcomes: (venue) => venue.outcomes(stand.ended),
  }

  describe.concurrent(`trouble at ${name}`, () => {
    for (const [fault, reason] of Object.entries(reasons)) {
      it.scopedLive(`is 503 and passes: ${fault}`, () => {
        const clock = clockAt(listedAt)
        /** Of a source that does not answer, only the first part is asked for, and later again. */
        const isSilent = reason === "timeout" || reason === "transport"
        const later = Effect.sync(() => clock.set(clock.unsafeCurrentTimeMillis() + minute))
        return Effect.gen(function* () {
          const upstream = yield* replay(stand.routes)
          const venue = yield* stand.over(upstream, reason === "timeout" ? impatient : patient)
          upstream.spoil(faults[fault as keyof typeof faults])
          for (const [question, ask] of Object.entries(questions)) {
            // Results are told in words.
            if (fault === "infinite" && question === "outcomes") continue
            const troubles = yield* ask(venue).pipe(
              Effect.map(({ items, failed }) => {
                assert.deepStrictEqual(items, [])
                return failed.map(({ failure }) => failure)
              }),
              Effect.catchAll((failure) => Effect.succeed([failure])),
            )
            assert.isNotEmpty(troubles)
            for (const { code, message } of troubles) {
              assert.strictEqual(code, "upstream_unavailable")
              const isNamed = [reason, ...(isSilent ? ["paused"] : [])].some((each) =>
                isSaid(message.toLowerCase(), name, each),
              )
              assert.isTrue(isNamed, message)
            }
            assert.isTrue(isSaid(troubles[0]!.message.toLowerCase(), name, reason))
            yield* later
          }
          upstream.spoil()
          for (const ask of Object.values(questions)) assert.isAbove((yield* ask(venue)).items.length, 0)
        }).pipe(Effect.withClock(clock))
      })
    }

    for (const [question, ask] of Object.entries(questions)) {
      it.scopedLive(`ends with the asking: ${question}`, () =>
        Effect.gen(function* () {
          const upstream = yield* replay(stand.routes)
          upstream.spoil(faults.hang)
          const fiber = yield* Effect.fork(ask(yield* stand.over(upstream)))
          while (upstream.requests.length === 0) yield* Effect.sleep("1 millis")
          yield* Fiber.interrupt(fiber)
          assert.strictEqual(upstream.requests.length, 1)
        }),
      )

      for (const [what, row] of [
        ["null", null],
        ["a list", []],
        ["an empty one", {}],
      ] as const) {
        it.scopedLive(`costs a row that cannot be read itself alone: ${what} among ${question}`, () =>
          Effect.gen(function* () {
            const asked = (changed: Stand) =>
              Effect.flatMap(Effect.flatMap(replay(changed.routes), changed.over), (venue) => ask(venue))
            const whole = yield* asked(stand)
            let first = true
            const { items, failed } = yield* asked(
              make((good) => {
                const spoilt = first
                first = false
                return spoilt ? row : good
              }),
            )
            assert.deepStrictEqual(failed, [])
            assert.deepStrictEqual(items, whole.items.slice(1))
          }).pipe(Effect.withClock(clockAt(listedAt))),
        )
      }
    }
  })
}
