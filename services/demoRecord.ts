import { createHash } from "node:crypto"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { Generated } from "../adapters/lanes/markets/mock/Generated.ts"
import { type DemoLeaf, toLeaves } from "../adapters/lanes/markets/mock/leaves.ts"
import * as hasher from "../adapters/runtime/node/hasher.ts"
import * as signers from "../adapters/runtime/node/signer.ts"
import type { Demo } from "../adapters/web/record/proof.ts"
import { stopClockAt as asOf } from "../core/record/captures/recompute.ts"
import { RecordLog } from "../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../core/record/log/signCheckpoint.ts"
import { minute } from "../core/time.ts"
import { yieldToEventLoop } from "../core/yieldToEventLoop.ts"
import { laneModes, type Settings } from "./Config.ts"

/** Leaves of a window share a checkpoint: it is signed before the close of all, the earliest of which is ten minutes later. */
const window = 5 * minute

const splitWindows = (
  leaves: ReadonlyArray<DemoLeaf>,
): ReadonlyArray<readonly [until: number, of: Array<DemoLeaf>]> => {
  const inOrder = [...leaves].sort((a, b) => a.writtenAt - b.writtenAt)
  const windows = Arr.groupBy(inOrder, ({ writtenAt }) => String(Math.ceil(writtenAt / window) * window))
  return Object.entries(windows).map(([until, of]) => [Number(until), of])
}

/** Not a secret: anybody may sign demonstrations. */
const seed = createHash("sha256").update("market-signals demonstration record").digest()

/** A demonstration log in memory, which grows with the generated world from call to call. */
const make = ({ rows, forecasts }: Generated["Type"], origin: string) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      Layer.merge(RecordLog.layerMemory, signers.layerSeed(origin, seed)).pipe(Layer.provideMerge(hasher.layer)),
    )
    const log = Context.get(context, RecordLog)
    const written = new Set<string>()
    let signedAt = 0
    return Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const fresh: Array<DemoLeaf> = []
      for (const row of [...(yield* rows), ...(yield* forecasts)]) {
        // Identifiers are short hashes: one that is taken names the earlier leaf.
        fresh.push(
          ...toLeaves(row).filter(
            ({ leaf, writtenAt }) => writtenAt <= now && !written.has(leaf.id) && written.add(leaf.id),
          ),
        )
      }
      for (const [until, leaves] of splitWindows(fresh)) {
        yield* log.append(leaves.map(({ leaf }) => leaf))
        signedAt = Math.max(signedAt, Math.min(until, now))
        yield* Effect.provide(signCheckpoint, context).pipe(asOf(signedAt))
        yield* yieldToEventLoop
      }
      return log
    }).pipe(Effect.orDie)
  })

/** How long a page waits for the first log, milliseconds: it is generated meanwhile. */
const patienceMs = 2_000

/** Whether every lane is generated: nothing that is sold is recorded then. */
export const isGenerated = (config: Settings): boolean =>
  Object.values(laneModes(config)).every((mode) => mode === "mock")

/**
 * The demonstration of the record, where every lane is generated. It is never stored, and signed with a key of its own.
 *
 * @param origin the name of the record, which the demonstration's begins with
 */
export const demoRecord = (config: Settings, origin: string): Effect.Effect<Demo | undefined, never, Scope.Scope> =>
  Effect.gen(function* () {
    const generated = yield* Effect.serviceOption(Generated)
    if (Option.isNone(generated) || !isGenerated(config)) return undefined
    const scope = yield* Effect.scope
    const one = Effect.unsafeMakeSemaphore(1)
    const grown = one.withPermits(1)(yield* make(generated.value, `${origin}/demo`))
    let last: { readonly at: number; readonly log: Fiber.RuntimeFiber<RecordLog["Type"]> } | undefined
    /** The log once there is one: it grows while it is read, up to its newest checkpoint. */
    let ready: RecordLog["Type"] | undefined
    const growing = grown.pipe(
      Effect.tap((log) => Effect.sync(() => (ready = log))),
      Effect.tapErrorCause((cause) => Effect.logError("The demonstration of the record does not grow", cause)),
      Effect.interruptible,
    )
    const newest = Effect.gen(function* () {
      const minuteNumber = Math.floor((yield* Clock.currentTimeMillis) / minute)
      if (last?.at !== minuteNumber) last = { at: minuteNumber, log: yield* Effect.forkIn(growing, scope) }
      return last.log
    })
    return Effect.flatMap(newest, (log) =>
      ready !== undefined
        ? Effect.succeed(ready)
        : Effect.map(Effect.timeoutOption(Effect.interruptible(Fiber.join(log)), patienceMs), Option.getOrUndefined),
    )
  })
