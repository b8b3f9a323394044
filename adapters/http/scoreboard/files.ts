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
import { breath } from "../../../core/breath.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import * as EntityTags from "../../../core/gateway/EntityTags.ts"
import type { Position } from "../../../core/lanes/markets/pages.ts"
import type { Scoreboard, SettledRows } from "../../../core/lanes/markets/ports.ts"
import { rowOf } from "../../../core/lanes/markets/settled.ts"
import { domains } from "../../../core/record/scoreboard/Settled.ts"
import { type Form, forms, type Written } from "./downloads.ts"

/** Rows that are read and written in one turn of the event loop: a few milliseconds. */
export const slice = 100

/** While it is so young, a file stands in for a newer one: writing one takes seconds of work, though in slices. */
export const youngMs = 300_000

/** A file that lies in the folder. */
export interface Lying {
  readonly bytes: number
  /** Opens it only when it is read, and closes it when who reads goes away. */
  readonly open: () => Readable
}

/** One version of a file, as it is and compressed. */
export interface File {
  readonly etag: string
  readonly plain: Lying
  readonly gzip: Lying
}

interface Kept {
  readonly file: File
  readonly paths: ReadonlyArray<string>
  /** What it was written from. */
  readonly version: unknown
  readonly writtenAt: number
}

const unavailable = (cause: unknown): Failure =>
  fail("storage_unavailable", { detail: "The file cannot be written now.", retryAfterMs: 10_000, cause })

const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, Failure> =>
  Effect.tryPromise({ try: work, catch: unavailable })

const lying = async (path: string): Promise<Lying> => ({
  bytes: (await fs.stat(path)).size,
  open: () =>
    Readable.from(
      (async function* () {
        yield* createReadStream(path)
      })(),
      { objectMode: false, highWaterMark: 65_536 },
    ),
})

/** Writes every settled row, the latest close of each domain first, and hands out its text in slices. */
const written = (
  { head, row, between, tail }: Written,
  rows: SettledRows["Type"],
  write: (text: string) => Effect.Effect<void, Failure>,
): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    yield* write(head)
    let isFirst = true
    for (const domain of domains) {
      let position: Position | undefined
      for (let read = slice; read === slice; ) {
        const found = yield* rows.after(domain, position, slice)
        const texts = found.flatMap((each) => {
          const told = rowOf(each)
          return told === undefined ? [] : [row({ domain, ...told })]
        })
        if (texts.length > 0) yield* write((isFirst ? "" : between) + texts.join(between))
        isFirst &&= texts.length === 0
        const last = found.at(-1)
        read = found.length
        if (last !== undefined) position = { closeTime: last.closeTime, ticker: last.ticker, venue: last.venue }
        yield* breath
      }
    }
    yield* write(tail)
  })

/**
 * The files of the scoreboard: each is written when it is asked for, once for as long as no market settles, by one
 * writer, in slices; who comes meanwhile gets the version before it, or waits for the same writing.
 *
 * @param folder where they lie; they go with the scope. A folder of the system's temporary one where it is left out
 */
export const make = (
  rows: SettledRows["Type"],
  scoreboard: Scoreboard["Type"],
  folder?: string,
): Effect.Effect<(form: Form) => Effect.Effect<File, Failure>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const writing = new Map<Form, Fiber.Fiber<Kept, Failure>>()
    const kept = new Map<Form, Kept>()
    const one = Effect.unsafeMakeSemaphore(1)
    let place: string | undefined

    const folderOf: Effect.Effect<string, Failure> = Effect.suspend(() =>
      place !== undefined
        ? Effect.succeed(place)
        : Effect.tap(
            attempt(async () => {
              if (folder === undefined) return fs.mkdtemp(join(tmpdir(), "market-signals-scoreboard-"))
              // What a server before this one left behind is of no use.
              await fs.rm(folder, { recursive: true, force: true })
              await fs.mkdir(folder, { recursive: true, mode: 0o700 })
              return folder
            }),
            (made) =>
              Effect.sync(() => {
                place = made
              }),
          ),
    )

    const remove = (paths: ReadonlyArray<string>) =>
      Effect.promise(() => Promise.allSettled(paths.map((path) => fs.rm(path, { recursive: true, force: true }))))

    yield* Effect.addFinalizer(() => (place === undefined ? Effect.void : remove([place])))

    const writeAnew = (form: Form, version: unknown): Effect.Effect<Kept, Failure> =>
      Effect.gen(function* () {
        const at = join(yield* folderOf, `settled.${form}.new`)
        const hash = createHash("sha256")
        yield* Effect.acquireUseRelease(
          attempt(() => fs.open(at, "w", 0o600)),
          (handle) =>
            written(forms[form], rows, (text) => {
              hash.update(text)
              return Effect.asVoid(attempt(() => handle.write(text)))
            }),
          (handle) => Effect.promise(() => handle.close()),
        )
        const digest = hash.digest("hex")
        const path = join(yield* folderOf, `settled-${digest.slice(0, 16)}.${form}`)
        const file = yield* attempt(async () => {
          // Compressed off this thread.
          await pipeline(createReadStream(at), createGzip(), createWriteStream(`${at}.gz`, { mode: 0o600 }))
          await fs.rename(`${at}.gz`, `${path}.gz`)
          await fs.rename(at, path)
          return { etag: EntityTags.of(digest), plain: await lying(path), gzip: await lying(`${path}.gz`) }
        })
        const next = { file, paths: [path, `${path}.gz`], version, writtenAt: yield* Clock.currentTimeMillis }
        const before = kept.get(form)
        kept.set(form, next)
        // Who has it open reads on to its end.
        if (before !== undefined) yield* remove(before.paths.filter((each) => !next.paths.includes(each)))
        return next
      })

    /** The writing that goes on, or one that begins: whoever asked for it may go away. */
    const write = (form: Form, version: unknown): Effect.Effect<Fiber.Fiber<Kept, Failure>> =>
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
        const known = kept.get(form)
        if (known?.version === board) return known.file
        const isYoung = known !== undefined && (yield* Clock.currentTimeMillis) - known.writtenAt < youngMs
        if (isYoung) return known.file
        const fiber = yield* write(form, board)
        return known === undefined ? (yield* Fiber.join(fiber)).file : known.file
      })
  })
