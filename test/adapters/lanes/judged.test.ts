import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mlb } from "../../../adapters/lanes/baseball/mlb/api.ts"
import { batterSeasons } from "../../../adapters/lanes/baseball/mlb/batters.ts"
import { pitcherLog } from "../../../adapters/lanes/baseball/mlb/pitcher.ts"
import { schedule } from "../../../adapters/lanes/baseball/mlb/schedule.ts"
import { standings } from "../../../adapters/lanes/baseball/mlb/standings.ts"
import { nflverse } from "../../../adapters/lanes/football/nflverse/releases.ts"
import * as Upstream from "../../../adapters/runtime/upstream/Definition.ts"
import type { UpstreamError } from "../../../adapters/runtime/upstream/UpstreamError.ts"
import { wireBatters, wireCounts } from "../../support/pitching.ts"

type Ask = (source: Upstream.Source) => Effect.Effect<unknown, UpstreamError>

const day = { startDate: "2026-07-09", endDate: "2026-07-09" }
const team = { team: { id: 1 }, season: "2026", gamesPlayed: 90, runsScored: 400, runsAllowed: 400 }
const year = {
  ...{ season: "2025", player: { id: 7 }, team: { id: 1 }, sport: { id: 1 }, gameType: "R" },
  stat: { ...wireCounts, inningsPitched: "200.0", earnedRuns: 50, battersFaced: -1 },
}
const pitching = [{ type: { displayName: "yearByYear" }, group: { displayName: "pitching" }, splits: [year] }]
const batting = JSON.parse(
  JSON.stringify(wireBatters(["8001"])).replaceAll('"plateAppearances":400', '"plateAppearances":-1'),
)

const refused: ReadonlyArray<readonly [what: string, definition: Upstream.Definition, body: unknown, ask: Ask]> = [
  ["a schedule with a game short", mlb, { totalGames: 2, dates: [] }, (source) => schedule(source, day)],
  [
    "a schedule that nobody can read",
    mlb,
    { dates: [{ date: "2026-07-09", games: [{}] }] },
    (source) => schedule(source, day),
  ],
  [
    "standings of one team",
    mlb,
    { records: [{ teamRecords: [team] }] },
    (source) => standings(source, 2026, "2026-07-09"),
  ],
  ["a pitcher's season of too few", mlb, { stats: pitching }, (source) => pitcherLog(source, 7, 2026)],
  ["a batter's season of too few", mlb, batting, (source) => batterSeasons(source, "8001", 2026)],
  ["a file without its columns", nflverse, "a,b\n1,2\n", nflverse.probe],
]

describe("an answer that cannot be", () => {
  for (const [what, definition, body, ask] of refused) {
    it.effect(`is none of its source, which has not answered from then on: ${what}`, () =>
      Effect.gen(function* () {
        const client = HttpClient.make((request) =>
          Effect.succeed(
            HttpClientResponse.fromWeb(request, typeof body === "string" ? new Response(body) : Response.json(body)),
          ),
        )
        const source = Upstream.openAt(definition, client, "http://localhost")
        assert.strictEqual((yield* Effect.flip(ask(source))).reason, "implausible")
        assert.strictEqual(source.upstream.breaker.failingSince(), 0)
      }),
    )
  }
})
