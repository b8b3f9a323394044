import * as Arr from "effect/Array"
import * as Schema from "effect/Schema"
import type { PitchingCounts } from "../../../../core/lanes/baseball/skill/rates.ts"

/** Batters faced and their outcomes by the service's names. Counts below 0 are read, so that they can be refused with a reason. */
export const WireCounts = Schema.Struct({
  battersFaced: Schema.Int,
  strikeOuts: Schema.Int,
  baseOnBalls: Schema.Int,
  intentionalWalks: Schema.Int,
  hitBatsmen: Schema.Int,
  hits: Schema.Int,
  doubles: Schema.Int,
  triples: Schema.Int,
  homeRuns: Schema.Int,
})

/** League and game type; absent fields are as requested: major league, regular season. */
export const Origin = {
  player: Schema.optional(Schema.Struct({ id: Schema.Int })),
  sport: Schema.optional(Schema.Struct({ id: Schema.Int })),
  gameType: Schema.optional(Schema.String),
}

/** A year's row, without its figures. */
export const Year = {
  ...Origin,
  season: Schema.String.pipe(Schema.pattern(/^\d{4}$/)),
  /** Absent in the total row of a year with two teams, which is listed with its parts. */
  team: Schema.optional(Schema.Struct({ id: Schema.Int })),
}

/** Parsed as a whole: a skipped row would change the player's line. Kinds without rows are absent. */
export const kind = <A, I>(name: string, group: string, row: Schema.Schema<A, I>) =>
  Schema.Struct({
    type: Schema.Struct({ displayName: Schema.Literal(name) }),
    group: Schema.Struct({ displayName: Schema.Literal(group) }),
    splits: Schema.Array(row),
  })

type Row = { readonly sport?: { readonly id: number } | undefined; readonly gameType?: string | undefined }

export const isCounted = ({ sport, gameType }: Row): boolean => (sport?.id ?? 1) === 1 && (gameType ?? "R") === "R"

/** The rows of each year: its total or, without one, its parts. */
export const byYear = <
  A extends Row & { readonly season: string; readonly team?: { readonly id: number } | undefined },
>(
  rows: ReadonlyArray<A>,
): ReadonlyArray<readonly [year: number, rows: ReadonlyArray<A>]> =>
  Object.entries(Arr.groupBy(rows.filter(isCounted), ({ season }) => season)).map(([year, own]) => {
    const total = own.find(({ team }) => team === undefined)
    return [Number(year), total === undefined ? own : [total]]
  })

export const readCounts = (wire: typeof WireCounts.Type): PitchingCounts => ({
  faced: wire.battersFaced,
  strikeouts: wire.strikeOuts,
  walks: wire.baseOnBalls,
  intentional: wire.intentionalWalks,
  hitBatsmen: wire.hitBatsmen,
  hits: wire.hits,
  doubles: wire.doubles,
  triples: wire.triples,
  homers: wire.homeRuns,
})
