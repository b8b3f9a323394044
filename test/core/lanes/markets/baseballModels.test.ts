import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as mockCrypto from "../../../../adapters/lanes/crypto/mock/tape.ts"
import * as mockFootball from "../../../../adapters/lanes/football/mock/football.ts"
import * as mockWeather from "../../../../adapters/lanes/weather/mock/reports.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import { show } from "../../../../core/call/Subject.ts"
import type { Contract } from "../../../../core/contracts/Contract.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { pricings } from "../../../../core/lanes/all.ts"
import { Baseball } from "../../../../core/lanes/baseball/Baseball.ts"
import { baseballMapping } from "../../../../core/lanes/baseball/contracts.ts"
import type { ListedGame } from "../../../../core/lanes/baseball/ports.ts"
import { Crypto } from "../../../../core/lanes/crypto/Crypto.ts"
import { Football } from "../../../../core/lanes/football/Football.ts"
import * as overLanes from "../../../../core/lanes/markets/overLanes.ts"
import { PricingLanes } from "../../../../core/lanes/markets/ports.ts"
import { Weather } from "../../../../core/lanes/weather/Weather.ts"
import { TrackRecord } from "../../../../core/record/captures/Outcomes.ts"
import { firstPitch, lane, lastSeason, lines, listed } from "../../../support/baseball.ts"
import { contract } from "../../../support/contracts.ts"
import { pitchedGames } from "../../../support/pitching.ts"

const hour = 3_600_000

/** New York's Yankees in Boston on 2026-07-09. */
const game = (changes: Partial<ListedGame> = {}): ListedGame => ({
  ...listed,
  home: { ...listed.home, teamId: 111 },
  away: { ...listed.away, teamId: 147 },
  ...changes,
})

const over = (games: ReadonlyArray<ListedGame>) => {
  const of = (from: typeof lines) => new Map([...from, [147, from.get(222)!] as const])
  return overLanes
    .layerModels(pricings)
    .pipe(
      Layer.provideMerge(
        Layer.mergeAll(
          Weather.layer.pipe(Layer.provide([mockWeather.layer, Feeds.layerNone])),
          Crypto.layer.pipe(Layer.provide([Feeds.layerNone, mockCrypto.layer])),
          Football.layer.pipe(
            Layer.provide([mockFootball.layer, Feeds.layerNone, TrackRecord.layerNone, secrets.layer]),
          ),
          lane({ games, lines: of(lines), last: of(lastSeason), pitched: pitchedGames(135) }),
        ),
      ),
    )
}

/** A side's contract of an event, `26JUL09NYYBOS` as the venue writes it. */
const side = (event: string, team: string): Contract => {
  const { strikeType: _, floorStrike: __, ...rest } = contract()
  return {
    ...rest,
    domain: "mlb",
    series: "KXMLBGAME",
    event: `KXMLBGAME-${event}`,
    ticker: `KXMLBGAME-${event}-${team}`,
    closeTime: firstPitch + 14 * 24 * hour,
  }
}

const priced = (games: ReadonlyArray<ListedGame>, listing: ReadonlyArray<Contract>, now = firstPitch - 6 * hour) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    return yield* (yield* PricingLanes).price(listing)
  }).pipe(Effect.provide(over(games)))

