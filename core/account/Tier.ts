/** Calls per minute of each tier; an enterprise key has its own number. */
export const tiers = { indie: 60, studio: 600, pro: 6_000, enterprise: undefined } as const

export type Tier = keyof typeof tiers
export const names = Object.keys(tiers) as [Tier, ...Array<Tier>]

/** A tier with its number, which only an enterprise key has. */
export interface TierChoice {
  readonly tier: Tier
  readonly rpm?: number | undefined
}

/** The limit of a key; undefined when the tier does not allow the number. */
export const perMinute = (tier: Tier, rpm: number | undefined): number | undefined => {
  const fixed = tiers[tier]
  if (fixed !== undefined) return rpm === undefined ? fixed : undefined
  return rpm !== undefined && Number.isSafeInteger(rpm) && rpm > 0 ? rpm : undefined
}
