// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as mlb from "../../../../../adapters/lanes/baseball/mlb/layer.ts"
import { parseInnings } from "../../../../../adapters/lanes/baseball/mlb/pitcher.ts"
import { readListing } from "../../../../../adapters/lanes/baseball/mlb/schedule.ts"
import type { UpstreamError } from "../../../../../adapters/runtime/upstream/upstream.ts"
import type { Failure } from "../../../../../core/Failure.ts"
import { SeasonLines, Slates } from "../../../../../core/lanes/baseball/ports.ts"
import { faults, troubles } from "../../../../support/faults.ts"
import {
  awayTeam,
  broken,
  game,
  homeTeam,
  notFound,
  now,
  pitching,
  schedule,
  side,
  standings,
} from "../../../../support/mlb.ts"
import { type World, within } from "../../../../support/mlbWorld.ts"
import { nine, wireBatters, wirePlayers } from "../../../../support/pitching.ts"
import { impatient, patient } from "../../../../support/policy.ts"
import { json, type Payload, type Route } from "../../../../support/replay.ts"

const minute = 60_000
const hour = 60 * minute

const scheduleOf = (...games: ReadonlyArray<unknown>): ReadonlyArray<Route> => [
  { path: "/api/v1/schedule", reply: json(schedule(...games.map((row) => ({ game: row })))) },
]

interface Question {
  readonly name: string
  readonly path: RegExp
  readonly ask: (world: World) => Effect.Effect<unknown, Failure>
}

const questions: ReadonlyArray<Question> = [
  { name: "a slate", path: /^\/api\/v1\/schedule/, ask: ({ slates }) => slates.around("2026-07-09") },
  { name: "a game", path: /^\/api\/v1\/schedule/, ask: ({ slates }) => slates.of(500_001) },
  { name: "standings", path: /^\/api\/v1\/standings/, ask: ({ lines }) => lines.teams(2026, "2026-07-09") },
  { name: "last season", path: /^\/api\/v1\/standings/, ask: ({ lines }) => lines.teams(2025) },
  { name: "a pitcher", path: /^\/api\/v1\/people/, ask: ({ lines }) => lines.pitcher(7001, 2026, "2026-07-09") },
  { name: "line-ups", path: /^\/api\/v1\/game/, ask: ({ slates }) => slates.lineUps(500_001) },
  { name: "batters", path: /^\/api\/v1\/people/, ask: ({ lines }) => lines.batters(["8001", "9902"], 2026) },
]

