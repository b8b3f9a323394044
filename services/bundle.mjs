import { readFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build, stop } from "esbuild"

const services = fileURLToPath(new URL(".", import.meta.url))

/** Have a native part, which stays in its package. The second one is for Node 20 alone. */
export const natives = ["better-sqlite3", "better-sqlite3-node20"]

/** The modules that read files by their own place, which is another one in a bundle. */
const readers = /[\\/]adapters[\\/](web[\\/]files|describe[\\/]guides|store[\\/]schema[\\/]migrate)\.ts$/
const read = /readFileSync\(new URL\("([^"]+)", import\.meta\.url\), "utf8"\)/g

/** Runs when it is the program that was started: never as a part of another one. */
const verifier = /[\\/]record[\\/]verifier\.mjs$/

/** @type {import("esbuild").Plugin} */
const places = {
  name: "places",
  setup: ({ onLoad }) => {
    onLoad({ filter: readers }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      /** @type {Map<string, string>} */
      const files = new Map()
      for (const [, file = ""] of text.matchAll(read)) {
        files.set(file, await readFile(resolve(dirname(path), file), "utf8"))
      }
      return { contents: text.replace(read, (_, file) => JSON.stringify(files.get(file))), loader: "ts" }
    })
    onLoad({ filter: verifier }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace("import.meta.url", '"file:///not-a-program"'),
      loader: "js",
    }))
  },
}

/** @type {import("esbuild").BuildOptions} */
const options = {
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  sourcemap: true,
  sourcesContent: false,
  logLevel: "warning",
}

/** For a package: a quarter less to install and to read at each start. A checkout's programs keep their names and lines. */
export const compact = { minify: true, sourcemap: false }

/**
 * Writes programs of this folder as one file each, and the code that they share: to load some 1,400 modules takes several
 * times as long as to load their code from a few files, and code that nothing uses is left out.
 *
 * @param {ReadonlyArray<string>} programs their names
 * @param {string} folder the target
 * @param {string} digest of the sources: what the programs keep of generated data is of the same
 * @param {import("esbuild").BuildOptions} own
 */
export const bundle = async (programs, folder, digest, own = {}) => {
  try {
    return await build({
      ...options,
      entryPoints: programs.map((program) => join(services, `${program}.ts`)),
      outdir: folder,
      chunkNames: "chunks/[name]-[hash]",
      // Packages in CommonJS require node's modules.
      banner: {
        js: 'import { createRequire as requires } from "node:module"\nconst require = requires(import.meta.url)',
      },
      external: natives,
      plugins: [places],
      define: { SOURCES_DIGEST: JSON.stringify(digest) },
      ...own,
    })
  } finally {
    // Ends the process of the bundler.
    await stop()
  }
}

/**
 * Writes the modules that others import, each as a file that stands where its source does, and the code that they share.
 * The dependencies stay imports.
 *
 * @param {ReadonlyArray<string>} entries their paths under the root
 * @param {string} root
 * @param {string} folder the target
 */
export const library = async (entries, root, folder) => {
  try {
    return await build({
      ...options,
      absWorkingDir: root,
      entryPoints: [...entries],
      outbase: root,
      outdir: folder,
      chunkNames: "chunks/[name]-[hash]",
      packages: "external",
      // The files are readable: lines and names of a stack trace are those of the files that are installed.
      sourcemap: false,
      plugins: [places],
    })
  } finally {
    await stop()
  }
}
