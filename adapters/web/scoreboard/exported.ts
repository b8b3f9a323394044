import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { mkdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../../core/Failure.ts"
import * as Rows from "../../../core/gateway/rows.ts"
import { history } from "../../../core/lanes/markets/endpoints.ts"
import { pointOf } from "../../../core/lanes/markets/history.ts"
import { type CapturePlace, MarketHistory, SettledRows } from "../../../core/lanes/markets/ports.ts"
import { iso } from "../../../core/time.ts"
import { types } from "./downloads.ts"
import { digestOf, eachSettled, writeParquet } from "./files.ts"
import { type Listed, manifestOf } from "./manifest.ts"
import { parquetFile } from "./parquet.ts"

/** Captures of one read. */
const pageRows = 1_000

const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, Failure> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => fail("storage_unavailable", { detail: "The files could not be written.", cause }),
  })

/** A file of NDJSON, written as fast as the disk takes it. */
const ndjsonFile = (file: string) => {
  const out = createWriteStream(file, { flags: "w", mode: 0o644 })
  return {
    write: async (rows: ReadonlyArray<object>): Promise<void> => {
      if (!out.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(""))) await once(out, "drain")
    },
    finish: async (): Promise<void> => {
      out.end()
      await once(out, "finish")
    },
  }
}

/** All captures of one settled contract, page by page. */
const capturesOf = (
  port: MarketHistory["Type"],
  market: string,
  write: (rows: ReadonlyArray<object>) => Effect.Effect<void, Failure>,
): Effect.Effect<number, Failure> =>
  Effect.gen(function* () {
    let after: CapturePlace | undefined
    let count = 0
    for (;;) {
      const page = yield* port.captures({
        of: { market },
        from: 0,
        until: Number.MAX_SAFE_INTEGER,
        after,
        limit: pageRows,
      })
      if (page.length > 0) yield* write(page.map(pointOf))
      count += page.length
      const last = page.at(-1)
      if (last === undefined || page.length < pageRows) return count
      after = { venue: last.contract.venue, ticker: last.contract.ticker, at: last.at, captureId: last.captureId }
    }
  })

/**
 * Writes the settled rows, and every capture of their contracts, to a folder: each as NDJSON and as Parquet, with a manifest
 * that has their sizes, their SHA-256 and the terms of their sources.
 */
export const exportTo = (folder: string): Effect.Effect<ReadonlyArray<Listed>, Failure, MarketHistory | SettledRows> =>
  Effect.gen(function* () {
    const rows = yield* SettledRows
    const port = yield* MarketHistory
    yield* attempt(() => mkdir(folder, { recursive: true }))
    const at = (name: string): string => join(folder, name)
    const lines = ndjsonFile(at("settled.ndjson"))
    const points = ndjsonFile(at("history.ndjson"))
    const table = parquetFile(at("history.parquet"), Rows.columnsIn(history))
    let captured = 0
    const settled = yield* eachSettled(rows, (found) =>
      Effect.gen(function* () {
        yield* attempt(() => lines.write(found))
        for (const { market_ticker } of found) {
          captured += yield* capturesOf(port, market_ticker, (page) =>
            attempt(async () => {
              await points.write(page)
              await table.write(page)
            }),
          )
        }
      }),
    )
    yield* attempt(async () => {
      await lines.finish()
      await points.finish()
      await table.finish()
    })
    yield* writeParquet(at("settled.parquet"), rows)
    const listed = yield* Effect.forEach(
      [
        ["settled", "ndjson", settled],
        ["settled", "parquet", settled],
        ["history", "ndjson", captured],
        ["history", "parquet", captured],
      ] as const,
      ([name, form, count]) =>
        attempt(async (): Promise<Listed> => {
          const file = `${name}.${form}`
          const { size } = await stat(at(file))
          return { name: file, type: types[form], rows: count, bytes: size, sha256: await digestOf(at(file)) }
        }),
    )
    const writtenAt = iso(yield* Clock.currentTimeMillis)
    yield* attempt(() => writeFile(at("manifest.json"), manifestOf(listed, rows.freshness, writtenAt)))
    return listed
  })
