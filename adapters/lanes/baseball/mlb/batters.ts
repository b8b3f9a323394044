import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { parameters } from "../../../../core/lanes/baseball/parameters.ts"
import type { BatterLines } from "../../../../core/lanes/baseball/ports.ts"
import { implausibleCounts, mostAppearances, summed } from "../../../../core/lanes/baseball/skill/rates.ts"
import { implausible, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import type { Api } from "./api.ts"
import { byYear, countsOf, kind, WireCounts, Year } from "./counts.ts"

const { battersFaced: _, hitBatsmen: __, ...common } = WireCounts.fields

const Stat = Schema.Struct({ ...common, plateAppearances: Schema.Int, hitByPitch: Schema.Int })

const YearByYear = kind("yearByYear", "hitting", Schema.Struct({ ...Year, stat: Stat }))

const Wire = Schema.Struct({
  people: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      /** Absent for a player who never came to bat. */
      stats: Schema.optional(Schema.Array(YearByYear)),
    }),
  ),
})

const fields = [
  ...["people", "id", "stats", "type", "displayName", "group", "splits", "season", "stat", "team", "sport", "gameType"],
  ...Object.keys(Stat.fields),
].join(",")

const path = "/api/v1/people"

/**
 * The seasons of batters before one, in one request.
 *
 * @param ids comma-separated
 */
export const batterSeasons = (api: Api, ids: string, season: number): Effect.Effect<BatterLines, UpstreamError> =>
  Effect.gen(function* () {
    const query = { personIds: ids, hydrate: "stats(group=[hitting],type=[yearByYear],sportId=1)" }
    const { people } = yield* api.get(Wire, path, { ...query, fields })
    const there = new Set(people.map(({ id }) => String(id)))
    const lacking = ids.split(",").find((id) => !there.has(id))
    if (lacking !== undefined) return yield* implausible(api.upstream, `It lacks batter ${lacking}`)
    const seasons = people.flatMap(({ id, stats = [] }) =>
      byYear(stats.flatMap(({ splits }) => splits)).flatMap(([year, rows]) => {
        if (year >= season || year < season - parameters.lineUp.seasons.length) return []
        const counts = summed(
          rows.map(({ stat }) =>
            countsOf({ ...stat, battersFaced: stat.plateAppearances, hitBatsmen: stat.hitByPitch }),
          ),
        )
        return [
          { key: `${year}/${id}`, counts, reason: implausibleCounts(counts, mostAppearances, "plate appearances") },
        ]
      }),
    )
    const odd = seasons.find(({ reason }) => reason !== undefined)
    if (odd !== undefined) return yield* implausible(api.upstream, `Batting of ${odd.key}: ${odd.reason}`)
    const own = new Map(seasons.map(({ key, counts }) => [key, counts]))
    return { of: (batter, year) => own.get(`${year}/${batter}`), ...(yield* api.cite("batting", path, query)) }
  })
