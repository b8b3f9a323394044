import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type World, world } from "../../../../support/mlbWorld.ts"
import { describeRealData } from "../../../../support/realData.ts"
import { json, type Route, recorded } from "../../../../support/replay.ts"

describeRealData("what MLB's StatsAPI answered", (root) => {
  const folder = join(root, "baseball/statsapi")
  const file = (name: string) => join(folder, name)
  const serving = (routes: ReadonlyArray<Route>, body: (made: World) => Effect.Effect<void, unknown>) =>
    Effect.flatMap(world(routes), (made) => Effect.withClock(body(made), made.clock))
  const slate = (name: string, day: string) => (made: World) =>
    Effect.map(made.slates.around(day), (found) => ({ name, ...found }))

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
          const found = yield* slate(name, "2026-07-09")(made)
          assert.deepStrictEqual([found.games.length, found.unreadable], [games, unreadable])
          assert.deepStrictEqual([...new Set(found.games.map(({ state }) => state))].sort(), [...states])
          const named = found.games.flatMap(({ home, away }) => [home, away]).filter(({ starter }) => starter)
          const probables = readFileSync(file(name), "utf8").match(/"probablePitcher"/g)?.length ?? 0
          assert.strictEqual(named.length, probables)
          for (const { phase, state, score } of found.games) {
            assert.strictEqual(phase === "off", state === "Postponed")
            assert.strictEqual(score !== undefined, phase === "over")
          }
        }),
      ),
    )
  }

  it.scopedLive("is read: runs of six divisions, and of a table that was cut short", () =>
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
          assert.strictEqual((yield* lines.teams(2022)).lines.size, 6)
        }),
    ),
  )

  it.scopedLive("is read: the seasons of a pitcher, recorded with everything else about him", () => {
    const { stats } = JSON.parse(readFileSync(file("zerosum_2022_2023/person_660271_all_stats.json"), "utf8")).people[0]
    const pitched = stats.filter(({ group }: { group?: { displayName: string } }) => group?.displayName === "pitching")
    return serving([{ path: "/api/v1/people/660271/stats", reply: json({ stats: pitched }) }], ({ lines }) =>
      Effect.gen(function* () {
        const { earlier, season } = yield* lines.pitcher(660271, 2022, "2022-07-01")
        assert.deepStrictEqual(
          earlier.map(([year]) => year),
          [2018, 2020, 2021],
        )
        assert.deepStrictEqual(earlier[0]![1], { innings: 51 + 2 / 3, earnedRuns: 19 })
        // Nothing but the whole season was recorded of 2022, and that is not known on the first of July.
        assert.deepStrictEqual(season, { innings: 0, earnedRuns: 0 })
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
