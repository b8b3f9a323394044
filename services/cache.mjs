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
  symlinkSync,
  utimesSync,
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

/** Folders that are being written or removed, which nobody starts from. */
const partial = "partial-"

/** For so long after its last use a bundle may still be read, milliseconds: running programs load parts of it later. */
const usedMs = 3_600_000
const renewMs = 600_000

/** @param {string} path */
const read = (path) => {
  try {
    return readFileSync(path)
  } catch {
    return ""
  }
}

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(root.length)] : [],
  )

/** By contents: a checkout or a copy may give any times to files. */
export const sourcesDigest = () => {
  const hash = createHash("sha256")
  for (const file of [...sources.flatMap(filesIn).sort(), ...settings]) {
    const contents = read(join(root, file))
    hash.update(`${file}\0${contents.length}\0`).update(contents)
  }
  return hash.digest("hex").slice(0, 32)
}

/**
 * Marks a bundle as in use; false if there is none.
 *
 * @param {string} folder
 */
const renew = (folder) => {
  try {
    utimesSync(folder, new Date(), new Date())
  } catch {
    // A bundle that cannot be written cannot be removed either.
  }
  return existsSync(folder)
}

/** Removes bundles that no program may be using. */
const removeUnused = () => {
  for (const name of readdirSync(cache)) {
    try {
      if (statSync(join(cache, name)).mtimeMs > Date.now() - usedMs) continue
      // Renamed first, so that nobody starts from half a bundle.
      const removed = join(cache, `${partial}${name}`)
      renameSync(join(cache, name), removed)
      rmSync(removed, { recursive: true, force: true })
    } catch {
      // Another user's, or removed by another start at this moment.
    }
  }
}

const bundler = () =>
  Promise.all([import("./bundle.mjs"), import("./parts.mjs")]).catch((error) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND" || !String(error.message).includes("'esbuild'")) throw error
    process.stderr.write(
      "The sources are bundled by esbuild, a development dependency that is not installed: npm ci. The package (npm pack) needs none.\n",
    )
    process.exit(1)
  })

/** A folder to write a bundle to: in the cache or, where that cannot be written, one for this start alone. */
const makeDraft = () => {
  try {
    mkdirSync(cache, { recursive: true })
    return mkdtempSync(join(cache, partial))
  } catch (error) {
    process.stderr.write(
      `${cache} cannot be written (${/** @type {NodeJS.ErrnoException} */ (error).code}), so that each start bundles the sources anew, to a temporary folder.\n`,
    )
    const folder = mkdtempSync(join(tmpdir(), "market-signals-start-"))
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
    // The packages with native parts are not in the bundle.
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction")
    return folder
  }
}

/**
 * Makes the bundle of these sources, or of later ones if a file changes meanwhile.
 *
 * @param {string} digest of the sources
 * @returns {Promise<string>} its folder
 */
const write = async (digest) => {
  const [{ bundle, compact }, { writeParts }] = await bundler()
  const draft = makeDraft()
  const isTemporary = !draft.startsWith(cache)
  try {
    const { metafile } = await bundle(programs, draft, digest, { ...compact, absWorkingDir: root, metafile: true })
    writeParts(draft, root, metafile, false)
    if (isTemporary) return draft
    const present = sourcesDigest()
    if (present !== digest) return write(present)
    const folder = join(cache, digest)
    try {
      renameSync(draft, folder)
    } catch (error) {
      // Another start wrote the same.
      if (!renew(folder)) throw error
    }
    removeUnused()
    return folder
  } finally {
    if (!isTemporary) rmSync(draft, { recursive: true, force: true })
  }
}

/** The folder of a bundle of the present sources. It stays as long as this process runs. */
export const bundled = async () => {
  // After an installation without scripts.
  if (!existsSync(join(root, "adapters/client/generated.ts"))) await import("../bench/tools/prepare.mjs")
  const digest = sourcesDigest()
  const cached = join(cache, digest)
  const folder = renew(cached) ? cached : await write(digest)
  setInterval(() => renew(folder), renewMs).unref()
  return folder
}
