import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import type { Failure } from "../endpoint/Failure.ts"
import { canonical } from "./canonical.ts"
import { Hasher } from "./Hasher.ts"
import type { Sha256 } from "./merkle.ts"

const encoder = new TextEncoder()

/** Hex SHA-256 of a text's UTF-8 bytes. */
export const digestOf = (sha256: Sha256, text: string): string => Encoding.encodeHex(sha256(encoder.encode(text)))

/** What recorded signals were computed from: JSON values under the SHA-256 of their canonical text. Append-only. */
export class RecordInputs extends Context.Tag("core/record/RecordInputs")<
  RecordInputs,
  {
    /** Keeps a value, once however often it comes, and answers its hash: what a capture calls `inputsHash`. */
    readonly put: (value: unknown) => Effect.Effect<string, Failure>
    /** The value of a hash; a text that has another hash now dies: it must not be computed from. */
    readonly get: (hash: string) => Effect.Effect<unknown, Failure>
  }
>() {
  /** Inputs over a place that keeps texts under their hashes. */
  static make(
    sha256: Sha256,
    store: {
      readonly put: (hash: string, text: string) => Effect.Effect<void, Failure>
      readonly get: (hash: string) => Effect.Effect<string | undefined, Failure>
    },
  ): RecordInputs["Type"] {
    return {
      put: (value) =>
        Effect.flatMap(
          Effect.sync(() => canonical(value)),
          (text) => {
            const hash = digestOf(sha256, text)
            return Effect.as(store.put(hash, text), hash)
          },
        ),
      get: (hash) =>
        Effect.flatMap(store.get(hash), (text) =>
          text === undefined
            ? Effect.succeed(undefined)
            : digestOf(sha256, text) === hash
              ? Effect.sync(() => JSON.parse(text))
              : Effect.dieMessage(`The inputs ${hash} are not what was recorded.`),
        ),
    }
  }

  /** Inputs that live as long as the layer, for embedders and tests. */
  static readonly layerMemory: Layer.Layer<RecordInputs, never, Hasher> = Layer.effect(
    RecordInputs,
    Effect.map(Hasher, ({ sha256 }) => {
      const texts = new Map<string, string>()
      return RecordInputs.make(sha256, {
        put: (hash, text) => Effect.sync(() => void texts.set(hash, text)),
        get: (hash) => Effect.sync(() => texts.get(hash)),
      })
    }),
  )
}
