/** Batters faced and their outcomes. `walks` includes intentional ones, and `hits` the extra-base hits. */
export const countNames = [
  "faced",
  "strikeouts",
  "walks",
  "intentional",
  "hitBatsmen",
  "hits",
  "doubles",
  "triples",
  "homers",
] as const

/** How many batters a team or a pitcher faced, and their outcomes. */
export type PitchingCounts = Readonly<Record<(typeof countNames)[number], number>>

/** The events of each rate, summed. The weights are the customary linear weights of runs, rounded. */
export const eventSums = {
  /** Strikeouts minus unintentional walks. */
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

/** A bound of the batters that a team faces in a game: at most 90 since 2009. */
export const maxFacedPerGame = 130
/** A bound of the batters that a pitcher faces in a season: at most 1,044 since 2007. */
export const maxFacedPerSeason = 1_500
/** A bound of a batter's plate appearances in a season with playoffs: at most 835 since 2007. */
export const maxAppearances = 900

/**
 * Why counts are implausible; undefined if they are not.
 *
 * @param most the largest plausible number of batters faced or plate appearances, as `unit` says
 */
export const whyImplausibleCounts = (
  counts: PitchingCounts,
  most = maxFacedPerGame,
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

export const sumCounts = (all: Iterable<PitchingCounts>): PitchingCounts => {
  const sum = Object.fromEntries(countNames.map((name) => [name, 0])) as Record<keyof PitchingCounts, number>
  for (const counts of all) for (const name of countNames) sum[name] += counts[name]
  return sum
}

/** Whole seasons of pitchers or batters; only seasons before that of the game are read. */
export interface Careers {
  readonly of: (player: string, season: number) => PitchingCounts | undefined
  /** The rates of all pitchers together, which are also those of all batters. */
  readonly league: (season: number) => Rates | undefined
}

/**
 * Sums up a player's seasons before one: the events of a rate above the league's, and the batters faced or plate
 * appearances, both weighted by season.
 *
 * @param weights newest season first
 */
export const sumCareer = (
  careers: Careers,
  player: string,
  season: number,
  name: RateName,
  weights: ReadonlyArray<number>,
): { readonly above: number; readonly faced: number } => {
  let above = 0
  let faced = 0
  weights.forEach((weight, at) => {
    const [counts, leagueRates] = [careers.of(player, season - 1 - at), careers.league(season - 1 - at)]
    if (counts === undefined || leagueRates === undefined) return
    above += weight * (eventSums[name](counts) - leagueRates[name] * counts.faced)
    faced += weight * counts.faced
  })
  return { above, faced }
}
