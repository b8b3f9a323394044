import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const cache = join(root, "node_modules", ".cache", "market-signals")

/** The programs of one bundle, which share their code. */
const programs = ["server", "cli", "demonstration", "bridge"]

const sources = ["core", "adapters", "services"]
/** These decide too what is built of the sources: npm notes the installed packages in the last one. */
const settings = ["package.json", "package-lock.json", "tsconfig.json", "node_modules/.package-lock.json"]

/** A bundle lists the packages' files in it, so that a package that was changed by hand counts as a change. */
const list = "packages.json"
/** Folders that are being written or removed, which nobody starts from. */
const partial = "partial-"
/** Bundles outside of the tree: for one start each. */
const temporary = "market-signals-start-"

/** For so long after its last use a bundle may still be read, milliseconds: running programs load parts of it later. */
const usedMs = 3_600_000
const renewMs = 600_000
/** The bundles used last are always kept. */
const kept = 3

/** @param {string} path */
const contentsOf = (path) => {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/**
 * @param {ReadonlyArray<string>} files their paths under the root
 * @param {(path: string) => Buffer | string | undefined} factOf
 */
const digestOf = (files, factOf) => {
  const hash = createHash("sha256")
  for (const file of files) {
    const fact = factOf(join(root, file)) ?? ""
    hash.update(`${file}\0${fact.length}\0`).update(fact)
  }
  return hash.digest("hex").slice(0, 32)
}

/** @param {string} path */
const sizeAndTime = (path) => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && `${stats.size} ${stats.mtimeMs}`
}

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(root.length)] : [],
  )

/** By contents: a checkout or a copy may give any times to files. */
export const sourcesDigest = () => digestOf([...sources.flatMap(filesIn).sort(), ...settings], contentsOf)

/** @param {string} folder */
const namesIn = (folder) => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * Says that a bundle is in use; false: it is not there any more.
 *
 * @param {string} folder
 */
const renew = (folder) => {
  const now = new Date()
  try {
    utimesSync(folder, now, now)
    return true
  } catch (error) {
    // One that cannot be written cannot be removed either.
    return /** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT"
  }
}

/**
 * @param {string} digest of the sources
 * @param {ReadonlyArray<string>} packages files of packages in the bundle
 */
const folderOf = (digest, packages) => join(cache, `${digest}-${digestOf(packages, sizeAndTime)}`)

/**
 * The bundle of the present sources and packages, if there is one.
 *
 * @param {string} digest of the sources
 */
const readCached = (digest) =>
  namesIn(cache)
    .filter((name) => name.startsWith(digest))
    .map((name) => join(cache, name))
    .find((folder) => {
      const packages = contentsOf(join(folder, list))
      return packages !== undefined && folder === folderOf(digest, JSON.parse(String(packages))) && renew(folder)
    })

/**
 * Removes bundles that no program may be using.
 *
 * @param {string} folder
 * @param {ReadonlyArray<string>} names
 */
const removeOld = (folder, names) => {
  for (const name of names) {
    const path = join(folder, name)
    try {
      if (statSync(path).mtimeMs > Date.now() - usedMs) continue
      // Renamed first: what is half removed is not found.
      const gone = name.startsWith(partial) || name.startsWith(temporary) ? path : join(folder, `${partial}${name}`)
      if (gone !== path) renameSync(path, gone)
      rmSync(gone, { recursive: true, force: true })
    } catch {
      // Somebody else's, or removed by somebody else at this moment.
    }
  }
}

const prune = () => {
  const names = namesIn(cache)
  const whole = names.filter((name) => !name.startsWith(partial))
  const byUse = whole
    .map((name) => ({ name, at: statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
  removeOld(cache, [...byUse.slice(kept).map(({ name }) => name), ...names.filter((name) => name.startsWith(partial))])
}

const bundler = () =>
  Promise.all([import("./bundle.mjs"), import("./parts.mjs")]).catch((error) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND" || !String(error.message).includes("'esbuild'")) throw error
    process.stderr.write(
      "The sources are bundled by esbuild, a development dependency that is not installed: npm ci. The package (npm pack) needs none.\n",
    )
    process.exit(1)
  })

/** A new bundle in the cache. */
const written = async () => {
  const [{ bundle, compact }, { writeParts }] = await bundler()
  for (;;) {
    const digest = sourcesDigest()
    const draft = mkdtempSync(join(cache, partial))
    try {
      const { metafile } = await bundle(programs, draft, digest, { ...compact, absWorkingDir: root, metafile: true })
      const packages = Object.keys(metafile?.inputs ?? {}).filter((path) => !sources.includes(path.split("/")[0] ?? ""))
      writeFileSync(join(draft, list), JSON.stringify(packages))
      writeParts(draft, root, metafile, false)
      // A file was changed meanwhile.
      if (sourcesDigest() !== digest) continue
      const folder = folderOf(digest, packages)
      try {
        renameSync(draft, folder)
      } catch (error) {
        // Another start wrote the same.
        if (!renew(folder)) throw error
      }
      return folder
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }
}

/**
 * A new bundle for this start alone, where the cache cannot be written.
 *
 * @param {unknown} reason
 */
const onceWritten = async (reason) => {
  const [{ bundle, compact, elsewhere }, { writeParts }] = await bundler()
  process.stderr.write(
    `${cache} cannot be written (${/** @type {NodeJS.ErrnoException} */ (reason).code}), so that each start bundles the sources anew, to a temporary folder.\n`,
  )
  removeOld(
    tmpdir(),
    namesIn(tmpdir()).filter((name) => name.startsWith(temporary)),
  )
  const folder = mkdtempSync(join(tmpdir(), temporary))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  const own = { ...compact, absWorkingDir: root, metafile: true, ...elsewhere }
  writeParts(folder, root, (await bundle(programs, folder, sourcesDigest(), own)).metafile, false)
  return folder
}

/** The folder of a bundle of the present sources. It stays as long as this process runs. */
export const bundled = async () => {
  // After an installation without scripts.
  if (!existsSync(join(root, "adapters/client/generated.ts"))) await import("../bench/tools/prepare.mjs")
  let folder = readCached(sourcesDigest())
  if (folder === undefined) {
    let reason
    try {
      mkdirSync(cache, { recursive: true })
      rmSync(mkdtempSync(join(cache, partial)), { recursive: true })
    } catch (error) {
      reason = error
    }
    folder = reason === undefined ? await written() : await onceWritten(reason)
    if (reason === undefined) prune()
  }
  const used = folder
  setInterval(() => renew(used), renewMs).unref()
  return folder
}
