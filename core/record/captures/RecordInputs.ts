import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import type { Failure } from "../../Failure.ts"
import { canonical, plain } from "../log/canonical.ts"
import { Hasher } from "../log/Hasher.ts"
import type { Sha256 } from "../log/merkle.ts"

const encoder = new TextEncoder()

/** Hex SHA-256 of a text's UTF-8 bytes. */
export const digestOf = (sha256: Sha256, text: string): string => Encoding.encodeHex(sha256(encoder.encode(text)))

/** A value's canonical text under its hash. */
export interface Text {
  readonly hash: string
  readonly text: string
}

/** A value that many signals share, under its hash. Its text is made only where it is not kept yet. */
export interface Part {
  readonly hash: string
  readonly text: () => string
}

/** Everything that an output was computed from: one text under its hash, and the parts that it names by theirs. */
export interface Inputs extends Text {
  readonly parts: ReadonlyArray<Part>
}

/** Makes the inputs of a signal; called only where the signal goes on the record. */
export type InputsOf = (sha256: Sha256) => Inputs

export const textOf = (sha256: Sha256, value: unknown): Text => {
  const text = canonical(value)
  return { hash: digestOf(sha256, text), text }
}

export const partOf = ({ hash, text }: Text): Part => ({ hash, text: () => text })

/** Inputs that are one JSON value. What is undefined in it is absent. */
export const whole =
  (value: unknown): InputsOf =>
  (sha256) => ({ ...textOf(sha256, plain(value)), parts: [] })

/** What recorded signals were computed from: canonical JSON under its SHA-256. Append-only. */
export class RecordInputs extends Context.Tag("core/record/RecordInputs")<
  RecordInputs,
  {
    /** Whether this process knows that a hash is kept; false does not say that it is not. */
    readonly isKept: (hash: string) => boolean
    /** Keeps texts, once however often they come, in slices: what is shared by many signals goes ahead of them. */
    readonly keep: (parts: ReadonlyArray<Part>) => Effect.Effect<void, Failure>
    /** The value of a hash. A text that no longer has its hash dies: nothing may be computed from it. */
    readonly get: (hash: string) => Effect.Effect<unknown, Failure>
  }
>() {
  /** The value of a text that was kept under a hash. */
  static read(sha256: Sha256, hash: string, text: string | undefined): Effect.Effect<unknown> {
    if (text === undefined) return Effect.succeed(undefined)
    return digestOf(sha256, text) === hash
      ? Effect.sync(() => JSON.parse(text))
      : Effect.dieMessage(`The inputs ${hash} are not what was recorded.`)
  }

  /** Inputs that live as long as the layer, for embedders and tests. `kept` grows as they come. */
  static layerMemory(kept: Map<string, string> = new Map()): Layer.Layer<RecordInputs, never, Hasher> {
    return Layer.effect(
      RecordInputs,
      Effect.map(Hasher, ({ sha256 }) => ({
        isKept: (hash) => kept.has(hash),
        keep: (parts) =>
          Effect.sync(() => {
            for (const { hash, text } of parts) kept.set(hash, text())
          }),
        get: (hash) => Effect.suspend(() => RecordInputs.read(sha256, hash, kept.get(hash))),
      })),
    )
  }
}

/** A part that kept inputs name; dies where it is not there, for then what names it must not be either. */
export const part = (hash: string): Effect.Effect<unknown, Failure, RecordInputs> =>
  Effect.flatMap(RecordInputs, ({ get }) =>
    Effect.flatMap(get(hash), (value) =>
      value === undefined ? Effect.dieMessage(`The inputs ${hash} were not kept.`) : Effect.succeed(value),
    ),
  )
