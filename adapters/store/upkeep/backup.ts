import { createHash } from "node:crypto"
import { createReadStream, existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import { dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Release from "../../../core/release.ts"
import { iso } from "../../../core/time.ts"
import { open } from "../engine/sqlite/driver.ts"
import { makeFolder } from "../engine/sqlite/files.ts"
import { takeAlone } from "../engine/sqlite/owner.ts"
import { newest } from "../schema/migrate.ts"
import { type Checked, check } from "./archive/checks.ts"
import { inStore } from "./archive/Opened.ts"

/** A backup that cannot be made or used; the message is for the operator. */
class BackupError extends Data.TaggedError("BackupError")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** The files of a store: the database, and the key files. */
export interface Files {
  readonly store: string
  /** By their name in the backup. */
  readonly keys: Readonly<Record<string, string>>
}

const File = Schema.Struct({ name: Schema.String, bytes: Schema.Number, sha256: Schema.String })

/** The `manifest.json` of a backup. */
const Manifest = Schema.Struct({
  program: Schema.String,
  schema: Schema.Number,
  taken_at: Schema.String,
  wallets: Schema.Number,
  charges: Schema.Number,
  unfolded: Schema.Number,
  leaves: Schema.Number,
  checkpoint: Schema.optionalWith(Schema.Struct({ size: Schema.Number, root: Schema.String }), { exact: true }),
  settled_rows: Schema.Number,
  files: Schema.Array(File),
})
export type Manifest = typeof Manifest.Type

const [storeName, manifestName] = ["store.db", "manifest.json"]

const fail = (message: string) => Effect.fail(new BackupError({ message }))

const attempt = <A>(message: string, work: () => Promise<A>): Effect.Effect<A, BackupError> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) =>
      new BackupError({ message: `${message}: ${cause instanceof Error ? cause.message : cause}`, cause }),
  })

const hashFile = async (file: string): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(file), hash)
  return hash.digest("hex")
}

const describeFile = async (folder: string, name: string): Promise<typeof File.Type> => {
  const path = join(folder, name)
  return { name, bytes: (await fs.stat(path)).size, sha256: await hashFile(path) }
}

/** Writes a file or a folder to disk. A new name or a rename is on disk once its folder is. */
const sync = async (path: string): Promise<void> => {
  const handle = await fs.open(path, "r")
  await handle.sync().finally(() => handle.close())
}

const copyFile = async (from: string, to: string): Promise<void> => {
  await fs.copyFile(from, to, fs.constants.COPYFILE_EXCL)
  await fs.chmod(to, 0o600)
  await sync(to)
}

/** Why a store of an older or newer program, or its backup, cannot be used. */
const unusable = {
  older: "The store was made before 0.4.0, which was never published, and cannot be used: start with a new one.",
  newer: "The store was made by a newer version of this program: use that one.",
}

/** Checks money and record of a database file that no other process uses. */
const verifyStore = (file: string): Effect.Effect<Checked, BackupError> =>
  inStore({ _tag: "Sqlite", file }, "copy", check).pipe(
    Effect.mapError((error) => {
      const reason = error._tag === "StoreError" ? error.reason : undefined
      const message =
        reason === "older" || reason === "newer" ? unusable[reason] : `The copy is not sound: ${error.message}`
      return new BackupError({ message, cause: error })
    }),
  )

/** Makes a consistent copy of a database in use, in one read transaction, which blocks no writer. */
const copyStore = (from: string, to: string): Effect.Effect<void, BackupError> =>
  Effect.try({
    try: () => {
      const db = open(from, { readonly: true, fileMustExist: true })
      try {
        db.prepare("VACUUM INTO ?").run(to)
      } finally {
        db.close()
      }
    },
    catch: (cause) =>
      new BackupError({ message: `Copy ${from}: ${cause instanceof Error ? cause.message : cause}`, cause }),
  })

/**
 * Copies a store and its keys into a new folder while a server may use it, and verifies the copy: every wallet equals its
 * journal, and the leaves reproduce the last checkpoint's root. The folder gets its name when all of it is on disk.
 */
