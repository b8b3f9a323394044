import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Files, type Manifest, restore as put, backup as take } from "../../adapters/store/upkeep/backup.ts"
import { config as environment } from "../Config.ts"
import { readKeyFiles } from "../record.ts"
import { makeAsk } from "./ask.ts"
import { argument, text } from "./parameters.ts"
import { make } from "./parser.ts"
import { json, print } from "./shared.ts"
import { megabytes, storeCheckText } from "./store.ts"

/** The files of the configured store. */
const files = Effect.flatMap(environment, (settings): Effect.Effect<Files, Error> => {
  if (Option.isSome(settings.postgres)) {
    return Effect.fail(
      new Error(
        "The store is PostgreSQL: back it up with pg_dump or a base backup, and the files of RECORD_KEY_FILE and SECRETS_KEY_FILE with it. After restoring it, run: market-signals store check",
      ),
    )
  }
  if (settings.sqliteFile === ":memory:") return Effect.fail(new Error("The store is in memory: it has no backup."))
  const { RECORD_KEY_FILE, SECRETS_KEY_FILE } = readKeyFiles(settings)
  return Effect.succeed({
    store: settings.sqliteFile,
    keys: { "record-key": RECORD_KEY_FILE!, "secrets-key": SECRETS_KEY_FILE! },
  })
})

const backupText = ({ files, settled_rows: settled, ...found }: Manifest): ReadonlyArray<string> => [
  ...files.map(({ name, bytes, sha256 }) => `  ${name}  ${megabytes(bytes)}  sha256 ${sha256.slice(0, 12)}`),
  ...storeCheckText({ ...found, settled }),
]

export const backup = make(
  "backup",
  "Copy the store and its keys while the server runs, and verify books, record and scoreboard.",
  { out: text("out", "A new folder."), json },
  ({ out, json: asJson }) =>
    Effect.gen(function* () {
      const from = yield* files
      const manifest = yield* take(from, out)
      // For the server's metrics. The backup is good even if its time cannot be stored.
      const ask = yield* makeAsk("backup")
      yield* Effect.catchAll(ask.work("backup_note", { at: Date.parse(manifest.taken_at) }), (cause) =>
        Effect.logWarning("The backup is complete, but its time could not be stored for the metrics", cause),
      )
      yield* print(
        asJson,
        manifest,
        [
          `Backed up ${from.store} to ${out}.`,
          ...backupText(manifest),
          "The folder has the keys: who can read it can sign the record and read the secrets. Keep it in a safe place.",
        ].join("\n"),
      )
    }).pipe(Effect.scoped),
)

export const restore = make(
  "restore",
  "Restore a backup to the place that DATABASE_URL names. Overwrites nothing, verifies everything.",
  { folder: argument("folder", "A folder that backup made."), json },
  ({ folder, json: asJson }) =>
    Effect.gen(function* () {
      const to = yield* files
      const manifest = yield* put(folder, to)
      yield* print(
        asJson,
        manifest,
        [
          `Restored ${folder} to ${to.store}.`,
          ...backupText(manifest),
          `Calls, credits and predictions since ${manifest.taken_at} are lost. Whoever kept a newer checkpoint of the record will see that.`,
        ].join("\n"),
      )
    }),
)
