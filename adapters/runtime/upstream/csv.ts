import { createHash } from "node:crypto"
import { Readable, type Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { setImmediate } from "node:timers/promises"
import { createGunzip } from "node:zlib"
import { CsvError, parse } from "csv-parse"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type FileError, type FileFormat, type FileValues, makeReader } from "../../../core/csv/FileFormat.ts"
import type { Row } from "../../../core/csv/row.ts"

/** The values of a file and its hash. */
export interface CsvFile<A> extends FileValues<A> {
  /** SHA-256 of the downloaded bytes, hex. */
  readonly sha256: string
}

/** Maximum bytes of a decompressed file; a season of the widest file takes a tenth. */
const maxBytes = 256 * 1_048_576

const gzipMagic = [0x1f, 0x8b] as const
const lineFeed = 0x0a

/** Stops the parser at an invalid row, whose reason the reader has. */
class InvalidRow extends Error {}

/** Bytes that are read in one turn of the event loop, in a few milliseconds. */
export const sliceBytes = 16_384

/** Bytes of the first slice. Each next one is twice as long, since code that is not yet compiled is ten times slower. */
const firstSliceBytes = 1_024

/** Splits chunks into slices, with a turn of the event loop before each. */
async function* splitChunks(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  let size = firstSliceBytes
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      await setImmediate()
      const end = Math.min(chunk.length, at + size)
      yield chunk.subarray(at, end)
      at = end
      size = Math.min(sliceBytes, 2 * size)
    }
  }
}

/** Decompresses gzip, and passes other bytes on; `seen` receives the original bytes. */
async function* unpack(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, seen: (chunk: Uint8Array) => void) {
  const iterator = (async function* () {
    for await (const chunk of splitChunks(chunks)) {
      seen(chunk)
      yield chunk
    }
  })()
  let head: Uint8Array = new Uint8Array()
  while (head.length < gzipMagic.length) {
    const next = await iterator.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  const all = async function* () {
    yield head
    yield* iterator
  }
  const isPacked = gzipMagic.every((byte, at) => head[at] === byte)
  let [size, last] = [0, lineFeed]
  for await (const chunk of splitChunks(isPacked ? compose(Readable.from(all()), createGunzip()) : all())) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`More than ${maxBytes} bytes.`)
    // No text has it, and PostgreSQL cannot store it.
    if (chunk.includes(0)) throw new Error("The file has a NUL character.")
    last = chunk.at(-1) ?? last
    yield chunk
  }
  // A file cut off inside the last field of a row would look complete.
  if (last !== lineFeed) throw new Error("The file is cut off: its last line has no line end.")
}

/** A stream piped through a transform; an error of either ends it. */
async function* compose(from: Readable, to: Transform): AsyncGenerator<Uint8Array> {
  from.on("error", (error) => to.destroy(error))
  yield* from.pipe(to)
}

const toFileError = (error: unknown): FileError => {
  if (error instanceof CsvError) {
    const line = (error as CsvError & { readonly lines?: number }).lines
    return { reason: error.message, ...(line === undefined ? {} : { line }) }
  }
  return { reason: error instanceof Error ? error.message : String(error) }
}

/**
 * Reads a file of a feed row by row, gzip or plain, without keeping its text. One invalid row rejects the whole file.
 *
 * @param chunks the bytes, in chunks of any size
 */
export const readCsv = <A>(
  feed: FileFormat<string, A>,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Effect.Effect<Either.Either<CsvFile<A>, FileError>> =>
  Effect.promise(async () => {
    const hash = createHash("sha256")
    const { unnamed } = feed
    const isNamed = (name: string | false): name is string => name !== false
    let rows = unnamed === undefined ? undefined : makeReader(feed, unnamed.filter(isNamed))
    let line = unnamed === undefined ? 2 : 1
    const parser = parse({
      bom: true,
      skip_empty_lines: true,
      columns:
        unnamed === undefined
          ? (header: ReadonlyArray<string>) => {
              rows = makeReader(feed, header)
              return [...header]
            }
          : [...unnamed],
      // Rows are handled here: emitting them as a stream of objects would cost more than parsing them.
      on_record: (record: Row, { lines }) => {
        if (rows?.take(record, line) !== undefined) throw new InvalidRow()
        line = lines + 1
        return null
      },
    })
    try {
      await pipeline(
        unpack(chunks, (chunk) => void hash.update(chunk)),
        parser.resume(),
      )
    } catch (error) {
      if (!(error instanceof InvalidRow)) return Either.left(toFileError(error))
    }
    if (rows === undefined) return Either.left({ reason: "The file is empty: the header line is missing." })
    // Without a header line, a file without rows looks like an empty response.
    if (unnamed !== undefined && line === 1) return Either.left({ reason: "The file is empty." })
    return Either.map(rows.end(), (read) => ({ ...read, sha256: hash.digest("hex") }))
  })
