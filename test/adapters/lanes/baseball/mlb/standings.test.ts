import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mlb } from "../../../../../adapters/lanes/baseball/mlb/api.ts"
import { standings } from "../../../../../adapters/lanes/baseball/mlb/standings.ts"
import * as Upstream from "../../../../../adapters/runtime/upstream/Definition.ts"

const row = (id: number, season = "2026") => ({
  team: { id },
  season,
  gamesPlayed: 10 + id,
  runsScored: 4 * (10 + id) + id,
  runsAllowed: 4 * (10 + id) + 31 - id,
})

/** The service with one answer, and the questions that it was asked. */
const answering = (body: unknown) => {
  const queries: Array<Readonly<Record<string, string>>> = []
  const client = HttpClient.make((request, url) => {
    queries.push(Object.fromEntries(url.searchParams))
    return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(body)))
  })
  return { api: Upstream.openAt(mlb, client, "http://localhost"), queries }
}

const divisions = (...all: ReadonlyArray<ReadonlyArray<unknown>>) => ({
  records: all.map((teamRecords) => ({ teamRecords })),
})

/** Of the whole league. */
const ids = Array.from({ length: 30 }, (_, at) => at + 1)

describe("standings", () => {
  it.effect("are the runs of every team of all divisions", () =>
    Effect.gen(function* () {
      const { api, queries } = answering(
        divisions(
          [row(1), row(2)],
          ids.slice(2).map((id) => row(id)),
        ),
      )
      const { lines } = yield* standings(api, 2026, undefined)
      assert.deepStrictEqual([...lines.keys()], ids)
      assert.deepStrictEqual(lines.get(2), { games: 12, scored: 50, allowed: 77 })
      assert.deepStrictEqual(queries, [{ leagueId: "103,104", season: "2026", standingsTypes: "regularSeason" }])
    }),
  )

  it.effect("before a day are those up to the day before it", () =>
    Effect.gen(function* () {
      const { api, queries } = answering(divisions())
      yield* standings(api, 2026, "2026-07-01")
      assert.strictEqual(queries[0]?.["date"], "2026-06-30")
    }),
  )

  it.effect("of another season are refused", () =>
    Effect.gen(function* () {
      const { api } = answering(divisions([row(1)], [row(2, "2025")]))
      const { message } = yield* Effect.flip(standings(api, 2026, undefined))
      assert.strictEqual(message, "The standings of 2026: its season is 2026, 2025, not 2026")
    }),
  )

  it.effect("with one team that cannot be read are not read at all", () =>
    Effect.gen(function* () {
      const { api } = answering(divisions([row(1), { ...row(2), runsScored: -1 }]))
      assert.strictEqual((yield* Effect.flip(standings(api, 2026, undefined))).reason, "shape")
    }),
  )
})
