import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import type { Inputs, MakeInputs, Part, Text } from "../../call/Recordable.ts"
import type { Failure } from "../../Failure.ts"
import { canonical, plain } from "../log/canonical.ts"
import type { Sha256 } from "../log/merkle.ts"
import { SyncSha256 } from "../log/SyncSha256.ts"

const encoder = new TextEncoder()

/** Hex SHA-256 of a text's UTF-8 bytes. */
export const hashText = (sha256: Sha256, text: string): string => Encoding.encodeHex(sha256(encoder.encode(text)))

export type { Inputs, MakeInputs, Part, Text }

export const toText = (sha256: Sha256, value: unknown): Text => {
  const text = canonical(value)
  return { hash: hashText(sha256, text), text }
}

export const toPart = ({ hash, text }: Text): Part => ({ hash, text: () => text })

/** Makes inputs of one JSON value; undefined fields are omitted. */
export const toInputs =
  (value: unknown): MakeInputs =>
  (sha256) => ({ ...toText(sha256, plain(value)), putShared: [] })

/** The stored inputs of recorded signals: canonical JSON by its SHA-256. Append-only. */
export class RecordInputs extends Context.Tag("market-signals/core/record/RecordInputs")<
  RecordInputs,
  {
    /** True if this process knows that a hash is stored; false if it does not know. */
    readonly isKept: (hash: string) => boolean
    /** Stores parts, each once, in slices, before the signals that reference them. */
    readonly keep: (parts: ReadonlyArray<Part>) => Effect.Effect<void, Failure>
    /** The value stored under a hash. Dies if the stored text does not match the hash. */
    readonly get: (hash: string) => Effect.Effect<unknown, Failure>
  }
>() {
  /** Parses a text that is stored under a hash; dies if it does not match. */
  static read(sha256: Sha256, hash: string, text: string | undefined): Effect.Effect<unknown> {
    if (text === undefined) return Effect.succeed(undefined)
    return hashText(sha256, text) === hash
      ? Effect.sync(() => JSON.parse(text))
      : Effect.dieMessage(`Stored inputs do not match their hash ${hash}.`)
  }

  /** For embedders and tests. Inputs are added to `given` or, without it, to a map of each built layer. */
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

/** Reads a part that stored inputs reference. Dies if it is missing, as parts are stored before what references them. */
export const readShared = (hash: string): Effect.Effect<unknown, Failure, RecordInputs> =>
  Effect.flatMap(RecordInputs, ({ get }) =>
    Effect.flatMap(get(hash), (value) =>
      value === undefined ? Effect.dieMessage(`The inputs ${hash} are not stored.`) : Effect.succeed(value),
    ),
  )
