import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mlb } from "../../../../../adapters/lanes/baseball/mlb/api.ts"
import { schedule } from "../../../../../adapters/lanes/baseball/mlb/schedule.ts"
import * as Upstream from "../../../../../adapters/runtime/upstream/Definition.ts"
import type { Failure } from "../../../../../core/Failure.ts"
import { type World, world } from "../../../../support/mlbWorld.ts"
import { describeRealData } from "../../../../support/realData.ts"
import { json, type Route, recorded, replay } from "../../../../support/replay.ts"

describeRealData("what MLB's StatsAPI answered", (root) => {
  const folder = join(root, "baseball/statsapi")
  const file = (name: string) => join(folder, name)
  const serving = (routes: ReadonlyArray<Route>, body: (made: World) => Effect.Effect<void, unknown>) =>
    Effect.flatMap(world(routes), (made) => Effect.withClock(body(made), made.clock))
  /** Why a read is refused, with what the adapter says of it. */
  const refusal = (read: Effect.Effect<unknown, Failure>) =>
    Effect.map(Effect.flip(read), ({ cause }) => (cause instanceof Error ? cause.message : undefined))

  const slates = [
    ["darkside_2024_2026/schedule.json", 3, 0, ["Final"]],
    ["darkside_2024_2026/schedule_hydrated_team.json", 1, 0, ["Final"]],
    ["reaqa766_2019/schedule_2018-09-27_plain.json", 8, 0, ["Final", "Postponed"]],
    ["reaqa766_2019/schedule_2019-03-09_hydrated_probablePitcher.json", 18, 0, ["Pre-Game", "Scheduled"]],
    [
      "reaqa766_2019/schedule_2019-03-12_hydrated_probablePitcher.json",
      14,
      0,
      ["In Progress", "Pre-Game", "Scheduled"],
    ],
    ["reaqa766_2019/schedule_2019-03-17_hydrated_probablePitcher.json", 18, 0, ["Final", "Pre-Game", "Scheduled"]],
    ["reaqa766_2019/schedule_2019-05_range_400games.json", 400, 0, ["Scheduled"]],
    ["zerosum_2022_2023/schedule_date.json", 9, 0, ["Final", "Postponed"]],
    // Two games without their teams.
    ["zerosum_2022_2023/schedule_start_end_date.json", 6, 2, ["Final", "Postponed"]],
  ] as const
  for (const [name, games, unreadable, states] of slates) {
    it.scopedLive(`is read: ${name}`, () =>
      serving([{ path: "/api/v1/schedule", reply: recorded(file(name)) }], (made) =>
        Effect.gen(function* () {
          const { dates } = JSON.parse(readFileSync(file(name), "utf8"))
          const days = dates.map(({ date }: { readonly date: string }) => date).toSorted()
          const { url } = yield* replay([{ path: "/api/v1/schedule", reply: recorded(file(name)) }])
          const source = yield* Upstream.open(mlb, { mlb: url, userAgent: "tests" })
          const found = yield* schedule(source, { startDate: days[0], endDate: days.at(-1) })
          assert.deepStrictEqual([found.games.length, found.unreadable], [games, unreadable])
          assert.deepStrictEqual([...new Set(found.games.map(({ state }) => state))].sort(), [...states])
          const named = found.games.flatMap(({ home, away }) => [home, away]).filter(({ starter }) => starter)
          const probables = readFileSync(file(name), "utf8").match(/"probablePitcher"/g)?.length ?? 0
          assert.strictEqual(named.length, probables)
          for (const { phase, state, score } of found.games) {
            assert.strictEqual(phase === "off", state === "Postponed")
            assert.strictEqual(score !== undefined, phase === "over")
          }
          const reason = yield* refusal(made.slates.around("2026-07-09"))
          assert.match(
            reason ?? "",
            /^The schedule: its date is 20(18|19|22|24)-.*, not from 2026-07-08 to 2026-07-09$/,
          )
        }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer)),
      ),
    )
  }

  it.scopedLive("is read: runs of six divisions; a table that was cut short is refused", () =>
    serving(
      [
        {
          path: "/api/v1/standings",
          query: (query) => query.get("season") === "2024",
          reply: recorded(file("darkside_2024_2026/standings.json")),
        },
        { path: "/api/v1/standings", reply: recorded(file("zerosum_2022_2023/standings.json")) },
      ],
      ({ lines }) =>
        Effect.gen(function* () {
          const { lines: found } = yield* lines.teams(2024)
          assert.strictEqual(found.size, 30)
          assert.deepStrictEqual(found.get(147), { games: 162, scored: 815, allowed: 668 })
          assert.strictEqual(yield* refusal(lines.teams(2022)), "It has 6 of 30 teams")
        }),
    ),
  )

  it.scopedLive("is read: the seasons of a batter", () => {
    const { people } = JSON.parse(readFileSync(file("zerosum_2022_2023/person_660271_all_stats.json"), "utf8"))
    type Kind = { readonly type: { readonly displayName: string }; readonly group?: { readonly displayName: string } }
    const isHitting = ({ type, group }: Kind) => type.displayName === "yearByYear" && group?.displayName === "hitting"
    const reply = json({ people: [{ ...people[0], stats: people[0].stats.filter(isHitting) }] })
    return serving([{ path: "/api/v1/people", reply }], ({ lines }) =>
      Effect.gen(function* () {
        const { of } = yield* lines.batters(["660271"], 2022)
        assert.deepStrictEqual(
          [2018, 2019, 2021, 2022].map((year) => of("660271", year)?.faced),
          [undefined, 425, 639, undefined],
        )
        assert.deepInclude(of("660271", 2021), { homers: 46, hits: 138, walks: 96, intentional: 20, hitBatsmen: 4 })
      }),
    )
  })

  it.scopedLive("is read: the seasons of a pitcher, recorded with everything else about him", () => {
    const { stats } = JSON.parse(readFileSync(file("zerosum_2022_2023/person_660271_all_stats.json"), "utf8")).people[0]
    const pitched = stats.filter(({ group }: { group?: { displayName: string } }) => group?.displayName === "pitching")
    // Of 2022 the season was recorded, and none of its games.
    const before2022 = pitched.map(({ splits, ...kind }: { splits: ReadonlyArray<{ season: string }> }) => ({
      ...kind,
      splits: splits.filter(({ season }) => season < "2022"),
    }))
    const routes = [
      { path: "/api/v1/people/660271/stats", reply: json({ stats: before2022 }) },
      { path: "/api/v1/people/660272/stats", reply: json({ stats: pitched }) },
    ]
    return serving(routes, ({ lines }) =>
      Effect.gen(function* () {
        const { earlier, season } = yield* lines.pitcher(660271, 2022, "2022-07-01")
        assert.deepStrictEqual(
          earlier.map(([year]) => year),
          [2018, 2020, 2021],
        )
        assert.deepStrictEqual(earlier[0]![1], { innings: 51 + 2 / 3, earnedRuns: 19 })
        assert.deepStrictEqual(season, { innings: 0, earnedRuns: 0 })
        const reason = yield* refusal(lines.pitcher(660272, 2022, "2022-07-01"))
        assert.strictEqual(reason, "The pitching of 660272 in 2022: its player is 660271, not 660272")
      }),
    )
  })

  it.scopedLive("is read: a career and a season hold no log, so they say nothing of single days", () =>
    serving(
      [{ path: "/api/v1/people/1/stats", reply: recorded(file("zerosum_2022_2023/person_stats_pitching.json")) }],
      ({ lines }) =>
        Effect.map(lines.pitcher(1, 2022, "2022-07-01"), ({ season, earlier }) =>
          assert.deepStrictEqual([season, earlier], [{ innings: 0, earnedRuns: 0 }, []]),
        ),
    ),
  )

  it.scopedLive("is understood: no such object, and an internal error", () =>
    serving(
      [
        {
          path: "/api/v1/schedule",
          query: (query) => query.get("gamePks") === "1",
          reply: { ...recorded(file("zerosum_2022_2023/not_found_404.json")), status: 404 },
        },
        { path: "/api/v1/schedule", reply: { ...recorded(file("zerosum_2022_2023/error_500.json")), status: 500 } },
      ],
      ({ slates: port }) =>
        Effect.gen(function* () {
          assert.deepStrictEqual((yield* port.of(1)).games, [])
          assert.strictEqual((yield* Effect.flip(port.of(2))).code, "upstream_unavailable")
        }),
    ),
  )
})
