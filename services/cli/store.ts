import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Postgres from "../../adapters/store/engine/postgres/open.ts"
import * as Roles from "../../adapters/store/engine/postgres/roles.ts"
import { takeAlone } from "../../adapters/store/engine/sqlite/owner.ts"
import * as stores from "../../adapters/store/open.ts"
import { type Archived, exportStore, importStore } from "../../adapters/store/upkeep/archive/archive.ts"
import { type Checked, check as checkStore } from "../../adapters/store/upkeep/archive/checks.ts"
import { inStore } from "../../adapters/store/upkeep/archive/Opened.ts"
import { readTables } from "../../adapters/store/upkeep/archive/rows.ts"
import { archivedTables } from "../../adapters/store/upkeep/archive/tables.ts"
import { databaseBytes } from "../../adapters/store/upkeep/gauges.ts"
import * as Release from "../../core/release.ts"
import { count } from "../../core/text.ts"
import { iso } from "../../core/time.ts"
import { config as environment, storePlace } from "../Config.ts"
import { readKeyFiles } from "../record.ts"
import { jobsLayer, runNow } from "../storeTasks.ts"
import { makeAsk } from "./ask.ts"
import { file, flag, text } from "./parameters.ts"
import { family, make } from "./parser.ts"
import { json, print, readable } from "./shared.ts"

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

export const storeCheckText = ({
  wallets,
  charges,
  unfolded,
  leaves,
  checkpoint,
  settled,
}: Checked): ReadonlyArray<string> => [
  `Books: ${wallets} wallets equal their journals, and all ledgers together are 0.`,
  `Charges: ${charges + unfolded} of the trail have one posting each${unfolded > 0 ? `; ${unfolded} of them are not yet in the balance of their wallets, which can pay them` : ""}.`,
  `Record: ${leaves} leaves match their hashes${checkpoint === undefined ? "" : `; the first ${checkpoint.size} give the last checkpoint's root ${checkpoint.root.slice(0, 12)}`}.`,
  `Scoreboard: it is made of ${settled} settled rows.`,
]

const toJson = ({ settled, ...checked }: Checked) => ({ ...checked, settled_rows: settled })

/** Digests are made only for programs, because every row has to be read. */
const check = make("check", "Verify books, record and scoreboard, also while the server runs.", { json }, (options) =>
  Effect.gen(function* () {
    const work = inStore(storePlace(yield* environment), "check", (store) =>
      Effect.gen(function* () {
        const checked = yield* checkStore(store)
        const tables = options.json ? yield* readTables(store, yield* archivedTables) : []
        return { checked, tables }
      }),
    )
    const { checked, tables } = yield* readable(work)
    yield* print(options.json, { ...toJson(checked), tables }, storeCheckText(checked).join("\n"))
  }),
)

/** Returns free space to the file system. */
const vacuum = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    sqlite: () => Effect.zipRight(sql.unsafe("VACUUM"), sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)")),
    orElse: () => sql.unsafe("VACUUM (ANALYZE)"),
  }),
)

/** The jobs that delete rows that the retention rules no longer keep. */
const sweeps = ["retention", "prune-runs"] as const

const compact = make(
  "compact",
  "Delete rows that the retention rules no longer keep, and return the space. On SQLite the server must be stopped.",
  { json },
  (options) =>
    Effect.gen(function* () {
      const place = storePlace(yield* environment)
      // SQLite rewrites the whole file, and calls would have to wait.
      if (place._tag === "Sqlite") yield* takeAlone(place.file, { role: "store compact", version: Release.version })
      const opened = yield* Layer.build(stores.layer(place))
      const bytesBefore = yield* Effect.provide(databaseBytes, opened)
      const summaries: Array<readonly [string, string]> = []
      for (const name of sweeps) {
        const { outcome, detail } = yield* Effect.provide(runNow(name), jobsLayer)
        if (outcome === "failed") return yield* Effect.fail(new Error(`${name} failed: ${detail}`))
        summaries.push([name, detail])
      }
      yield* Effect.provide(vacuum, opened)
      const after = yield* Effect.provide(databaseBytes, opened)
      yield* print(
        options.json,
        { before_bytes: bytesBefore, after_bytes: after, ...Object.fromEntries(summaries) },
        [
          ...summaries.map(([name, detail]) => `${name}: ${detail}`),
          `${megabytes(bytesBefore)} before, ${megabytes(after)} now.`,
        ].join("\n"),
      )
    }).pipe(Effect.scoped),
)

