import { closeSync, createReadStream, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { pipeline } from "node:stream"
import { createGunzip, gzipSync } from "node:zlib"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Release from "../../../../core/release.ts"
import { cannot, type StoreError } from "../../engine/opening.ts"
import { newest } from "../../schema/migrate.ts"
import { refuse } from "./Opened.ts"
import { type Digest, decode, type Put, type StoredRow } from "./rows.ts"
import type { Table } from "./tables.ts"

/*
 * An archive is text in gzip: a line that says what it is, with all tables and their columns, then the rows of each table, one
 * a line, and after them its digest. The digest of the last table ends it.
 */

const format = "market-signals store"

const shapeOf = (tables: ReadonlyArray<Table>) => tables.map(({ name, columns, types }) => ({ name, columns, types }))

/** The first line. */
export const headerOf = (tables: ReadonlyArray<Table>, created: string) => ({
  ...{ format, schema: newest, program: Release.version, created },
  tables: shapeOf(tables),
})

/** Characters of one member of the file, and of one part that is read. */
const partLength = 2 ** 18

type Write = (text: string) => Effect.Effect<void, StoreError>

/** Writes a file for its owner alone. It gets its name when all of it is on disk; before, it ends in `.part`. */
export const writeFile = <A, E, R>(
  file: string,
  work: (write: Write) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | StoreError, R> => {
  const part = `${file}.part`
  const attempt = <B>(step: () => B) => Effect.try({ try: step, catch: cannot(`write ${file}`) })
  return Effect.acquireUseRelease(
    Effect.if(existsSync(file), {
      onTrue: () => refuse(`${file} exists. Name a new file.`),
      onFalse: () =>
        attempt(() => {
          // Left by an export that was killed.
          rmSync(part, { force: true })
          return openSync(part, "wx", 0o600)
        }),
    }),
    (descriptor) =>
      Effect.gen(function* () {
        let waiting = ""
        const flush = attempt(() => {
          const bytes = gzipSync(waiting)
          waiting = ""
          for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
        })
        const result = yield* work((text) => {
          waiting += text
          return waiting.length < partLength ? Effect.void : flush
        })
        yield* flush
        yield* attempt(() => {
          fsyncSync(descriptor)
          renameSync(part, file)
          const folder = openSync(dirname(file), "r")
          fsyncSync(folder)
          closeSync(folder)
        })
        return result
      }),
    (descriptor) =>
      Effect.sync(() => {
        closeSync(descriptor)
        rmSync(part, { force: true })
      }),
  )
}

/** Rows that follow each other, or the value of a line that is no row. */
interface Part {
  readonly rows?: ReadonlyArray<StoredRow>
  readonly value?: Readonly<Record<string, unknown>> | null
}

function* partsOfLines(lines: ReadonlyArray<string>): Generator<Part> {
  let rows: Array<StoredRow> = []
  for (const line of lines) {
    const value = JSON.parse(line)
    if (Array.isArray(value)) {
      rows.push(value)
      continue
    }
    if (rows.length > 0) yield { rows }
    yield { value }
    rows = []
  }
  if (rows.length > 0) yield { rows }
}

async function* partsOf(file: string): AsyncGenerator<Part, undefined> {
  const gunzip = createGunzip({ chunkSize: partLength })
  let rest = ""
  for await (const chunk of pipeline(createReadStream(file), gunzip, () => undefined).setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop()!
    yield* partsOfLines(lines)
  }
  if (rest !== "") yield* partsOfLines([rest])
}

/**
 * Reads an archive of a store with these tables, and returns the digests that it has of them. One that is another store's,
 * damaged or cut is refused, at its end at the latest; that the rows are those of the digests is the caller's to see.
 *
 * @param open begins to write a table
 */
export const readFile = (
  file: string,
  tables: ReadonlyArray<Table>,
  open: (table: Table, index: number) => Effect.Effect<Put, SqlError>,
): Effect.Effect<ReadonlyArray<Digest>, SqlError | StoreError> => {
  const broken = (why: string) => refuse(`${file} is no whole archive of a store: ${why}. Nothing was imported.`)
  const read = (parts: AsyncGenerator<Part, undefined>) =>
    Effect.gen(function* () {
      const next = Effect.tryPromise(() => parts.next()).pipe(
        Effect.map(({ value }) => value),
        Effect.catchAll(({ error }) => broken((error as Error).message)),
      )
      const header = (yield* next)?.value
      if (header?.["format"] !== format) return yield* broken("it begins with something else")
      if (JSON.stringify([header["schema"], header["tables"]]) !== JSON.stringify([newest, shapeOf(tables)])) {
        return yield* refuse(
          `${file} was written by version ${header["program"]}, whose schema is ${header["schema"]}; this is version ${Release.version}, whose schema is ${newest}. Import it with the version that wrote it.`,
        )
      }
      const digests: Array<Digest> = []
      for (const [index, table] of tables.entries()) {
        const put = yield* open(table, index)
        let part = yield* next
        for (; part?.rows !== undefined; part = yield* next) yield* put(part.rows.map((row) => decode(table, row)))
        if (part?.value?.["name"] !== table.name) return yield* broken(`the digest of ${table.name} is missing`)
        digests.push(part.value as unknown as Digest)
      }
      if ((yield* next) !== undefined) return yield* broken("it goes on after its end")
      return digests
    })
  return Effect.acquireUseRelease(
    Effect.sync(() => partsOf(file)),
    read,
    (parts) => Effect.promise(() => parts.return(undefined)),
  )
}
