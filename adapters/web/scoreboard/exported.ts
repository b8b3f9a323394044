import { mkdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import * as Rows from "../../../core/gateway/rows.ts"
import { history } from "../../../core/lanes/markets/endpoints.ts"
import { type CapturePlace, MarketHistory, SettledRows } from "../../../core/lanes/markets/ports.ts"
import { toPlace, toPoint } from "../../../core/lanes/markets/settled.ts"
import { iso } from "../../../core/time.ts"
import { columns, types } from "./downloads.ts"
import { attempt, digestOf, eachSettled, tableFile } from "./files.ts"
import { type Listed, manifestOf } from "./manifest.ts"

/** Captures of one read. */
const pageRows = 1_000

/** A table as NDJSON and as Parquet, from the same rows. */
const tableFiles = (folder: string, name: string, columns: ReadonlyArray<Rows.Column>) => {
  const tables = (["ndjson", "parquet"] as const).map((form) => {
    const file = join(folder, `${name}.${form}`)
    return { form, file, table: tableFile(file, form, columns, 0o644) }
  })
  let rows = 0
  return {
    write: (more: ReadonlyArray<object>) =>
      attempt(async () => {
        rows += more.length
        for (const { table } of tables) await table.write(more)
      }),
    finish: attempt(async () => {
      const listed: Array<Listed> = []
      for (const { form, file, table } of tables) {
        await table.finish()
        const { size: bytes } = await stat(file)
        listed.push({ name: `${name}.${form}`, type: types[form], rows, bytes, sha256: await digestOf(file) })
      }
      return listed
    }),
  }
}

/** Passes all captures of one settled contract to `write`, page by page. */
const eachCapture = (
  port: typeof MarketHistory.Service,
  market: string,
  write: (rows: ReadonlyArray<object>) => Effect.Effect<void, Failure>,
): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    const range = { scope: { market }, from: 0, until: Number.MAX_SAFE_INTEGER, limit: pageRows }
    let after: CapturePlace | undefined
    for (let read = pageRows; read === pageRows; ) {
      const page = yield* port.captures({ ...range, after })
      if (page.length > 0) {
        yield* write(page.map(toPoint))
        after = toPlace(page.at(-1)!)
      }
      read = page.length
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
    const settled = tableFiles(folder, "settled", columns)
    const captured = tableFiles(folder, "history", Rows.endpointColumns(history))
    yield* eachSettled(rows, (lines) =>
      Effect.zipRight(
        settled.write(lines),
        Effect.forEach(lines, ({ market_ticker }) => eachCapture(port, market_ticker, captured.write), {
          discard: true,
        }),
      ),
    )
    const listed = [...(yield* settled.finish), ...(yield* captured.finish)]
    const writtenAt = iso(yield* Clock.currentTimeMillis)
    yield* attempt(() => writeFile(join(folder, "manifest.json"), manifestOf(listed, rows.freshness, writtenAt)))
    return listed
  })
