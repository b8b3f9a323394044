import { createHash } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { type Failure, fail } from "../../../core/Failure.ts"
import type { Column } from "../../../core/gateway/rows.ts"
import type { Position, Scoreboard, SettledRows } from "../../../core/lanes/markets/ports.ts"
import { toRow } from "../../../core/lanes/markets/settled.ts"
import { domains } from "../../../core/record/scoreboard/Settled.ts"
import { yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import type { ByteRange } from "../../server/http/publicRoute.ts"
import * as Slices from "../../server/http/slices.ts"
import { columns, type Form, textOf } from "./downloads.ts"
import { parquetFile, type TableWriter } from "./parquet.ts"

/** Rows per turn of the event loop: a few milliseconds of work. */
export const slice = 100

/** A file younger than this is served although rows have settled since: writing one takes seconds. */
export const youngMs = 300_000

/** A stored file. */
export interface Lying {
  readonly bytes: number
  /** Opens the file on the first read and closes it when the reader disconnects. */
  readonly open: (span?: ByteRange) => Readable
}

/** One version of a file, plain and compressed. */
export interface File {
  readonly etag: string
  /** Of the plain file, hexadecimal. */
  readonly sha256: string
  readonly rows: number
  readonly plain: Lying
  readonly gzip: Lying
}

type SettledLine = NonNullable<ReturnType<typeof toRow>>

interface CachedFile {
  readonly file: File
  readonly paths: ReadonlyArray<string>
  /** The scoreboard that it was written from. */
  readonly version: unknown
  readonly writtenAt: number
}

const unavailable = (cause: unknown): Failure =>
  fail("storage_unavailable", { detail: "The file could not be written.", retryAfterMs: 10_000, cause })

/** Work on files, whose failure is the store's. */
export const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, Failure> =>
  Effect.tryPromise({ try: work, catch: unavailable })

/** Bytes of one write. A client that reads fewer in 20 s is disconnected. */
const writeBytes = 2 * Slices.bytesPerWrite
/** Bytes of one read. Each is a trip to the thread pool and back, which is half of the cost of a download by 64 KiB. */
const readBytes = 4 * writeBytes

const reader = (
  path: string,
  { first: start, last: end }: ByteRange = { first: 0, last: Number.POSITIVE_INFINITY },
) => {
  const pieces = async function* () {
    for await (const bytes of createReadStream(path, { start, end, highWaterMark: readBytes }))
      yield* Slices.sliceBytes(bytes, writeBytes)
  }
  return Readable.from(pieces(), { objectMode: false, highWaterMark: writeBytes })
}

const lying = async (path: string): Promise<Lying> => ({
  bytes: (await fs.stat(path)).size,
  open: (span) => reader(path, span),
})

/** Passes all settled rows to `write` in slices, each domain's latest close first; returns their number. */
export const eachSettled = (
  rows: typeof SettledRows.Service,
  write: (rows: ReadonlyArray<SettledLine>) => Effect.Effect<void, Failure>,
): Effect.Effect<number, Failure> =>
  Effect.gen(function* () {
    let count = 0
    for (const domain of domains) {
      let position: Position | undefined
      for (let read = slice; read === slice; ) {
        const page = yield* rows.after(domain, position, slice)
        const lines = page.flatMap((each) => toRow(each) ?? [])
        if (lines.length > 0) yield* write(lines)
        count += lines.length
        const last = page.at(-1)
        read = page.length
        if (last !== undefined) position = { closeTime: last.closeTime, ticker: last.ticker, venue: last.venue }
        yield* yieldToEventLoop
      }
    }
    return count
  })

/** Writes rows to a file in a form. Text is opened for each write, so that a failure leaves nothing open. */
export const tableFile = (path: string, form: Form, columns: ReadonlyArray<Column>, mode = 0o600): TableWriter => {
  const text = textOf(form)
  if (text === undefined) return parquetFile(path, columns)
  const { head, row, between, tail } = text
  let flag = "w"
  const append = async (words: string): Promise<void> => {
    await fs.writeFile(path, words, { flag, mode })
    flag = "a"
  }
  return {
    write: (rows) => append((flag === "w" ? head : between) + rows.map(row).join(between)),
    finish: () => append((flag === "w" ? head : "") + tail),
  }
}

/** SHA-256 of a file, hexadecimal. */
export const digestOf = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return hash.digest("hex")
}