describe.concurrent("a statistics service in trouble", () => {
  const isSilent = ([, reason]: (typeof troubles)[number]) => reason === "timeout"
  const kinds = [
    ["says", troubles.filter((trouble) => !isSilent(trouble)), patient],
    ["leaves unsaid", troubles.filter(isSilent), impatient],
  ] as const
  for (const { name, ask } of questions) {
    for (const [what, suffered, policy] of kinds) {
      within(
        `answers nothing about ${name}, whatever it ${what}`,
        (made) =>
          Effect.gen(function* () {
            for (const [at, [fault, reason, requests]] of suffered.entries()) {
              // What failed is remembered for a minute at most.
              made.clock.set(now + at * 2 * minute)
              made.upstream.spoil(faults[fault])
              const before = made.upstream.requests.length
              const failure = yield* Effect.flip(ask(made))
              assert.deepStrictEqual(
                [failure.code, (failure.cause as UpstreamError).reason, made.upstream.requests.length - before],
                ["upstream_unavailable", reason, requests],
                fault,
              )
              assert.isAbove(failure.retryAfterMs!, 0)
              assert.notInclude(failure.message, "Reference")
            }
            made.clock.set(now + hour)
            made.upstream.spoil()
            yield* ask(made)
          }),
        [],
        policy,
      )
    }
  }

  within("is asked once for what many want to know at the same time, and again when a minute is over", (made) =>
    Effect.gen(function* () {
      const { slates, upstream, clock } = made
      yield* Effect.all(
        Array.from({ length: 20 }, () => slates.of(500_001)),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(upstream.requests.length, 1)
      clock.set(now + 59_000)
      yield* slates.of(500_001)
      assert.strictEqual(upstream.requests.length, 1)
      clock.set(now + 61_000)
      yield* slates.of(500_001)
      assert.strictEqual(upstream.requests.length, 2)
    }),
  )

  within("has its last answers stand in for a while, marked as such", (made) =>
    Effect.gen(function* () {
      const { slates, lines, upstream, clock } = made
      const ask = Effect.all([
        slates.of(500_001),
        lines.teams(2026, "2026-07-09"),
        lines.pitcher(7001, 2026, "2026-07-09"),
      ])
      assert.deepStrictEqual(
        (yield* ask).map(({ stale }) => stale),
        [false, false, false],
      )
      upstream.spoil(faults.serverError)
      clock.set(now + 14 * minute)
      const held = yield* ask
      assert.deepStrictEqual(
        held.map((each) => [each.stale, each.fetchedAt]),
        [
          [true, now],
          [true, now],
          [false, now],
        ],
      )
      clock.set(now + 40 * minute)
      assert.strictEqual((yield* Effect.flip(slates.of(500_001))).code, "upstream_unavailable")
      assert.isTrue((yield* lines.pitcher(7001, 2026, "2026-07-09")).stale)
      clock.set(now + 7 * hour)
      for (const each of [lines.teams(2026, "2026-07-09"), lines.pitcher(7001, 2026, "2026-07-09")]) {
        assert.strictEqual((yield* Effect.flip(each as Effect.Effect<unknown, Failure>)).code, "upstream_unavailable")
      }
    }),
  )
})

describe("what is asked", () => {
  within(
    "names us, and asks for a day, a game, a table, players and line-ups, and for no more of them than is used",
    (made) =>
      Effect.gen(function* () {
        for (const { ask } of questions) yield* ask(made)
        const asked = made.upstream.requests.map(({ path, query }) => {
          const { fields: _, ...rest } = Object.fromEntries(query)
          return [path, rest]
        })
        const listed = { sportId: "1", hydrate: "probablePitcher,team" }
        const table = { leagueId: "103,104", standingsTypes: "regularSeason" }
        assert.deepStrictEqual(asked, [
          ["/api/v1/schedule", { ...listed, startDate: "2026-07-08", endDate: "2026-07-09" }],
          ["/api/v1/schedule", { ...listed, gamePks: "500001" }],
          ["/api/v1/standings", { ...table, season: "2026", date: "2026-07-08" }],
          ["/api/v1/standings", { ...table, season: "2025" }],
          [
            "/api/v1/people/7001/stats",
            { stats: "gameLog,yearByYear", group: "pitching", season: "2026", gameType: "R" },
          ],
          ["/api/v1/game/500001/boxscore", {}],
          ["/api/v1/people", { personIds: "8001,9902", hydrate: "stats(group=[hitting],type=[yearByYear],sportId=1)" }],
        ])
        for (const { headers } of made.upstream.requests) assert.strictEqual(headers["user-agent"], "tests")
        const [{ query }] = made.upstream.requests as [(typeof made.upstream.requests)[number]]
        assert.includeMembers(query.get("fields")!.split(","), ["gamePk", "status", "score"])
      }),
  )
})

describe("line-ups", () => {
  within("are those that start, in their order, and none before a team has posted them", ({ slates }) =>
    Effect.gen(function* () {
      const { home, away, refusal } = yield* slates.lineUps(500_001)
      assert.deepStrictEqual([home, away, refusal], [nine(8001), [], undefined])
    }),
  )

  const twice = Object.values(wirePlayers(nine(8001))).map((player) => {
    const { battingOrder } = player as { readonly battingOrder?: string }
    return battingOrder === "300" ? { person: { id: 8003 }, battingOrder: "200" } : player
  })
  within(
    "with a place that is taken twice are refused",
    ({ slates }) =>
      Effect.gen(function* () {
        assert.match((yield* slates.lineUps(500_001)).refusal!, /has the place 200/)
      }),
    [
      {
        path: "/api/v1/game/500001/boxscore",
        reply: json({
          teams: { home: { team: { id: homeTeam.id }, players: { ...twice } }, away: { team: { id: awayTeam.id } } },
        }),
      },
    ],
  )
})

describe("seasons of batters", () => {
  within("are whole ones before the one asked for, a year of two teams once", ({ lines }) =>
    Effect.gen(function* () {
      const { of } = yield* lines.batters(["8001", "9902"], 2026)
      const appearances = [2021, 2023, 2024, 2025, 2026].map((year) => of("8001", year)?.faced)
      assert.deepStrictEqual(appearances, [undefined, undefined, 500, 400, undefined])
      assert.strictEqual(of("8001", 2024)!.hitBatsmen, 3)
      assert.isUndefined(of("9902", 2025))
    }),
  )

  const people = (of: (all: ReturnType<typeof wireBatters>["people"]) => unknown): ReadonlyArray<Route> => [
    { path: "/api/v1/people", reply: json({ people: of(wireBatters(["8001", "8002"]).people) }) },
  ]
  const withStat = (changes: object) =>
    people((all) =>
      all.map(({ stats, ...rest }) => ({
        ...rest,
        stats: stats?.map((own) => ({
          ...own,
          splits: own.splits.map((split) => ({ ...split, stat: { ...split.stat, ...changes } })),
        })),
      })),
    )
  for (const [name, routes, reason] of [
    ["without one who was asked for", people(([one]) => [one]), /its batters is 8001, not 8001,8002/],
    ["with a negative count", withStat({ baseOnBalls: -1 }), /walks is -1/],
    ["with an absurd count", withStat({ plateAppearances: 1_200 }), /1200 plate appearances/],
    ["with more outcomes than appearances", withStat({ hits: 800 }), /More outcomes/],
  ] as const) {
    within(
      `${name} are refused`,
      ({ lines }) =>
        Effect.gen(function* () {
          const { code, cause } = yield* Effect.flip(lines.batters(["8001", "8002"], 2026))
          assert.strictEqual(code, "upstream_unavailable")
          assert.match((cause as Error).message, reason)
        }),
      routes,
    )
  }
})

describe("listings", () => {
  const bad: Readonly<Record<string, unknown>> = {
    "without teams": game({ teams: {} }),
    "without a home team": game({ teams: { away: side(awayTeam, undefined) } }),
    "without an id": game({ gamePk: undefined }),
    "with an id in quotes": game({ gamePk: "500001" }),
    "with a first pitch without a zone": game({ gameDate: "2026-07-09T23:10:00" }),
    "with a first pitch on no day": game({ gameDate: "2026-07-39T23:10:00Z" }),
    "without a state": game({ status: {} }),
    "without a venue": game({ venue: undefined }),
    "with half a run": game({
      teams: { home: { ...side(homeTeam, undefined), score: 2.5 }, away: side(awayTeam, undefined) },
    }),
    "with a negative record": game({
      teams: {
        home: { ...side(awayTeam, undefined), leagueRecord: { wins: -1, losses: 0 } },
        away: side(awayTeam, undefined),
      },
    }),
    "that is no object": 7,
  }
  for (const [name, row] of Object.entries(bad)) {
    within(
      `${name} cannot be read: beside others it is left out and counted`,
      ({ slates }) =>
        Effect.gen(function* () {
          assert.isUndefined(readListing("2026-07-09", row))
          const { games, unreadable } = yield* slates.around("2026-07-09")
          assert.deepStrictEqual([games.map(({ gamePk }) => gamePk), unreadable], [[500_001], 1])
        }),
      scheduleOf(row, game()),
    )
  }

  within(
    "of which none can be read are an outage",
    ({ slates }) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(slates.around("2026-07-09"))).code, "upstream_unavailable")
      }),
    scheduleOf(bad["without teams"]),
  )

  it("know who is off, on and over, and a home that is none", () => {
    const read = (changes: Readonly<Record<string, unknown>>) => readListing("2026-07-09", game(changes))
    const status = (abstractGameState: string, detailedState: string) =>
      read({ status: { abstractGameState, detailedState } })?.phase
    assert.deepStrictEqual(
      [
        status("Preview", "Pre-Game"),
        status("Live", "In Progress"),
        status("Live", "Suspended: Rain"),
        status("Final", "Completed Early"),
        status("Final", "Postponed"),
        status("Final", "Cancelled: Rain"),
        status("Other", "Unknown"),
      ],
      ["scheduled", "live", "live", "over", "off", "off", "scheduled"],
    )
    assert.isFalse(read({})?.neutral)
    assert.isTrue(read({ venue: { id: 99, name: "Elsewhere" } })?.neutral)
    assert.strictEqual(read({ officialDate: undefined })?.officialDate, "2026-07-09")
  })

  it("have a score once the game is over", () => {
    const scored = (abstractGameState: string, detailedState: string, home: number | undefined) =>
      readListing(
        "2026-07-09",
        game({
          status: { abstractGameState, detailedState },
          teams: {
            home: { ...side(homeTeam, undefined), score: home },
            away: { ...side(awayTeam, undefined), score: 4 },
          },
        }),
      )?.score
    assert.deepStrictEqual(scored("Final", "Final", 3), { home: 3, away: 4 })
    assert.deepStrictEqual(scored("Final", "Completed Early", 0), { home: 0, away: 4 })
    assert.isUndefined(scored("Live", "In Progress", 3))
    assert.isUndefined(scored("Preview", "Pre-Game", 0))
    assert.isUndefined(scored("Final", "Postponed", 0))
    assert.isUndefined(scored("Final", "Final", undefined))
  })

  within("of a game that nobody knows are none, when the service itself says so", ({ slates }) =>
    Effect.gen(function* () {
      assert.deepInclude(yield* slates.of(9), { games: [], unreadable: 0, stale: false })
    }),
  )

  for (const [name, reply] of [
    ["a 404 of somebody else", { ...json({ error: "nothing here" }), status: 404 }],
    ["a 500", broken],
  ] as ReadonlyArray<readonly [string, Payload]>) {
    within(
      `of a game are an outage on ${name}`,
      ({ slates }) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(slates.of(500_001))).code, "upstream_unavailable")
        }),
      [{ path: "/api/v1/schedule", reply }],
    )
  }
})