export const backup = (files: Files, folder: string): Effect.Effect<Manifest, BackupError> =>
  Effect.gen(function* () {
    if (existsSync(folder)) return yield* fail(`${folder} exists. Name a new folder.`)
    if (!existsSync(files.store)) return yield* fail(`There is no store at ${files.store}.`)
    const takenAt = yield* Clock.currentTimeMillis
    const part = `${folder}.part`
    yield* attempt(`Make ${part}`, async () => {
      await fs.rm(part, { recursive: true, force: true })
      makeFolder(folder)
      await fs.mkdir(part, { mode: 0o700 })
    })
    const store = join(part, storeName)
    yield* copyStore(files.store, store)
    yield* attempt("Keep the copy from others", () => fs.chmod(store, 0o600))
    const { settled, ...checked } = yield* verifyStore(store)
    const keys = Object.entries(files.keys).filter(([, file]) => existsSync(file))
    return yield* attempt(`Write ${folder}`, async () => {
      for (const [name, file] of keys) await copyFile(file, join(part, name))
      await sync(store)
      const manifest: Manifest = {
        program: Release.version,
        schema: newest,
        taken_at: iso(takenAt),
        ...checked,
        settled_rows: settled,
        files: await Promise.all([storeName, ...keys.map(([name]) => name)].map((name) => describeFile(part, name))),
      }
      const file = join(part, manifestName)
      await fs.writeFile(file, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })
      await sync(file)
      await sync(part)
      await fs.rename(part, folder)
      await sync(dirname(folder))
      return manifest
    })
  })

const readManifest = (folder: string): Effect.Effect<Manifest, BackupError> =>
  Effect.flatMap(
    attempt(`Read the backup in ${folder}`, () => fs.readFile(join(folder, manifestName), "utf8")),
    (text) =>
      Either.match(Schema.decodeUnknownEither(Schema.parseJson(Manifest))(text), {
        onLeft: (error) =>
          fail(`${join(folder, manifestName)} is no manifest: ${ParseResult.TreeFormatter.formatErrorSync(error)}`),
        onRight: Effect.succeed,
      }),
  )

/**
 * Puts the files of a backup where the settings name them. Nothing that exists is overwritten, and every file must have the
 * digest of the manifest. The store gets its name last, after it has been verified.
 */
export const restore = (folder: string, files: Files): Effect.Effect<Manifest, BackupError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const manifest = yield* readManifest(folder)
      const targets: Readonly<Record<string, string>> = { ...files.keys, [storeName]: files.store }
      const wanted = manifest.files.flatMap((file) => {
        const to = Object.hasOwn(targets, file.name) ? targets[file.name] : undefined
        return to === undefined ? [] : [{ ...file, from: join(folder, file.name), to }]
      })
      if (!wanted.some(({ name }) => name === storeName) || wanted.length < manifest.files.length) {
        return yield* fail(`${join(folder, manifestName)} names files that this program does not know.`)
      }
      for (const { from, sha256, to } of wanted) {
        const digest = yield* attempt(`Read ${from}`, () => hashFile(from))
        if (digest !== sha256)
          return yield* fail(`${from} is not the file that was backed up: its SHA-256 is ${digest}.`)
        for (const file of [to, ...(to === files.store ? [`${to}-wal`] : [])]) {
          const isSame =
            existsSync(file) &&
            file !== files.store &&
            (yield* attempt(`Read ${file}`, () => hashFile(file))) === sha256
          if (existsSync(file) && !isSame)
            return yield* fail(`${file} exists. Move it away first; nothing was changed.`)
        }
      }
      yield* attempt(`Make the folder of ${files.store}`, async () => makeFolder(files.store))
      // Owned, so that no server can start meanwhile and make a new store there.
      const program = { role: "restore", version: Release.version }
      yield* Effect.mapError(takeAlone(files.store, program), ({ message }) => new BackupError({ message }))
      const part = `${files.store}.part`
      yield* attempt(`Write ${part}`, async () => {
        await fs.rm(part, { force: true })
        await copyFile(join(folder, storeName), part)
      })
      yield* verifyStore(part)
      yield* attempt(`Write ${files.store}`, async () => {
        for (const { from, to, name } of wanted) {
          if (name === storeName || existsSync(to)) continue
          makeFolder(to)
          await copyFile(from, to)
        }
        // Unlike a rename, a link never replaces a file.
        await fs.link(part, files.store)
        await fs.rm(part)
        await sync(dirname(files.store))
      })
      return manifest
    }),
  )
