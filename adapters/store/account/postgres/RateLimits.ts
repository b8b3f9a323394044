import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Bucket from "../../../../core/account/Bucket.ts"
import { RateLimits } from "../../../../core/account/RateLimits.ts"
import * as Step from "../../../../core/Step.ts"
import { minute } from "../../../../core/time.ts"
import * as Batches from "../../engine/postgres/batches.ts"
import { Postgres } from "../../engine/postgres/client.ts"
import { mapStorageErrors } from "../../engine/storage.ts"

interface Item {
  readonly name: string
  readonly perMinute: number
}

interface Taken {
  readonly name: string
  readonly granted: number
  readonly full_at: number
  /** The store's time. */
  readonly at: number
}

/** The state for each call. Calls on one bucket share a row: the store lets the first `granted` of them through. */
const toStates = (items: ReadonlyArray<Item>, taken: ReadonlyArray<Taken>): ReadonlyArray<Bucket.RateLimitState> => {
  const byName = new Map(taken.map((row) => [row.name, row]))
  const counts = new Map<string, number>()
  return items.map(({ name, perMinute }) => {
    const { granted, full_at, at } = byName.get(name)!
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    // When the bucket would have been full before this call.
    const previousFull = full_at - (Math.max(0, granted - nth + 1) * minute) / perMinute
    const [, state] = Bucket.take(previousFull, perMinute, at)
    return nth <= granted
      ? { ...state, ok: true, retryAfterMs: 0 }
      : state.ok
        ? { ...state, ok: false, remaining: 0, retryAfterMs: 1 }
        : state
  })
}

/**
 * Deletes full buckets, which equal absent ones, and those with an impossible time, left when the clock was set back. It skips
 * buckets that calls are taking from: to wait for one while holding others could be a deadlock.
 */
export const deleteFullText = `
  DELETE FROM buckets WHERE name IN (SELECT name FROM buckets
    WHERE full_at < now_ms() OR full_at > now_ms() + ${minute + 1_000} FOR UPDATE SKIP LOCKED)`

/** Token buckets in the store, by its clock: a limit is exact over all nodes. */
export const layer: Layer.Layer<RateLimits, never, Postgres> = Layer.scoped(
  RateLimits,
  Effect.gen(function* () {
    const { rows } = yield* Postgres

    const take = yield* Batches.make<Item, Bucket.RateLimitState>({
      // A call whose limit cannot be read fails at once; a lost answer costs its bucket one call.
      patienceMs: 0,
      cancel: () => Effect.void,
      send: (_, items) => {
        const asked = new Map<string, { readonly n: number; readonly step: number }>()
        for (const { name, perMinute } of items) {
          asked.set(name, { n: (asked.get(name)?.n ?? 0) + 1, step: minute / perMinute })
        }
        const all = [...asked]
        const values = [all.map(([name]) => name), all.map(([, { n }]) => n), all.map(([, { step }]) => step)]
        return Effect.map(
          rows<Taken>(
            "take",
            "SELECT name, granted, full_at, at FROM take($1::text[], $2::int[], $3::float8[])",
            values,
          ),
          (taken) => toStates(items, taken),
        )
      },
    })

    yield* Effect.ignore(rows("forget", deleteFullText)).pipe(
      Effect.schedule(Schedule.spaced(minute)),
      Effect.withClock(Clock.make()),
      Effect.forkScoped,
    )

    return {
      take: Step.methodFrom((name, perMinute) => take({ name, perMinute })),
      peek: (name, perMinute) =>
        Effect.map(
          mapStorageErrors(
            rows<Pick<Taken, "at"> & { readonly full_at: number | null }>(
              "peek",
              "SELECT b.full_at, t.at FROM (SELECT now_ms() AS at) t LEFT JOIN buckets b ON b.name = $1",
              [name],
            ),
          ),
          ([row]) => Bucket.peek(row!.full_at ?? undefined, perMinute, row!.at),
        ),
    }
  }),
)
