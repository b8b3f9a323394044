// Proof: takes about ten seconds or more.
import { readFileSync } from "node:fs"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { footballIngestJob, footballScoreJob } from "../../../../adapters/lanes/football/module.ts"
import { releases } from "../../../../adapters/lanes/football/nflverse/releases.ts"
import * as footballArchive from "../../../../adapters/lanes/football/store/Archive.ts"
import * as footballGames from "../../../../adapters/lanes/football/store/Games.ts"
import * as footballQuarterbacks from "../../../../adapters/lanes/football/store/Quarterbacks.ts"
import * as footballReports from "../../../../adapters/lanes/football/store/Reports.ts"
import type { RequestPolicy } from "../../../../adapters/runtime/upstream/upstream.ts"
import * as captures from "../../../../adapters/store/record/Captures.ts"
import * as outcomes from "../../../../adapters/store/record/Outcomes.ts"
import * as recordInputs from "../../../../adapters/store/record/RecordInputs.ts"
import * as recordLog from "../../../../adapters/store/record/RecordLog.ts"
import type { Failure } from "../../../../core/Failure.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { pricings } from "../../../../core/lanes/all.ts"
import { Football } from "../../../../core/lanes/football/Football.ts"
import * as recorder from "../../../../core/lanes/markets/recorder.ts"
import type { Captures } from "../../../../core/record/captures/Captures.ts"
import type { Recorder } from "../../../../core/record/captures/Recorder.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { Jobs } from "../../../../services/jobs.ts"
import { clockAt } from "../../../support/clock.ts"
import { faults } from "../../../support/faults.ts"
import { emptyStore, fixture } from "../../../support/footballStore.ts"
import { impatient, patient } from "../../../support/policy.ts"
import { bought } from "../../../support/record.ts"
import { type Payload, type Replay, type Route, replay } from "../../../support/replay.ts"
import { settings } from "../../../support/running.ts"
import { jobsOf } from "../../../support/world.ts"

const now = Date.UTC(2024, 8, 17, 12)
const hour = 3_600_000
const userAgent = "market-signals (football@example.com)"

const text = (name: string): string => readFileSync(fixture(name), "utf8")

/** A file as a release host serves it: with an ETag, and 304 for a client that has it. */
const file = (path: string, body: () => string): Route => ({
  path,
  reply: ({ headers }): Payload => {
    const etag = `"${body().length}-${body().slice(-60).length}-${Buffer.from(body()).reduce((a, b) => (a * 31 + b) >>> 0, 7)}"`
    return headers["if-none-match"] === etag
      ? { status: 304, headers: { etag }, body: "" }
      : {
          headers: {
            "content-type": "application/octet-stream",
            etag,
            "last-modified": "Tue, 17 Sep 2024 08:00:00 GMT",
          },
          body: body(),
        }
  },
})

interface World {
  readonly host: Replay
  readonly clock: ReturnType<typeof clockAt>
  readonly files: { games: string; injuries: string }
  readonly ingest: Effect.Effect<string, { readonly _tag: string; readonly message: string }>
  readonly score: Effect.Effect<string, { readonly _tag: string; readonly message: string }>
}

const lane = Football.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      footballArchive.layer,
      footballGames.layer,
      footballQuarterbacks.layer,
      footballReports.layerInjuries,
      footballReports.layerTop100,
      captures.layer,
      outcomes.layer,
      outcomes.layerTrackRecord,
      recordLog.layer,
      Feeds.layerNone,
      Layer.provide(recorder.layerAlone(pricings), recordInputs.layer),
    ),
  ),
  Layer.provideMerge(emptyStore),
)

const within = (
  sentence: string,
  body: (
    world: World,
  ) => Effect.Effect<void, unknown, Captures | Football | Recorder | RecordLog | SqlClient.SqlClient>,
  policy: RequestPolicy = patient,
) =>
  it.scopedLive(sentence, () => {
    const clock = clockAt(now)
    return Effect.gen(function* () {
      const files = { games: text("games.csv"), injuries: text("injuries_2024.csv") }
      const host = yield* replay([
        file("/schedules/games.csv", () => files.games),
        file("/stats_team/stats_team_week_2024.csv", () => text("team_week_2024.csv")),
        file("/stats_player/stats_player_week_2024.csv", () => text("player_weeks_2024.csv")),
        file("/stats_player/stats_player_week_2015.csv", () => text("player_weeks_old_2015.csv")),
        file("/injuries/injuries_2024.csv", () => files.injuries),
        file("/rosters/roster_2024.csv", () => text("roster_weekly_2024.csv")),
      ])
      const { run: ingest } = yield* footballIngestJob({ nflverse: host.url, userAgent }, policy)
      const { run: score } = yield* footballScoreJob
      yield* body({ host, clock, files, ingest, score })
    }).pipe(Effect.provide([lane, FetchHttpClient.layer]), Effect.withClock(clock))
  })

