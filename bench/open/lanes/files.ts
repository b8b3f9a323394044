import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readdir } from "node:fs/promises"
import { basename, join } from "node:path"
import { gunzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { readCsv } from "../../../adapters/runtime/upstream/csv.ts"
import { type FileFormat, formatError } from "../../../core/csv/FileFormat.ts"
import { BenchError } from "../compare/BenchError.ts"
import type { Input } from "../compare/Task.ts"

/** The rows of a file, and what identifies it. */
export interface ReadInput<A> {
  readonly values: ReadonlyArray<A>
  readonly input: Input
}

/** The bytes of a file, plain or gzip, as they are without compression. */
export const uncompressed = (bytes: Buffer): Buffer =>
  bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes

/** The SHA-256 of a file's bytes, hexadecimal. */
export const digestOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex")

/** Reads a whole CSV file, plain or gzip. The error of its first unreadable or duplicate row names file, line and column. */
export const readInput = Effect.fnUntraced(function* <A>(feed: FileFormat<string, A>, path: string) {
  const name = basename(path)
  const { values, sha256 } = yield* Either.mapLeft(
    yield* readCsv(feed, createReadStream(path)),
    (refusal) => new BenchError({ message: `${name}: ${formatError(refusal)}` }),
  )
  const read: ReadInput<A> = { values, input: { name, sha256, rows: values.length } }
  return read
})

/**
 * The paths of a folder's files with names of a form, in the order of their names.
 *
 * @param what they are, with an example
 */
export const filesIn = (folder: string, form: RegExp, what: string): Effect.Effect<ReadonlyArray<string>, BenchError> =>
  Effect.tryPromise({
    try: () => readdir(folder),
    catch: (error) => new BenchError({ message: `${folder} cannot be read: ${(error as Error).message}` }),
  }).pipe(
    Effect.map((names) => names.filter((name) => form.test(name)).sort()),
    Effect.filterOrFail(
      (names) => names.length > 0,
      () => new BenchError({ message: `${folder} has no ${what}.` }),
    ),
    Effect.map((names) => names.map((name) => join(folder, name))),
  )
