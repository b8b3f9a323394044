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

export const countsOf = (wire: typeof WireCounts.Type): PitchingCounts => ({
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
