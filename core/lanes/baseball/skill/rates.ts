/** The counts' names: batters faced and their outcomes; intentional walks are walks, and long hits are hits. */
export const countNames = [
  ...(["faced", "strikeouts", "walks", "intentional", "hitBatsmen"] as const),
  ...(["hits", "doubles", "triples", "homers"] as const),
] as const

/** Batters that a team or a pitcher faced, and their outcomes. */
export type PitchingCounts = Readonly<Record<(typeof countNames)[number], number>>

/** Sums of a rate's events by its name. Source of the weights: linear weights of runs, rounded. */
export const eventSums = {
  /** Strikeouts less walks that were not ordered. */
  kbb: ({ strikeouts, walks, intentional }: PitchingCounts): number => strikeouts - walks + intentional,
  /** Runs by linear weights. */
  lw: ({ walks, intentional, hitBatsmen, hits, doubles, triples, homers }: PitchingCounts): number =>
    0.33 * (walks - intentional) +
    0.35 * hitBatsmen +
    0.47 * (hits - doubles - triples - homers) +
    0.77 * doubles +
    1.04 * triples +
    1.4 * homers,
}
export type RateName = keyof typeof eventSums
export const rateNames = Object.keys(eventSums) as ReadonlyArray<RateName>

/** Both rates per batter faced. */
export type Rates = Readonly<Record<RateName, number>>

export const toRates = (counts: PitchingCounts): Rates => ({
  kbb: eventSums.kbb(counts) / counts.faced,
  lw: eventSums.lw(counts) / counts.faced,
})

/** Batters of one team in a game: at most 90 since 2009. */
export const mostFaced = 130
/** Batters of one pitcher in a season: at most 1,044 since 2007. */
export const mostOfSeason = 1_500
/** Plate appearances of one batter in a season, playoffs included: at most 835 since 2007. */
export const mostAppearances = 900

/**
 * Why counts cannot be a line of pitching; undefined: they can.
 *
 * @param most batters faced, in the words of `unit`
 */
export const implausibleCounts = (
  counts: PitchingCounts,
  most = mostFaced,
  unit = "batters faced",
): string | undefined => {
  const odd = countNames.find((name) => !Number.isInteger(counts[name]) || counts[name] < 0)
  if (odd !== undefined) return `${odd} is ${counts[odd]}`
  const { faced, strikeouts, walks, intentional, hitBatsmen, hits, doubles, triples, homers } = counts
  if (faced > most) return `${faced} ${unit}`
  if (strikeouts + walks + hitBatsmen + hits > faced) return `More outcomes than the ${faced} ${unit}`
  if (intentional > walks) return `${intentional} of ${walks} walks were intentional`
  return doubles + triples + homers > hits ? `More than ${hits} of the hits were long` : undefined
}

/** The sum of some counts. */
export const summed = (all: Iterable<PitchingCounts>): PitchingCounts => {
  const sum = Object.fromEntries(countNames.map((name) => [name, 0])) as Record<keyof PitchingCounts, number>
  for (const counts of all) for (const name of countNames) sum[name] += counts[name]
  return sum
}

/** Whole seasons of pitchers or batters, read only for seasons before that of the game. */
export interface Careers {
  readonly of: (player: string, season: number) => PitchingCounts | undefined
  /** Rates of all pitchers together, which are those of all batters. */
  readonly league: (season: number) => Rates | undefined
}

/**
 * A player's seasons before one: a rate's events above the league's, and the batters faced or plate appearances behind
 * them, both weighted by season.
 *
 * @param weights newest season first
 */
export const careerBefore = (
  careers: Careers,
  player: string,
  season: number,
  name: RateName,
  weights: ReadonlyArray<number>,
): { readonly above: number; readonly faced: number } => {
  let above = 0
  let faced = 0
  weights.forEach((weight, at) => {
    const [own, usual] = [careers.of(player, season - 1 - at), careers.league(season - 1 - at)]
    if (own === undefined || usual === undefined) return
    above += weight * (eventSums[name](own) - usual[name] * own.faced)
    faced += weight * own.faced
  })
  return { above, faced }
}
