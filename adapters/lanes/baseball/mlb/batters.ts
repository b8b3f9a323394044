import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { parameters } from "../../../../core/lanes/baseball/parameters.ts"
import type { BatterLines } from "../../../../core/lanes/baseball/ports.ts"
import { maxAppearances, sumCounts, whyImplausibleCounts } from "../../../../core/lanes/baseball/skill/rates.ts"
import { makeIdentityCheck } from "../../../../core/sources/identity.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import type { UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { cite } from "./cite.ts"
import { byYear, kind, readCounts, WireCounts, Year } from "./counts.ts"

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

interface Asked {
  /** Comma-separated. */
  readonly ids: string
  /** Only seasons before this one count. */
  readonly season: number
}

const toQuery = ({ ids }: Pick<Asked, "ids">) => ({
  personIds: ids,
  hydrate: "stats(group=[hitting],type=[yearByYear],sportId=1)",
})

const checkIdentity = makeIdentityCheck({
  name: () => "The answer on batters",
  says: {
    batters: ({ people }: typeof Wire.Type, { ids }: Asked) => {
      const stated = new Set(people.map(({ id }) => String(id)))
      const asked = ids.split(",")
      return [asked.filter((id) => stated.has(id)).join(","), asked.join(",")]
    },
  },
})

/** Counts by season and batter; left if some are implausible. */
const read = ({ people }: typeof Wire.Type, { season }: Asked) => {
  const seasons = people.flatMap(({ id, stats = [] }) =>
    byYear(stats.flatMap(({ splits }) => splits)).flatMap(([year, rows]) => {
      if (year >= season || year < season - parameters.lineUp.seasons.length) return []
      const counts = sumCounts(
        rows.map(({ stat }) =>
          readCounts({ ...stat, battersFaced: stat.plateAppearances, hitBatsmen: stat.hitByPitch }),
        ),
      )
      return [
        { key: `${year}/${id}`, counts, reason: whyImplausibleCounts(counts, maxAppearances, "plate appearances") },
      ]
    }),
  )
  const odd = seasons.find(({ reason }) => reason !== undefined)
  return odd === undefined
    ? Either.right(new Map(seasons.map(({ key, counts }) => [key, counts])))
    : Either.left(`Batting of ${odd.key}: ${odd.reason}`)
}

export const batters = Upstream.question(Upstream.readJson(Wire), {
  path: () => path,
  query: (asked: Asked) => ({ ...toQuery(asked), fields }),
  identity: (wire, asked: Asked, now) => Either.flatMap(checkIdentity(wire, asked, now), (found) => read(found, asked)),
})

/** The earlier seasons of batters, whose ids are comma-separated, in one request. */
export const batterSeasons = (
  { ask }: Upstream.Source,
  ids: string,
  season: number,
): Effect.Effect<BatterLines, UpstreamError> =>
  Effect.zipWith(ask(batters, { ids, season }), cite("batting", path, toQuery({ ids })), (own, cited) => ({
    of: (batter, year) => own.get(`${year}/${batter}`),
    ...cited,
  }))
