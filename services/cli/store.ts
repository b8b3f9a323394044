import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { replayLearned, replayText } from "../../adapters/lanes/weather/store/replay.ts"
import type { Place } from "../../adapters/store/engine/opening.ts"
import * as Postgres from "../../adapters/store/engine/postgres/open.ts"
import * as Roles from "../../adapters/store/engine/postgres/roles.ts"
import { takeAlone } from "../../adapters/store/engine/sqlite/owner.ts"
import { Transactions } from "../../adapters/store/engine/Transactions.ts"
import * as stores from "../../adapters/store/open.ts"
import { type Checked, check as checkStore } from "../../adapters/store/upkeep/copy/checks.ts"
import { type Copied, copy } from "../../adapters/store/upkeep/copy/copy.ts"
import * as End from "../../adapters/store/upkeep/copy/End.ts"
import { databaseBytes } from "../../adapters/store/upkeep/gauges.ts"
import { advance } from "../../core/Progress.ts"
import * as Release from "../../core/release.ts"
import { iso } from "../../core/time.ts"
import { config as environment, placeOf } from "../Config.ts"
import { expectedPlace, parsePlace } from "../config/store.ts"
import { watched } from "../progress.ts"
import { jobs, runNow } from "../works.ts"
import { makeAsk } from "./ask.ts"
import { flag, type Parameter, parsed, text } from "./parameters.ts"
import { family, make } from "./parser.ts"
import { json, print, readable, table } from "./shared.ts"

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** The results of the checks of a store, in lines. */
export const storeCheckText = ({
  wallets,
  charges,
  unfolded,
  leaves,
  checkpoint,
  settled,
}: Checked): ReadonlyArray<string> => [
  `Books: ${wallets} wallets equal their journals, and all ledgers together are 0.`,
  `Charges: ${charges + unfolded} of the trail have one posting each${unfolded > 0 ? `; the wallets of ${unfolded} can pay them, and do with the next fold` : ""}.`,
  `Record: ${leaves} leaves match their hashes${checkpoint === undefined ? "" : `; the first ${checkpoint.size} give the last checkpoint's root ${checkpoint.root.slice(0, 12)}`}.`,
  `Scoreboard: ${settled} settled rows give the stored one.`,
]

/** `store check`. */
const check = make(
  "check",
  "Verify books, record, scoreboard and what was learned from past forecasts, also while the server runs.",
  { json },
  (options) =>
    Effect.gen(function* () {
      const place = placeOf(yield* environment)
      const [checked, learned] = yield* readable(
        watched(
          Effect.scoped(
            Effect.flatMap(End.open("DATABASE_URL", place), (end) =>
              Effect.zip(checkStore(end), Effect.provideService(replayLearned, Transactions, end.transactions)),
            ),
          ),
        ),
      )
      const { settled, ...found } = checked
      const text = [...storeCheckText(checked), replayText(learned)].join("\n")
      yield* print(options.json, { ...found, settled_rows: settled, learned }, text)
    }),
)

/** Gives space back to the disk. */
const vacuum = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    sqlite: () => Effect.zipRight(sql.unsafe("VACUUM"), sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)")),
    orElse: () => sql.unsafe("VACUUM (ANALYZE)"),
  }),
)

/** The jobs that delete what the retention rules give up. */
const sweeps = ["retention", "prune-runs"] as const

/** `store compact`. */
const compact = make(
  "compact",
  "Delete what the retention rules give up, and return the space. On SQLite the server must be stopped.",
  { json },
  (options) =>
    Effect.gen(function* () {
      const place = placeOf(yield* environment)
      // SQLite writes the whole file anew, and callers would wait for it.
      if (place._tag === "Sqlite") yield* takeAlone(place.file, { role: "store compact", version: Release.version })
      const opened = yield* Layer.build(stores.layer(place))
      const before = yield* Effect.provide(databaseBytes, opened)
      const summaries: Array<readonly [string, string]> = []
      const steps = sweeps.length + 1
      for (const [at, name] of sweeps.entries()) {
        yield* advance(name, at, steps)
        const { outcome, detail } = yield* Effect.provide(runNow(name), jobs)
        if (outcome === "failed") return yield* Effect.fail(new Error(`${name} failed: ${detail}`))
        summaries.push([name, detail])
      }
      yield* advance("return the space", steps - 1, steps)
      yield* Effect.provide(vacuum, opened)
      const after = yield* Effect.provide(databaseBytes, opened)
      yield* print(
        options.json,
        { before_bytes: before, after_bytes: after, ...Object.fromEntries(summaries) },
        [
          ...summaries.map(([name, detail]) => `${name}: ${detail}`),
          `${megabytes(before)} before, ${megabytes(after)} now.`,
        ].join("\n"),
      )
    }).pipe(Effect.scoped, watched),
)

/** A store as an option. The error never quotes the value, which may contain a password. */
const placeOption = (name: string, description: string): Parameter<Place> =>
  parsed(
    text(name, description),
    (given) => {
      const place = parsePlace(given)
      return place?._tag === "Sqlite" && place.file === ":memory:" ? undefined : place
    },
    `--${name}: ${expectedPlace}`,
  )

const shortDigest = 12

/** The keys are files of their own; those of a SQLite store are next to it unless they were named. */
const describeKeys = (from: Place): string =>
  from._tag === "Postgres"
    ? "The keys are not in the store: RECORD_KEY_FILE and SECRETS_KEY_FILE stay as they are."
    : `The keys are not in the store: set RECORD_KEY_FILE and SECRETS_KEY_FILE to the files used until now (${from.file}.record-key and ${from.file}.secrets-key unless they were set).`

const makeReport = ({ from, to, tables, checked, movedAt, wasThere }: Copied) => ({
  from,
  to,
  ...(wasThere ? { was_there: true } : {}),
  tables,
  checked: Struct.omit({ ...checked, settled_rows: checked.settled }, "settled"),
  ...(movedAt === undefined ? {} : { moved_at: iso(movedAt) }),
})

const reportText = ({ from, to, tables, checked, movedAt, wasThere }: Copied, keys: string): string =>
  [
    table([
      ["table", "rows", "sha256"],
      ...tables.map(({ name, rows, sha256 }) => [name, String(rows), sha256.slice(0, shortDigest)]),
    ]),
    "",
    ...(wasThere
      ? ["The target was a whole copy already: an earlier run was stopped before it marked the source."]
      : []),
    "Rows and digests of all tables are equal in both stores.",
    ...storeCheckText(checked),
    "",
    movedAt === undefined
      ? `Copied ${from} to ${to}. The source was kept and stays in use.`
      : `Moved ${from} to ${to}. The source takes nothing more. Set DATABASE_URL to the copy.`,
    keys,
  ].join("\n")

/** `store copy`. */
const copying = make(
  "copy",
  "Move a store to another file or database, and compare both. All of it is copied, or nothing.",
  {
    from: placeOption("from", "The store to copy: sqlite:<path> or postgres://… Nothing may be running on it."),
    to: placeOption("to", "A new file, or an empty database, in the same form. Its tables are created."),
    keepSource: flag("keep-source", "A trial: do not mark the source as moved."),
    json,
  },
  (options) =>
    Effect.flatMap(readable(watched(copy(options))), (copied) =>
      print(options.json, makeReport(copied), reportText(copied, describeKeys(options.from))),
    ),
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

export const store = family("store", "The store itself.", [migrate, roles, copying, check, compact])
