/*
 * The store's time as a node reckons it, from answers of the store and a local stopwatch that no one sets. All times are in
 * milliseconds.
 */

/** One answer: when it was asked for and received by the stopwatch, and the store's time in it. */
export interface Sample {
  readonly sentAt: number
  readonly gotAt: number
  readonly time: number
}

/** What a sample says: the store's time less the stopwatch's, give or take `half`. */
interface Estimate {
  readonly offset: number
  readonly half: number
  readonly at: number
}

/** How far two stopwatches may drift apart, per millisecond. */
const drift = 0.0005

/** After this long a better sample gives way to a newer one. */
const keptMs = 60_000

/** Without an answer for this long the time is in doubt: the store's clock may have been set. */
const silentMs = 30_000

/** How fast time runs while it waits for the store's. */
const slowed = 0.5

const estimate = ({ sentAt, gotAt, time }: Sample): Estimate => {
  const half = (gotAt - sentAt) / 2
  return { offset: time - (sentAt + half), half, at: gotAt }
}

const errorMargin = ({ half, at }: Estimate, now: number): number => half + Math.max(0, now - at) * drift

export interface Reckoning {
  readonly take: (sample: Sample) => void
  /** The store's time, which never goes back. */
  readonly now: (local: number) => number
  /** The largest possible difference from the store's time; infinite if the store is silent. */
  readonly doubt: (local: number) => number
}

/**
 * The sample with the least round trip counts, unless it is old or the next one shows that the store's clock has been set.
 * A correction forward takes effect at once. Back, time runs at half its speed until the store's has caught up: what was
 * stamped before never has the later time.
 */
export const make = (first: Sample): Reckoning => {
  let best = estimate(first)
  let answeredAt = first.gotAt
  // How far time was ahead of the store's, and since when it waits.
  let ahead = 0
  let slowedAt = 0

  const leftAhead = (local: number): number => Math.max(0, ahead - (local - slowedAt) * slowed)

  return {
    take: (sample) => {
      const found = estimate(sample)
      answeredAt = found.at
      const margin = errorMargin(best, found.at)
      const isSet = Math.abs(found.offset - best.offset) > margin + found.half
      if (!isSet && found.half > margin && found.at - best.at < keptMs) return
      ahead = Math.max(0, best.offset + leftAhead(found.at) - found.offset)
      slowedAt = found.at
      best = found
    },
    now: (local) => local + best.offset + leftAhead(local),
    doubt: (local) =>
      local - answeredAt > silentMs ? Number.POSITIVE_INFINITY : errorMargin(best, local) + leftAhead(local),
  }
}
