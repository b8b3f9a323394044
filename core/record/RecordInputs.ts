import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import type { Failure } from "../endpoint/Failure.ts"
import { canonical, plain } from "./canonical.ts"
import { Hasher } from "./Hasher.ts"
import type { Sha256 } from "./merkle.ts"

const encoder = new TextEncoder()

/** Hex SHA-256 of a text's UTF-8 bytes. */
export const digestOf = (sha256: Sha256, text: string): string => Encoding.encodeHex(sha256(encoder.encode(text)))

/** A value's canonical text under its hash. */
export interface Text {
  readonly hash: string
  readonly text: string
}

/** What recorded signals were computed from: JSON values under the SHA-256 of their canonical text. Append-only. */
export class RecordInputs extends Context.Tag("core/record/RecordInputs")<
  RecordInputs,
  {
    /** Keeps a value, once however often it comes, and answers its hash: what a capture calls `inputsHash`. */
    readonly put: (value: unknown) => Effect.Effect<string, Failure>
    /**
     * Keeps values that many signals share, all or none, and answers their hashes in order. Asked again for the same
     * owner, it knows them without a look at the values.
     *
     * @param owner an object that lives as long as the values are the same
     */
    readonly parts: (
      owner: object,
      values: () => ReadonlyArray<unknown>,
    ) => Effect.Effect<ReadonlyArray<string>, Failure>
    /** The value of a hash; a text that has another hash now dies: it must not be computed from. */
    readonly get: (hash: string) => Effect.Effect<unknown, Failure>
  }
>() {
  /** Inputs over a place that keeps texts under their hashes, those that come together all or none. */
  static make(
    sha256: Sha256,
    store: {
      readonly put: (texts: ReadonlyArray<Text>) => Effect.Effect<void, Failure>
      readonly get: (hash: string) => Effect.Effect<string | undefined, Failure>
    },
  ): RecordInputs["Type"] {
    const textOf = (value: unknown): Text => {
      const text = canonical(value)
      return { hash: digestOf(sha256, text), text }
    }
    const known = new WeakMap<object, ReadonlyArray<string>>()
    return {
      put: (value) =>
        Effect.suspend(() => {
          const text = textOf(value)
          return Effect.as(store.put([text]), text.hash)
        }),
      parts: (owner, values) =>
        Effect.suspend(() => {
          const before = known.get(owner)
          if (before !== undefined) return Effect.succeed(before)
          const texts = values().map(textOf)
          const hashes = texts.map(({ hash }) => hash)
          return Effect.map(store.put(texts), () => {
            known.set(owner, hashes)
            return hashes
          })
        }),
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
      const kept = new Map<string, string>()
      return RecordInputs.make(sha256, {
        put: (texts) =>
          Effect.sync(() => {
            for (const { hash, text } of texts) kept.set(hash, text)
          }),
        get: (hash) => Effect.sync(() => kept.get(hash)),
      })
    }),
  )
}

/**
 * What an output was computed from, on its way onto the record: puts the whole of it where inputs are kept and answers
 * the hash that names it. Nothing is made or kept before it runs.
 */
export type KeptInputs = Effect.Effect<string, Failure, RecordInputs>

/** Inputs that are one JSON value. What is undefined in it is absent. */
export const whole = (value: unknown): KeptInputs =>
  Effect.flatMap(RecordInputs, ({ put }) => Effect.suspend(() => put(plain(value))))

/** A part that kept inputs name; dies where it is not there, for then what names it must not be either. */
export const part = (hash: string): Effect.Effect<unknown, Failure, RecordInputs> =>
  Effect.flatMap(RecordInputs, ({ get }) =>
    Effect.flatMap(get(hash), (value) =>
      value === undefined ? Effect.dieMessage(`The inputs ${hash} were not kept.`) : Effect.succeed(value),
    ),
  )