describe("standings", () => {
  within("are runs by team id", ({ lines }) =>
    Effect.gen(function* () {
      const { lines: found } = yield* lines.teams(2026, "2026-07-09")
      assert.strictEqual(found.size, 30)
      assert.deepStrictEqual([...found].slice(0, 2), [
        [111, { games: 90, scored: 460, allowed: 400 }],
        [222, { games: 90, scored: 400, allowed: 400 }],
      ])
    }),
  )

  for (const [name, body] of [
    ["of another season", standings(2025)],
    ["with a team without runs", standings(2026, { runsAllowed: undefined })],
    ["with runs in quotes", standings(2026, { runsAllowed: "400" })],
  ] as const) {
    within(
      `${name} are an outage, not half a table`,
      ({ lines }) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(lines.teams(2026, "2026-07-09"))).code, "upstream_unavailable")
        }),
      [{ path: "/api/v1/standings", reply: json(body) }],
    )
  }

  within(
    "before opening day are empty",
    ({ lines }) => Effect.map(lines.teams(2026, "2026-02-01"), ({ lines: found }) => assert.strictEqual(found.size, 0)),
    [{ path: "/api/v1/standings", reply: json({ records: [] }) }],
  )
})

describe("a pitcher's lines", () => {
  it("count the digit behind the point as outs", () => {
    assert.deepStrictEqual(["0.0", "0.1", "0.2", "349.2"].map(parseInnings), [0, 1 / 3, 2 / 3, 349 + 2 / 3])
  })

  within("are of the games before a day, and of each earlier year once", ({ lines }) =>
    Effect.gen(function* () {
      const found = yield* lines.pitcher(7002, 2026, "2026-07-09")
      assert.deepStrictEqual(found.season, { innings: 6 + 1 / 3, earnedRuns: 5 })
      // The year with two teams by its total, and not the present one.
      assert.deepStrictEqual(found.earlier, [
        [2024, { innings: 100, earnedRuns: 50 }],
        [2025, { innings: 150 + 2 / 3, earnedRuns: 60 }],
      ])
      const later = yield* lines.pitcher(7002, 2026, "2026-07-10")
      assert.strictEqual(later.season.earnedRuns, 14)
      const early = yield* lines.pitcher(7002, 2026, "2026-07-03")
      assert.deepStrictEqual(early.season, { innings: 0, earnedRuns: 0 })
    }),
  )

  within(
    "are empty for one who has not pitched",
    ({ lines }) =>
      Effect.gen(function* () {
        const { season, earlier } = yield* lines.pitcher(7001, 2026, "2026-07-09")
        assert.deepStrictEqual([season, earlier], [{ innings: 0, earnedRuns: 0 }, []])
      }),
    [{ path: "/api/v1/people/7001/stats", reply: json({ stats: [] }) }],
  )

  const [log, years] = pitching(1).stats
  const row = (changes: Readonly<Record<string, unknown>>) => ({
    stats: [
      { ...log, splits: [{ date: "2026-07-03", stat: { inningsPitched: "6.0", earnedRuns: 1 }, ...changes }] },
      years,
    ],
  })
  for (const [name, reply] of [
    ["innings in numbers", json(row({ stat: { inningsPitched: 6.1, earnedRuns: 1 } }))],
    ["four outs in an inning", json(row({ stat: { inningsPitched: "6.3", earnedRuns: 1 } }))],
    ["no earned runs", json(row({ stat: { inningsPitched: "6.0" } }))],
    ["no day", json(row({ date: undefined }))],
    ["an unknown pitcher", notFound],
  ] as const) {
    within(
      `are an outage on ${name}: a row less would make another pitcher of him`,
      ({ lines }) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(lines.pitcher(7001, 2026, "2026-07-09"))).code, "upstream_unavailable")
        }),
      [{ path: "/api/v1/people/7001/stats", reply }],
    )
  }
})

describe("without the terms accepted", () => {
  it.effect("nobody is asked", () =>
    Effect.gen(function* () {
      const [slates, lines] = yield* Effect.all([Slates, SeasonLines])
      for (const ask of [
        slates.around("2026-07-09"),
        slates.of(1),
        lines.teams(2026),
        lines.pitcher(1, 2026, "2026-07-09"),
      ] as ReadonlyArray<Effect.Effect<unknown, Failure>>) {
        const { code, message } = yield* Effect.flip(ask)
        assert.strictEqual(code, "data_provider_unavailable")
        assert.include(message, "TERMS_ACCEPTED")
      }
    }).pipe(Effect.provide(mlb.layerRefused)),
  )
})