const paths = (host: Replay, from = 0) => host.requests.slice(from).map(({ path }) => path)

describe("what is released", () => {
  it("is the schedule, and one file per feed and season", () => {
    const all = releases(now)
    assert.strictEqual(all.filter(({ season }) => season === undefined).length, 1)
    const count = (feed: string) => all.filter((one) => one.feed === feed).length
    assert.deepStrictEqual(["team_weeks", "quarterbacks", "injuries", "rosters"].map(count), [9, 23, 16, 23])
    assert.strictEqual(new Set(all.map(({ path }) => path)).size, all.length)
    // From 15 March there are rosters of the season to come, but no games yet.
    const spring = releases(Date.UTC(2025, 2, 16)).filter(({ season }) => season === 2025)
    assert.deepStrictEqual([...new Set(spring.map(({ feed }) => feed))], ["injuries", "rosters"])
  })
})

describe.concurrent("the ingest of football releases", () => {
  within(
    "brings every file that is there, then only asks whether this season's have changed",
    ({ host, clock, files, ingest }) =>
      Effect.gen(function* () {
        const football = yield* Football
        assert.match(
          yield* ingest,
          /^\d+ files requested, 6 new, 0 unchanged, \d+ not released, 0 refused, 29 rows added/,
        )
        assert.strictEqual((yield* football.games({})).results.count, 6)
        assert.strictEqual((yield* football.injuries({ team: "KC" })).results.reserve_list.count, 3)
        // A file that is not released says nothing on its season.
        const unreleased = yield* Effect.flip(football.injuries({ team: "KC", season: 2023 }))
        assert.strictEqual((unreleased as Failure).code, "upstream_unavailable")
        for (const { headers } of host.requests) assert.strictEqual(headers["user-agent"], userAgent)
        const sql = yield* SqlClient.SqlClient
        const before = yield* sql`SELECT * FROM football_games`

        let asked = host.requests.length
        clock.set(now + 6 * hour)
        assert.match(yield* ingest, /0 new, 5 unchanged, .*, 0 rows added, 0 changed, 0 withdrawn$/)
        const again = paths(host, asked)
        assert.notInclude(again, "/stats_player/stats_player_week_2015.csv")
        assert.deepStrictEqual(yield* sql`SELECT * FROM football_games`, before)
        // It was looked at: a line is good for another day and a half.
        clock.set(now + 41 * hour)
        assert.isFalse((yield* football.fairLine({ team: "LV" })).results.retrospective)

        asked = host.requests.length
        files.games = files.games.replace("BUF,,LV,,Home,,", "BUF,20,LV,23,Home,3,43")
        assert.match(yield* ingest, /1 new, 4 unchanged, .*, 0 rows added, 1 changed, 0 withdrawn$/)
        const [final] = (yield* football.games({ week: 2, team: "LV" })).results.games
        assert.deepInclude(final, { home_score: 23, away_score: 20, result: 3, total: 43 })
      }),
  )

  within("refuses a file whole and says where it is wrong; the others are taken", ({ files, ingest }) =>
    Effect.gen(function* () {
      const football = yield* Football
      files.games = files.games.replace("spread_line", "spread")
      const { message } = yield* Effect.flip(ingest)
      assert.match(message, /5 new.*\/schedules\/games\.csv: line 1, spread_line, Missing column\./)
      assert.strictEqual((yield* Effect.flip(football.games({}))).code, "upstream_unavailable")
      assert.strictEqual((yield* football.injuries({ team: "KC" })).results.report.count, 2)
      files.games = files.games.replace("spread,", "spread_line,")
      assert.match(yield* ingest, /1 new/)
      assert.strictEqual((yield* football.games({})).results.count, 6)
    }),
  )

  const troubles = [
    "hang",
    "reset",
    "halfBody",
    "huge",
    "serverError",
    "unavailable",
    "forbidden",
    "tooManyRequests",
  ] as const
  for (const fault of troubles) {
    within(
      `fails when nothing answers as it should, and stores nothing: ${fault}`,
      ({ host, ingest }) =>
        Effect.gen(function* () {
          host.spoil(faults[fault])
          const failure = (yield* Effect.flip(ingest)) as Failure
          assert.strictEqual(failure.code, "upstream_unavailable")
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(yield* sql`SELECT * FROM football_files`, [])
          assert.deepStrictEqual(yield* sql`SELECT * FROM football_feeds WHERE feed = 'games'`, [])
          assert.isAtMost(host.requests.length, 300)
        }),
      fault === "hang" ? impatient : patient,
    )
  }

  const garbage = ["truncated", "empty", "html"] as const
  for (const fault of garbage) {
    within(`takes nothing from files that are none: ${fault}`, ({ host, ingest }) =>
      Effect.gen(function* () {
        host.spoil(faults[fault])
        const { message: said } = yield* Effect.flip(ingest)
        assert.match(said, /0 new/)
        assert.match(said, /games\.csv: /)
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT * FROM football_games`, [])
      }),
    )
  }
})

describe("the score of recorded lines", () => {
  within(
    "takes the last line before kickoff, once, and puts a corrected final beside the first",
    ({ clock, files, ingest, score }) =>
      Effect.gen(function* () {
        const football = yield* Football
        yield* ingest
        let calls = 0
        const buy = Effect.suspend(() =>
          Effect.flatMap(football.fairLine({ team: "LV" }), (answer) => bought(answer, `req_${++calls}`)),
        )
        const first = yield* buy
        assert.isTrue(first.recorded_to_track_record)
        // The starter changes: another line, which is the one that counts.
        files.games = files.games.replace("00-9000004,00-9000001,Gus Desert", "00-9000009,00-9000001,Backup Man")
        clock.set(now + hour)
        yield* ingest
        const last = (yield* buy).prediction.fair_line
        assert.notStrictEqual(last.home_margin, first.prediction.fair_line.home_margin)
        // The market has moved: the model's line is captured with the new one.
        files.games = files.games.replace(",260,-320,7,46.5,", ",390,-500,9.5,46.5,")
        clock.set(now + 2 * hour)
        yield* ingest
        assert.strictEqual((yield* buy).prediction.market?.spread_line, 9.5)
        assert.strictEqual(yield* score, "0 scored")

        clock.set(Date.UTC(2024, 8, 22, 21))
        files.games = files.games.replace("LV,,KC,,Home,,", "LV,17,KC,31,Home,14,48")
        yield* ingest
        assert.strictEqual(yield* score, "1 scored")
        assert.strictEqual(yield* score, "0 scored")
        const { live } = (yield* football.performance({})).results
        assert.deepInclude(live, { predictions_scored: 1, games_pending: 0, status: "scoring" })
        assert.closeTo(live.scores!["mae_model"]!, Math.abs(14 - last.home_margin), 0.0051)
        assert.closeTo(live.scores!["brier_model_wp"]!, (1 - last.win_prob_home) ** 2, 5.1e-7)
        assert.deepInclude(live.scores, { mae_market: 4.5, total_mae_market: 1.5, su_accuracy_market: 1 })

        files.games = files.games.replace("LV,17,KC,31,Home,14,48", "LV,17,KC,30,Home,13,47")
        yield* ingest
        assert.strictEqual(yield* score, "1 scored")
        const corrected = (yield* football.performance({})).results.live
        assert.strictEqual(corrected.predictions_scored, 1)
        assert.strictEqual(corrected.scores!["mae_market"], 3.5)
        const log = yield* RecordLog
        const kinds = (yield* log.range(0, yield* log.size)).map(({ text }) => JSON.parse(text).kind)
        assert.deepStrictEqual(kinds, ["capture", "capture", "capture", "settlement", "correction"])
      }),
  )
})

describe("the jobs of a mode", () => {
  const expected = { mock: [], shadow: ["football-ingest"], live: ["football-ingest", "football-score"] }
  for (const [mode, names] of Object.entries(expected)) {
    it.effect(`${mode}: ${names.join(", ") || "none of this lane"}`, () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        assert.deepStrictEqual(
          jobs.map(({ name }) => name).filter((name) => name.startsWith("football-")),
          names,
        )
      }).pipe(
        Effect.provide(jobsOf(settings({ football: mode as keyof typeof expected })).pipe(Layer.provide(emptyStore))),
      ),
    )
  }
})