describe("the fair odds beside a venue's contracts", () => {
  it.effect("are both sides of one probability", () =>
    Effect.gen(function* () {
      const { signals, warnings } = yield* priced(
        [game()],
        [side("26JUL09NYYBOS", "NYY"), side("26JUL09NYYBOS", "BOS")],
      )
      assert.deepStrictEqual(warnings, [])
      const [opinion, ...more] = signals
      assert.deepStrictEqual(more, [])
      assert.deepStrictEqual([opinion!.lane, show(opinion!.subject)], ["baseball", "500001"])
      assert.strictEqual(opinion!.record.endpoint, "mlb_fair_odds")
      const { win_prob_home } = yield* Effect.flatMap(Baseball, ({ fairOdds }) => fairOdds({ game_pk: 500_001 })).pipe(
        Effect.map(({ results }) => results.prediction),
        Effect.provide(over([game()])),
      )
      const home = Math.round(win_prob_home * 1e6)
      assert.deepStrictEqual(
        opinion!.contracts.map(({ model, instrument, basis }) => [model, instrument, basis.same]),
        [
          [1_000_000 - home, "NYY @ BOS", true],
          [home, "NYY @ BOS", true],
        ],
      )
      assert.notStrictEqual(home, 500_000)
    }),
  )

  const [first, second] = [
    game({ doubleHeader: "S", firstPitch: firstPitch - 5 * hour }),
    game({ doubleHeader: "S", gamePk: 500_002, gameNumber: 2 }),
  ]
  const cases: ReadonlyArray<
    readonly [what: string, games: ReadonlyArray<ListedGame>, event: string, subject: string | undefined]
  > = [
    ["one game of the pair", [game()], "26JUL09NYYBOS", "500001"],
    ["with a time of day", [game()], "26JUL091910NYYBOS", "500001"],
    [
      "a late game, which is tomorrow's by UTC",
      [game({ firstPitch: firstPitch + 3 * hour })],
      "26JUL09NYYBOS",
      "500001",
    ],
    ["the first of two", [first, second], "26JUL091410NYYBOSG1", "500001"],
    ["the second of two", [first, second], "26JUL091910NYYBOSG2", "500002"],
    ["two without a number", [first, second], "26JUL091910NYYBOS", undefined],
    ["the second where there is one", [game()], "26JUL091910NYYBOSG2", undefined],
    ["a third", [first, second], "26JUL091910NYYBOSG3", undefined],
    ["the pair at the other's home", [game()], "26JUL09BOSNYY", undefined],
    ["another day", [game()], "26JUL10NYYBOS", undefined],
    [
      "a game of tomorrow",
      [game({ officialDate: "2026-07-10", firstPitch: firstPitch + 24 * hour })],
      "26JUL09NYYBOS",
      undefined,
    ],
    ["a game that is played", [game({ state: "In Progress", phase: "live" })], "26JUL09NYYBOS", undefined],
    ["a game that is over", [game({ state: "Final", phase: "over" })], "26JUL09NYYBOS", undefined],
    ["a game that was put off", [game({ state: "Postponed", phase: "off" })], "26JUL09NYYBOS", undefined],
    ["no game", [], "26JUL09NYYBOS", undefined],
  ]
  for (const [what, games, event, subject] of cases) {
    it.effect(`${subject === undefined ? "are not for" : "are for"} ${what}`, () =>
      Effect.gen(function* () {
        const listing = [side(event, "BOS")]
        const { signals, warnings } = yield* priced(games, listing)
        assert.deepStrictEqual(
          signals.map((opinion) => show(opinion.subject)),
          subject === undefined ? [] : [subject],
        )
        // What is understood, and not in the schedule, is told.
        const told = subject === undefined && baseballMapping.toSignalRequest(listing[0]!, 0) !== undefined ? 1 : 0
        assert.strictEqual(warnings.length, told, warnings.join())
      }),
    )
  }

  it.effect("are not for a game from its first pitch on, whatever the schedule says", () =>
    Effect.gen(function* () {
      const { signals } = yield* priced([game()], [side("26JUL09NYYBOS", "BOS")], firstPitch)
      assert.deepStrictEqual(signals, [])
    }),
  )

  it.effect("distinguish the games of a doubleheader", () =>
    Effect.gen(function* () {
      const weaker = game({ ...second, home: { ...second.home, starter: { id: 7_002, name: "Ben Weak" } } })
      const { signals } = yield* priced(
        [first, weaker],
        [side("26JUL091410NYYBOSG1", "BOS"), side("26JUL091910NYYBOSG2", "BOS")],
        first.firstPitch - hour,
      )
      const [one, two] = signals.map(({ contracts }) => contracts[0]!.model)
      assert.isAbove(one!, two!)
    }),
  )
})
