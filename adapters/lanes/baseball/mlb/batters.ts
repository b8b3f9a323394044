import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { parameters } from "../../../../core/lanes/baseball/parameters.ts"
import type { BatterLines } from "../../../../core/lanes/baseball/ports.ts"
import { implausibleCounts, mostAppearances, summed } from "../../../../core/lanes/baseball/skill/rates.ts"
import { whole } from "../../../../core/sources/identity.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { implausible, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { cite } from "./cite.ts"
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
const queryOf = (ids: string) => ({ personIds: ids, hydrate: "stats(group=[hitting],type=[yearByYear],sportId=1)" })

export const batters = Upstream.question(Upstream.json(Wire), {
  path: () => path,
  query: (ids: string) => ({ ...queryOf(ids), fields }),
  identity: whole({
    name: () => "The answer on batters",
    says: {
      batters: ({ people }, ids) => {
        const stated = new Set(people.map(({ id }) => String(id)))
        const asked = ids.split(",")
        return [asked.filter((id) => stated.has(id)).join(","), asked.join(",")]
      },
    },
  }),
})

/**
 * The seasons of batters before one, in one request.
 *
 * @param ids comma-separated
 */
export const batterSeasons = (
  { ask, upstream }: Upstream.Source,
  ids: string,
  season: number,
): Effect.Effect<BatterLines, UpstreamError> =>
  Effect.gen(function* () {
    const { people } = yield* ask(batters, ids)
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
    if (odd !== undefined) return yield* implausible(upstream, `Batting of ${odd.key}: ${odd.reason}`)
    const own = new Map(seasons.map(({ key, counts }) => [key, counts]))
    return { of: (batter, year) => own.get(`${year}/${batter}`), ...(yield* cite("batting", path, queryOf(ids))) }
  })
