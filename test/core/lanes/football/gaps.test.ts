import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../../../../core/Failure.ts"
import type { Coverage, Period } from "../../../../core/feeds/Due.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import type { FootballArchive } from "../../../../core/lanes/football/data/archive.ts"
import { nflFeeds, toWeekPeriod, type WeeklyFeed } from "../../../../core/lanes/football/data/coverage.ts"
import { endpoints } from "../../../../core/lanes/football/endpoints.ts"
import type { Football } from "../../../../core/lanes/football/Football.ts"
import type { Capture } from "../../../../core/record/captures/Captures.ts"
import { fits, now, over } from "../../../support/footballLane.ts"
import { fixture, ingest } from "../../../support/footballStore.ts"

const hour = 3_600_000

/** Feeds that lack some periods; the others lack none. The source is asked in an hour. */
const lackingFeeds = (
  lacking: Partial<
    Record<WeeklyFeed, { readonly missing?: ReadonlyArray<Period>; readonly gaps?: ReadonlyArray<Period> }>
  >,
) =>
  Layer.succeed(Feeds, {
    coverage: ({ name }) => {
      const feed = (Object.keys(nflFeeds) as ReadonlyArray<WeeklyFeed>).find((each) => nflFeeds[each].name === name)!
      const coverage: Coverage = {
        ...{
          newest: toWeekPeriod(2024, 1),
          expected: toWeekPeriod(2024, 2),
          missing: [],
          gaps: [],
          nextAttemptAt: now + hour,
        },
        ...lacking[feed],
      }
      return Effect.succeed(coverage)
    },
    all: Effect.succeed([]),
    attempted: () => Effect.void,
  })

const late = { missing: [toWeekPeriod(2024, 2)] }

const withFeeds = (
  lacking: Parameters<typeof lackingFeeds>[0],
  ask: (
    football: typeof Football.Service,
    kept: ReadonlyArray<Capture>,
  ) => Effect.Effect<void, unknown, FootballArchive>,
) => {
  const kept: Array<Capture> = []
  return over((football) => ask(football, kept), kept, lackingFeeds(lacking))
}

const refusedAsStale = (failure: Failure, ...fields: ReadonlyArray<string>): void => {
  assert.deepInclude(failure, { code: "data_freshness_stale", retryAfterMs: hour })
  assert.include(failure.detail, "week 2 of 2024 is due")
  assert.deepStrictEqual(failure.hints?.map(({ field }) => field) ?? [], fields)
}

