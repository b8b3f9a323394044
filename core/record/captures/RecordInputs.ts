import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import type { Inputs, InputsOf, Part, Text } from "../../call/Recordable.ts"
import type { Failure } from "../../Failure.ts"
import { canonical, plain } from "../log/canonical.ts"
import type { Sha256 } from "../log/merkle.ts"
import { SyncSha256 } from "../log/SyncSha256.ts"

const encoder = new TextEncoder()

/** Hex SHA-256 of a text's UTF-8 bytes. */
export const digestOf = (sha256: Sha256, text: string): string => Encoding.encodeHex(sha256(encoder.encode(text)))

export type { Inputs, InputsOf, Part, Text }

export const textOf = (sha256: Sha256, value: unknown): Text => {
  const text = canonical(value)
  return { hash: digestOf(sha256, text), text }
}

export const partOf = ({ hash, text }: Text): Part => ({ hash, text: () => text })

/** Inputs that are one JSON value; undefined fields are omitted. */
export const storeOne =
  (value: unknown): InputsOf =>
  (sha256) => ({ ...textOf(sha256, plain(value)), putShared: [] })

/** The stored inputs of recorded signals: canonical JSON by its SHA-256. Append-only. */
export class RecordInputs extends Context.Tag("market-signals/core/record/RecordInputs")<
  RecordInputs,
  {
    /** Whether this process knows that a hash is stored; false means unknown. */
    readonly isKept: (hash: string) => boolean
    /** Stores shared parts, each once, in slices and ahead of the signals. */
    readonly keep: (parts: ReadonlyArray<Part>) => Effect.Effect<void, Failure>
    /** The value of a hash. Dies if the text does not match the hash: nothing may be computed from it. */
    readonly get: (hash: string) => Effect.Effect<unknown, Failure>
  }
>() {
  /** The value of a text stored under a hash. */
  static read(sha256: Sha256, hash: string, text: string | undefined): Effect.Effect<unknown> {
    if (text === undefined) return Effect.succeed(undefined)
    return digestOf(sha256, text) === hash
      ? Effect.sync(() => JSON.parse(text))
      : Effect.dieMessage(`Stored inputs do not match their hash ${hash}.`)
  }

  /** Inputs in memory, for embedders and tests. They are added to `given`; without it every layer that is built has its own. */
  static layerMemory(given?: Map<string, string>): Layer.Layer<RecordInputs, never, SyncSha256> {
    return Layer.effect(
      RecordInputs,
      Effect.map(SyncSha256, ({ sha256 }) => {
        const kept = given ?? new Map<string, string>()
        return {
          isKept: (hash) => kept.has(hash),
          keep: (parts) =>
            Effect.sync(() => {
              for (const { hash, text } of parts) kept.set(hash, text())
            }),
          get: (hash) => Effect.suspend(() => RecordInputs.read(sha256, hash, kept.get(hash))),
        }
      }),
    )
  }
}

/** A part that stored inputs reference. Dies if it is missing: parts are stored before the inputs that reference them. */
export const readShared = (hash: string): Effect.Effect<unknown, Failure, RecordInputs> =>
  Effect.flatMap(RecordInputs, ({ get }) =>
    Effect.flatMap(get(hash), (value) =>
      value === undefined ? Effect.dieMessage(`The inputs ${hash} are not stored.`) : Effect.succeed(value),
    ),
  )
