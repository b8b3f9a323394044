import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Recordable } from "../../core/call/Recordable.ts"
import type { Answer } from "../../core/endpoint/Answer.ts"
import type { Failure } from "../../core/Failure.ts"
import { fnv1a } from "../../core/math/fnv1a.ts"

const plain = (_: string, value: unknown): unknown => {
  if (typeof value === "number") return Number.isFinite(value) ? Number(value.toPrecision(9)) : String(value)
  if (value instanceof Map || value instanceof Set || value instanceof Float64Array) return [...value]
  return value
}

/** A short digest of data that is to be the same in each release; numbers count by nine digits. */
export const digest = (data: unknown): string => fnv1a(JSON.stringify(data, plain)).toString(16).padStart(8, "0")

const recorded = ({ inputs, output, ...record }: Recordable<unknown>) => ({
  ...record,
  output: output(),
  inputs: inputs((bytes) => createHash("sha256").update(bytes).digest()),
})

/** Of an answer, with what would be recorded of it, or of the failure in its place. */
export const digestOf = <Results, R>(
  answer: Effect.Effect<Answer<Results>, Failure, R>,
): Effect.Effect<string, never, R> =>
  Effect.map(Effect.either(answer), (ended) =>
    digest(
      Either.match(ended, {
        onLeft: ({ code, detail, hints }) => ({ code, detail, hints }),
        onRight: (found) => ({ ...found, record: found.record && recorded(found.record) }),
      }),
    ),
  )