describe("a late file of football", () => {
  it.effect("stat lines: most recent weeks and this season are refused, an older season is not", () =>
    withFeeds({ quarterbacks: late }, ({ qb }) =>
      Effect.gen(function* () {
        refusedAsStale(yield* Effect.flip(qb({ player: "example", last: 20 })), "season")
        refusedAsStale(yield* Effect.flip(qb({ player: "example", season: 2024, last: 20 })), "season")
        const { confidence } = yield* qb({ player: "Otto Raider", season: 2015, last: 20 })
        assert.strictEqual(confidence.score, 1)
      }),
    ),
  )

  it.effect("stat lines: a hole since the oldest returned week is named, flagged and halves the confidence", () =>
    withFeeds({ quarterbacks: { gaps: [toWeekPeriod(2015, 9)] } }, ({ qb }) =>
      Effect.gen(function* () {
        const { results, confidence, reasoning } = yield* qb({ player: "Otto Raider", season: 2015, last: 20 })
        fits(endpoints.qb, results)
        assert.deepInclude(results, { quality_flags: ["stat_lines_incomplete"] })
        assert.strictEqual(confidence.score, 0.5)
        assert.include(reasoning.join(" "), "lack week 9 of 2015")
      }),
    ),
  )

  it.effect("results: games of the season and lines of games to come are refused, a week that is there is not", () =>
    withFeeds({ games: late }, ({ games, fairLine }) =>
      Effect.gen(function* () {
        refusedAsStale(yield* Effect.flip(games({})), "week")
        refusedAsStale(yield* Effect.flip(games({ week: 2 })), "week")
        assert.isAbove((yield* games({ week: 1 })).results.count, 0)
        refusedAsStale(yield* Effect.flip(fairLine({ team: "KC" })))
      }),
    ),
  )

  it.effect("team stats: the line is flagged, less sure, and not on the record", () =>
    withFeeds({ team_weeks: late }, ({ fairLine }, kept) =>
      Effect.gen(function* () {
        const { results, confidence, reasoning, unrecorded } = yield* fairLine({ team: "KC" })
        fits(endpoints.fairLine, results)
        assert.deepStrictEqual(results.prediction.quality_flags, ["team_stats_incomplete"])
        assert.isFalse(results.recorded_to_track_record)
        assert.lengthOf(kept, 0)
        assert.include(reasoning.join(" "), "NFL team stats lack week 2 of 2024")
        assert.include(unrecorded, "NFL team stats lack week 2 of 2024")
        assert.include(confidence.factors.join(" "), "NFL team stats lack week 2 of 2024.: ×0.70")
      }),
    ),
  )

  it.effect("rosters and reports without a second source: injuries are refused", () =>
    withFeeds({ injuries: late }, ({ injuries }) =>
      Effect.gen(function* () {
        refusedAsStale(yield* Effect.flip(injuries({ team: "KC" })), "week")
        // A week that is there is answered from its report.
        assert.strictEqual((yield* injuries({ team: "KC", week: 1 })).results.report.count, 1)
      }),
    ),
  )

  it.effect("reports, with the inactive of the newest roster: those are the answer, and it says so", () =>
    withFeeds({ injuries: late }, ({ injuries }) =>
      Effect.gen(function* () {
        const text = readFileSync(fixture("roster_weekly_2024.csv"), "utf8").replace(
          "2024,KC,C,DEV,Cal Center",
          "2024,KC,C,INA,Cal Center",
        )
        yield* ingest("rosters", { name: "roster_weekly_2024.csv", text }, now)
        const { results, confidence, reasoning } = yield* injuries({ team: "KC" })
        fits(endpoints.injuries, results)
        assert.strictEqual(results.week, 2)
        assert.deepInclude(results.report, {
          count: 1,
          by_status: { Inactive: 1 },
          quality_flags: ["report_from_rosters"],
        })
        assert.strictEqual(results.report.players[0]!.player, "Cal Center")
        assert.strictEqual(results.reserve_list.count, 3)
        assert.strictEqual(confidence.score, 0.5)
        assert.include(reasoning.join(" "), "Used the inactive players of the newest roster instead.")
      }),
    ),
  )
})

describe("a report and a roster of one week", () => {
  it.effect("that disagree are flagged, with the player's name", () =>
    withFeeds({}, ({ injuries }) =>
      Effect.gen(function* () {
        const rosters = readFileSync(fixture("roster_weekly_2024.csv"), "utf8")
        const text = rosters.replace("C,DEV,Cal Center", "C,INA,Cal Center")
        yield* ingest("rosters", { name: "roster_weekly_2024.csv", text }, now)
        assert.deepStrictEqual((yield* injuries({ team: "KC" })).results.report.quality_flags, [])
        const reports = readFileSync(fixture("injuries_2024.csv"), "utf8")
        const out = reports.replace("T,Tod Wall,,,,Knee", "T,Tod Wall,,,Out,Knee")
        yield* ingest("injuries", { name: "injuries_2024.csv", text: out }, now)
        const { results, confidence, reasoning } = yield* injuries({ team: "KC" })
        assert.deepStrictEqual(results.report.quality_flags, ["source_disagreement"])
        assert.include(reasoning.join(" "), "Tod Wall is reported out but not inactive on the roster of that week.")
        assert.isBelow(confidence.score, 1)
      }),
    ),
  )
})