/** Writes a file of all rows, plain and compressed, under a name with the hash of its content. */
const writeFile = (
  folder: string,
  form: Form,
  rows: typeof SettledRows.Service,
): Effect.Effect<Pick<CachedFile, "file" | "paths">, Failure> =>
  Effect.gen(function* () {
    const draft = join(folder, `settled.${form}.new`)
    const table = tableFile(draft, form, columns)
    const count = yield* eachSettled(rows, (lines) => attempt(() => table.write(lines)))
    yield* attempt(() => table.finish())
    const digest = yield* attempt(() => digestOf(draft))
    const path = join(folder, `settled-${digest.slice(0, 16)}.${form}`)
    const file = yield* attempt(async () => {
      // zlib compresses in its thread pool.
      await pipeline(createReadStream(draft), createGzip(), createWriteStream(`${draft}.gz`, { mode: 0o600 }))
      await fs.rename(`${draft}.gz`, `${path}.gz`)
      await fs.rename(draft, path)
      return {
        etag: `"${digest.slice(0, 32)}"`,
        sha256: digest,
        rows: count,
        plain: await lying(path),
        gzip: await lying(`${path}.gz`),
      }
    })
    return { file, paths: [path, `${path}.gz`] }
  })

/** Files of an earlier process are useless. */
const emptyFolder = async (folder: string | undefined): Promise<string> => {
  if (folder === undefined) return fs.mkdtemp(join(tmpdir(), "market-signals-scoreboard-"))
  await fs.rm(folder, { recursive: true, force: true })
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

/**
 * The scoreboard's files. Each is written on demand, again only after a market has settled, by one writer, in slices.
 * Meanwhile callers get the previous version, or wait if there is none.
 *
 * @param folder for the files, removed with the scope; default a temporary folder
 */
export const make = (
  rows: typeof SettledRows.Service,
  scoreboard: typeof Scoreboard.Service,
  folder?: string,
): Effect.Effect<(form: Form) => Effect.Effect<File, Failure>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const writing = new Map<Form, Fiber.Fiber<CachedFile, Failure>>()
    const cache = new Map<Form, CachedFile>()
    const one = Effect.unsafeMakeSemaphore(1)
    let place: string | undefined

    const cacheFolder: Effect.Effect<string, Failure> = Effect.suspend(() =>
      place !== undefined
        ? Effect.succeed(place)
        : Effect.tap(
            attempt(() => emptyFolder(folder)),
            (made) =>
              Effect.sync(() => {
                place = made
              }),
          ),
    )

    const remove = (paths: ReadonlyArray<string>) =>
      Effect.promise(() => Promise.allSettled(paths.map((path) => fs.rm(path, { recursive: true, force: true }))))

    yield* Effect.addFinalizer(() => (place === undefined ? Effect.void : remove([place])))

    const writeAnew = (form: Form, version: unknown): Effect.Effect<CachedFile, Failure> =>
      Effect.gen(function* () {
        const stored = yield* writeFile(yield* cacheFolder, form, rows)
        const next = { ...stored, version, writtenAt: yield* Clock.currentTimeMillis }
        const before = cache.get(form)
        cache.set(form, next)
        // A reader that has the old file open can still read it to the end.
        if (before !== undefined) yield* remove(before.paths.filter((each) => !next.paths.includes(each)))
        return next
      })

    /** Joins the running write or starts one, in this scope: it continues if the caller disconnects. */
    const write = (form: Form, version: unknown): Effect.Effect<Fiber.Fiber<CachedFile, Failure>> =>
      Effect.suspend(() => {
        const running = writing.get(form)
        if (running !== undefined) return Effect.succeed(running)
        return Effect.forkIn(
          Effect.ensuring(
            one.withPermits(1)(writeAnew(form, version)),
            Effect.sync(() => writing.delete(form)),
          ),
          scope,
        ).pipe(Effect.tap((fiber) => Effect.sync(() => writing.set(form, fiber))))
      })

    return (form) =>
      Effect.gen(function* () {
        const { board } = yield* scoreboard.current
        const known = cache.get(form)
        if (known?.version === board) return known.file
        const isYoung = known !== undefined && (yield* Clock.currentTimeMillis) - known.writtenAt < youngMs
        if (isYoung) return known.file
        const fiber = yield* write(form, board)
        return known === undefined ? (yield* Fiber.join(fiber)).file : known.file
      })
  })
