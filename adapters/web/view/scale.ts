/** An axis of a picture. */
export interface Axis {
  /** The quantity and its unit. */
  readonly name?: string
  /** The meaning of its ends, above the picture. */
  readonly ends?: readonly [low: string, high: string]
  /** Absent: all values, and a little more. What is beyond it is drawn at its end. Across, it ends at round numbers. */
  readonly domain?: readonly [low: number, high: number]
  readonly ticks?: ReadonlyArray<number>
  readonly show?: (value: number) => string
  /** Values are instants: its ticks are hours, days, months or years of UTC. */
  readonly isTime?: boolean
  /** Makes an axis that is not linear; its name says so. */
  readonly warp?: (value: number) => number
}

/** To a hundredth. */
export const round = (value: number): number => Math.round(value * 100) / 100

export interface Scale {
  readonly domain: readonly [number, number]
  readonly of: (value: number) => number
}

/** @param given the values that it has to show, with a `margin` as a share where they do not end at 0 */
export const makeScale = (
  { domain, warp = (value) => value }: Axis,
  given: ReadonlyArray<number>,
  [from, to]: readonly [number, number],
  margin: number,
): Scale => {
  const all = domain ?? (given.some(Number.isFinite) ? given.filter(Number.isFinite) : [0, 1])
  const ends = [Math.min(...all), Math.max(...all)] as const
  const pad = domain === undefined ? (ends[1] - ends[0] || Math.abs(ends[0])) * margin : 0
  const [low, high] = [ends[0] === 0 ? 0 : ends[0] - pad, ends[1] === 0 ? 0 : ends[1] + pad]
  const [a, b] = [warp(low), warp(high)]
  const of = (value: number) =>
    round(from + ((warp(Math.max(low, Math.min(high, value))) - a) / (b - a || 1)) * (to - from))
  return { domain: [low, high], of }
}
