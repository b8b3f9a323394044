import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { top100 } from "../../../../core/lanes/football/endpoints.ts"
import type { Top100, Top100List, Top100Player } from "../../../../core/lanes/football/ports.ts"
import * as Lane from "../../../../core/lanes/Lane.ts"

const player = (rank: number, position = "WR"): Top100Player => ({ rank, player: `P${rank}`, code: "GB", position })

const list = (season: number, ...players: ReadonlyArray<Top100Player>): Top100List => ({
  season,
  players,
  source: "lists.csv",
  fetchedAt: Date.UTC(2025, 8, 1),
})

const over = (...lists: ReadonlyArray<Top100List>) => {
  const port: typeof Top100.Service = {
    freshness: "live",
    seasons: Effect.succeed(lists.map(({ season }) => season)),
    list: (season) => Effect.succeed(lists.find((one) => one.season === season)),
  }
  const method = Lane.method(top100, { top100: port })
  return (params: Partial<Endpoint.Params<typeof top100>>) => method(params as Endpoint.Params<typeof top100>)
}

const both = over(list(2024, player(1)), list(2025, player(1), player(2, "QB"), player(3, "QB"), player(4, "QB")))

describe("the list of the hundred best players", () => {
  it.effect("is the newest one without a season, with all rows without a limit", () =>
    Effect.gen(function* () {
      const { results, reasoning, next, links } = yield* both({})
      assert.strictEqual(results.season, 2025)
      assert.strictEqual(results.count, 4)
      assert.deepStrictEqual(results.players[1], { rank: 2, player_name: "P2", team: "GB", position: "QB" })
      assert.deepStrictEqual(reasoning, ["List published in 2025 on season 2024: 4 of 4 rows on this page."])
      assert.isUndefined(next)
      assert.strictEqual(links[0]?.id, "top100/2025")
    }),
  )

  it.effect("goes on where the page before ended, and ends with its last row", () =>
    Effect.gen(function* () {
      const first = yield* both({ limit: 2 })
      assert.deepStrictEqual(
        first.results.players.map(({ rank }) => rank),
        [1, 2],
      )
      assert.strictEqual(first.next, "002")
      const second = yield* both({ limit: 2, cursor: "002" })
      assert.deepStrictEqual(
        second.results.players.map(({ rank }) => rank),
        [3, 4],
      )
      assert.isUndefined(second.next)
      assert.isUndefined((yield* both({ limit: 4 })).next)
    }),
  )

  it.effect("suggests at most two quarterbacks of the page", () =>
    Effect.gen(function* () {
      const { extras } = yield* both({})
      assert.deepStrictEqual(
        extras?.suggestions?.map(({ params }) => params),
        [{ player: "P2" }, { player: "P3" }],
      )
      assert.deepStrictEqual((yield* both({ season: 2024 })).extras?.suggestions, [])
    }),
  )

  it.effect("names the seasons that there are, for one that there is not", () =>
    Effect.gen(function* () {
      const { code, detail, hints } = yield* Effect.flip(both({ season: 2023 }))
      assert.deepStrictEqual([code, detail], ["not_found", "There is no Top 100 list for 2023."])
      assert.strictEqual(hints?.[0]?.suggestion, "Send one of 2024, 2025.")
    }),
  )

  it.effect("is not there on a server that has loaded none", () =>
    Effect.gen(function* () {
      for (const params of [{}, { season: 2025 }]) {
        const { code, hints } = yield* Effect.flip(over()(params))
        assert.strictEqual(code, "data_provider_unavailable")
        assert.strictEqual(hints?.[0]?.action, "contact")
      }
    }),
  )
})
