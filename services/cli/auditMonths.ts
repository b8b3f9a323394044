import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { perform } from "../../adapters/admin/AdminOperation.ts"
import type * as shapes from "../../adapters/admin/shapes.ts"
import { exportForms } from "./audit.ts"
import { command } from "./command.ts"
import { family } from "./family.ts"
import { json, print, readable, store, table, verbs } from "./shared.ts"

const month = Options.text("month").pipe(Options.withDescription("A UTC month, YYYY-MM."))

type Month = typeof shapes.AuditMonth.Type

const line = ({ month, rows, exported_at }: Month): ReadonlyArray<string> => [
  month,
  `${rows} rows`,
  exported_at === undefined ? "not exported" : `exported ${exported_at}`,
]

/** Writes page by page to a new file and syncs it to disk; the number of rows. */
const written = (path: string, monthName: string, format: "ndjson" | "csv") =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* (yield* FileSystem.FileSystem).open(path, { flag: "wx", mode: 0o600 })
      const form = exportForms[format]
      const put = (text: string) => (text === "" ? Effect.void : file.writeAll(new TextEncoder().encode(text)))
      yield* put(form.head)
      let rows = 0
      for (let after: number | undefined = 0; after !== undefined; ) {
        const page: { readonly rows: ReadonlyArray<typeof shapes.AuditExportRow.Type>; readonly next_after?: number } =
          yield* readable(perform(verbs.auditPage, { month: monthName, after }))
        yield* put(form.lines(page.rows))
        rows += page.rows.length
        after = page.next_after
      }
      yield* file.sync
      return rows
    }),
  )

const exporting = Command.make(
  "export",
  {
    month,
    out: Options.text("out").pipe(Options.withDescription("New file to write; it must not exist.")),
    format: Options.optional(Options.choice("format", ["ndjson", "csv"] as const)),
    json,
  },
  ({ month: name, out, format, json: asJson }) =>
    Effect.gen(function* () {
      const rows = yield* written(
        out,
        name,
        Option.getOrElse(format, () => "ndjson" as const),
      )
      // The current month can be exported, but is not marked as exported.
      const over =
        name < new Date(yield* Effect.clockWith((clock) => clock.currentTimeMillis)).toISOString().slice(0, 7)
      if (over) yield* readable(perform(verbs.auditExported, { month: name, rows }))
      yield* print(
        asJson,
        { month: name, rows, file: out, whole: over },
        `${rows} rows in ${out}${over ? "" : "; the month is not complete"}`,
      )
    }).pipe(Effect.provide(store)),
).pipe(Command.withDescription("Export a month of the audit trail to a file. A complete month can then be dropped."))

export const audit = family("audit", "The audit trail of all accounts, by month.", [
  command("months", verbs.auditMonths, ({ months }) => table(months.map(line))),
  exporting,
  command("drop", verbs.auditDrop, ({ month, rows }) => `dropped ${month}: ${rows} rows`),
])
