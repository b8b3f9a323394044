import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import * as footballArchive from "../../adapters/lanes/football/store/Archive.ts"
import * as footballGames from "../../adapters/lanes/football/store/Games.ts"
import * as footballQuarterbacks from "../../adapters/lanes/football/store/Quarterbacks.ts"
import * as footballReports from "../../adapters/lanes/football/store/Reports.ts"
import type { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"
import type { Failure } from "../../core/Failure.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import type { FootballArchive } from "../../core/lanes/football/data/archive.ts"
import { Football } from "../../core/lanes/football/Football.ts"
import { type Capture, type Captured, Captures, captureSignal } from "../../core/record/captures/Captures.ts"
import { TrackRecord } from "../../core/record/captures/Outcomes.ts"
import { RecordInputs } from "../../core/record/captures/RecordInputs.ts"
import type { SyncSha256 } from "../../core/record/log/SyncSha256.ts"
import { samples, storeOf } from "./footballStore.ts"

/** Tuesday before the third week of 2024. */
export const now: number = Date.UTC(2024, 8, 17, 12)

/** The lane, each of whose lines is bought: what it tells then, and the captures in `kept`. */
const buying = (kept: Array<Capture>) =>
  Layer.effect(
    Football,
    Effect.gen(function* () {
      const football = yield* Football
      const context = yield* Effect.context<SyncSha256 | RecordInputs | PlatformCrypto>()
      const taken: Array<Captured> = []
      const { append } = Captures.inMemory(taken)
      return {
        ...football,
        fairLine: (params) =>
          Effect.gen(function* () {
            const answer = yield* football.fairLine(params)
            if (answer.record === undefined) return answer
            const fresh = yield* append([yield* captureSignal(answer.record, { kind: "on_demand" }, [], [])])
            kept.push(...fresh.map(({ capture }) => capture))
            return { ...answer, results: answer.record.recorded!(0) }
          }).pipe(Effect.provide(context)),
      }
    }),
  )

const store = storeOf(samples, now)

const lane = (kept: Array<Capture>, feeds: Layer.Layer<Feeds>) =>
  Layer.merge(buying(kept).pipe(Layer.provide(Football.layer)), footballArchive.layer).pipe(
    Layer.provide([
      footballGames.layer,
      footballQuarterbacks.layer,
      footballReports.layerInjuries,
      footballReports.layerTop100,
      feeds,
      Layer.succeed(TrackRecord, {
        tally: () =>
          Effect.sync(() => ({
            ...{ scored: 0, means: {} },
            pending: kept
              .filter(({ subject }, at) => kept.findIndex((one) => one.subject === subject) === at)
              .map(({ subject, at }) => ({
                ...{ subject, firstAt: at },
              })),
          })),
      }),
      RecordInputs.layerMemory(),
    ]),
    Layer.provide(store),
  )

/** The lane over a store with our samples, on that Tuesday. `kept` gets what is put on the record; nothing is due. */
export const over = <A, E>(
  ask: (football: typeof Football.Service) => Effect.Effect<A, E, FootballArchive>,
  kept: Array<Capture> = [],
  feeds: Layer.Layer<Feeds> = Feeds.layerNone,
) => Effect.zipRight(TestClock.setTime(now), Effect.provide(Effect.flatMap(Football, ask), lane(kept, feeds)))

/** The code of a failure and the fields that its hints name. */
export const refusal = ({ code, hints = [] }: Failure): ReadonlyArray<string> => [
  code,
  ...hints.map(({ field }) => field),
]

/** Results have the shape that their endpoint declares, and nothing beside it. */
export const fits = ({ results }: { readonly results: Schema.Schema.AnyNoContext }, value: unknown): void =>
  assert.isTrue(Schema.is(results, { onExcessProperty: "error" })(value), JSON.stringify(value))
