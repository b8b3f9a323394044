import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Sourced } from "../../../../core/lanes/baseball/ports.ts"

export const publicUrl = "https://statsapi.mlb.com"

/** A source read just now, by the public address of its request. */
export const cite = (source: string, path: string, query: Readonly<Record<string, string>>): Effect.Effect<Sourced> =>
  Effect.map(Clock.currentTimeMillis, (fetchedAt) => ({
    source: `MLB StatsAPI ${source}`,
    locator: `${publicUrl}${path}?${new URLSearchParams(query)}`,
    fetchedAt,
    stale: false,
  }))