const printArchived = (asJson: boolean, file: string, { tables, checked, movedAt }: Archived, text: string) => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const moved = movedAt === undefined ? {} : { moved_at: iso(movedAt) }
  return print(
    asJson,
    { file, tables, checked: toJson(checked), ...moved },
    [...storeCheckText(checked), `${count(rows)} rows of ${tables.length} tables. ${text}`].join("\n"),
  )
}

const exportCommand = make(
  "export",
  "Write the whole store into one new file, which store import reads. The server and all nodes must be stopped.",
  {
    out: file("out", "The new file. Who can read it can read the store: keep it in a safe place."),
    move: flag("move", "Mark the store as moved: it takes nothing more. It can be exported again."),
    json,
  },
  ({ out, move, json: asJson }) =>
    Effect.gen(function* () {
      const settings = yield* environment
      const archived = yield* readable(exportStore(storePlace(settings), out, move))
      const keys = Object.entries(readKeyFiles(settings)).map(([name, file]) => `${name} ${file}`)
      const next = move
        ? `The store takes nothing more: set DATABASE_URL to the one into which you import ${out}.`
        : `The store stays in use: its changes from now on are not in ${out}.`
      yield* printArchived(asJson, out, archived, `${next}\nThe keys are not in it, and stay: ${keys.join(", ")}.`)
    }),
)

const importCommand = make(
  "import",
  "Read the file of store export into the store of DATABASE_URL, which must be empty. All of it is imported, or nothing.",
  { from: file("from", "A file that store export wrote."), json },
  ({ from, json: asJson }) =>
    Effect.gen(function* () {
      const archived = yield* readable(importStore(storePlace(yield* environment), from))
      const text =
        "Their digests are those of the file.\nThe keys are not in it: RECORD_KEY_FILE and SECRETS_KEY_FILE must name those of the exported store."
      yield* printArchived(asJson, from, archived, text)
    }),
)

const migrate = make(
  "migrate",
  "Bring the store to this program's schema. On PostgreSQL DATABASE_URL names the owner.",
  { json },
  (options) =>
    Effect.gen(function* () {
      const ask = yield* makeAsk("store migrate")
      const { schema } = yield* ask.work("store_migrate", {}, { reads: true })
      yield* print(options.json, { schema }, `The store's schema is ${schema}.`)
    }).pipe(Effect.scoped),
)

const roles = make(
  "roles",
  "Give a role of PostgreSQL what a node needs and nothing more. Run as the owner.",
  { node: text("node", "The role of the nodes; it must exist."), json },
  ({ node, json: asJson }) =>
    Effect.gen(function* () {
      const { postgres } = yield* environment
      if (Option.isNone(postgres))
        return yield* Effect.fail(new Error("SQLite has no roles: DATABASE_URL names a file."))
      const opened = Postgres.layer(postgres.value)
      yield* Effect.provide(
        Effect.catchTag(Roles.grantNode(node), "SqlError", ({ cause }) =>
          Effect.fail(new Error(cause instanceof Error ? cause.message : "The rights cannot be granted.")),
        ),
        opened,
      )
      yield* print(
        asJson,
        { node },
        `${node} has the rights of a node: name it in the DATABASE_URL of the nodes, and the owner in that of store migrate.`,
      )
    }),
)

export const store = family("store", "The store itself.", [
  migrate,
  roles,
  exportCommand,
  importCommand,
  check,
  compact,
])
