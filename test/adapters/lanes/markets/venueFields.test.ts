// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { PartialResult, Venue } from "../../../../core/lanes/markets/ports.ts"
import { clockAt } from "../../../support/clock.ts"
import { json, type Payload, replay } from "../../../support/replay.ts"
import { kalshiStand, listedAt, polymarketStand, type Stand } from "../../../support/venues.ts"

type Row = Readonly<Record<string, unknown>>
type Question = "open" | "outcomes"

const stands: Readonly<Record<string, (change?: (row: Row) => unknown) => Stand>> = {
  kalshi: kalshiStand,
  polymarket: polymarketStand,
}

/** Without these a market cannot be read. Everything else may go, and has gone: venues drop fields with weeks of notice. */
const needed: Readonly<Record<string, Readonly<Record<Question, ReadonlyArray<string>>>>> = {
  kalshi: {
    open: [
      ...["ticker", "event_ticker", "status", "close_time"],
      ...["yes_bid_dollars", "yes_ask_dollars", "no_ask_dollars"],
    ],
    outcomes: ["ticker", "event_ticker", "status", "close_time", "result"],
  },
  polymarket: {
    open: [
      ...["slug", "question", "outcomes", "endDate", "active", "closed"],
      // Nothing is quoted of a market that takes no orders; without its strike or source it is not understood.
      ...["acceptingOrders", "groupItemTitle", "description"],
    ],
    outcomes: ["slug", "outcomes", "closed", "endDate", "umaResolutionStatus", "outcomePrices"],
  },
}

const ask = (stand: Stand, question: Question) => (venue: Venue) =>
  question === "open" ? venue.open(stand.domain) : venue.outcomes(stand.ended)

const heard = (stand: Stand, question: Question, reply: (payload: Payload) => Payload = (same) => same) =>
  Effect.gen(function* () {
    const routes = stand.routes.map((route) => ({
      ...route,
      reply: (request: Parameters<Extract<typeof route.reply, (...args: never) => unknown>>[0]) =>
        reply(typeof route.reply === "function" ? route.reply(request) : route.reply),
    }))
    const venue = yield* stand.over(yield* replay(routes))
    const told: PartialResult<object> = yield* ask(stand, question)(venue)
    assert.deepStrictEqual(told.failed, [])
    return told.items
  }).pipe(Effect.withClock(clockAt(listedAt)))

const without = (name: string) => (row: Row) => Object.fromEntries(Object.entries(row).filter(([key]) => key !== name))

/** What no client has heard of, in shapes that a reader may trip over. */
const unknown: Row = {
  a_field_of_next_year: { deep: [{ er: null }] },
  toString: "text",
  constructor: 1,
  "": [],
  markets: "no list",
  price_units: "usd_micros",
}

for (const [name, make] of Object.entries(stands)) {
  for (const question of ["open", "outcomes"] as const) {
    describe(`${name}, ${question}`, () => {
      it.scopedLive("reads rows and pages with fields that nobody knows as it reads them without", () =>
        Effect.gen(function* () {
          const whole = yield* heard(make(), question)
          assert.isNotEmpty(whole)
          const withMore = make((row) => ({ ...unknown, ...row }))
          const { markets: _, ...envelope } = unknown
          const pages = (payload: Payload): Payload => {
            const body = JSON.parse(String(payload.body))
            if (Array.isArray(body)) return json(body.map((row) => ({ ...unknown, ...row })))
            return json({ ...envelope, $schema: "https://example.test/page.json", ...body })
          }
          assert.deepStrictEqual(yield* heard(withMore, question, pages), whole)
        }),
      )

      const names = make().fields

      it("knows the fields of the sample", () => {
        assert.includeMembers([...names], [...needed[name]![question]])
        assert.isAbove(names.size, needed[name]![question].length + 3)
      })

      for (const key of names) {
        const must = needed[name]![question].includes(key)
        it.scopedLive(`${must ? "loses a row without" : "can do without"} ${key}`, () =>
          Effect.gen(function* () {
            const whole = yield* heard(make(), question)
            let first = true
            const one = make((row) => {
              const spoilt = first
              first = false
              return spoilt ? without(key)(row) : row
            })
            const found = yield* heard(one, question)
            // The others are read as ever.
            assert.deepStrictEqual(found.slice(must ? 0 : 1), whole.slice(1))
            if (must) return
            // Where no row has it, there is a contract for every row still.
            assert.strictEqual((yield* heard(make(without(key)), question)).length, whole.length)
          }),
        )
      }
    })
  }
}
