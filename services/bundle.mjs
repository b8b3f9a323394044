import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build, stop } from "esbuild"

const services = fileURLToPath(new URL(".", import.meta.url))

/** Has a native part, which stays in its package. */
const native = "better-sqlite3"

/** Modules that read a file by its place next to them, which is not next to the bundle. */
const readers = /[\\/]adapters[\\/]http[\\/](proof|scripts)\.ts$/

/**
 * Writes programs of this folder as one file each, and one with the code that they share: to load some 1,400 modules takes
 * several times as long as to load their code from one file, and code that nothing uses is left out.
 *
 * @param {ReadonlyArray<string>} programs their names
 * @param {string} folder the target
 * @param {boolean} isElsewhere whether it is outside of a copy of this tree, so that it reaches the tree by full addresses
 */
export const bundle = async (programs, folder, isElsewhere) => {
  const addressOf = (/** @type {string} */ file) =>
    isElsewhere ? pathToFileURL(file).href : relative(services, file).replaceAll("\\", "/")
  try {
    await build({
      entryPoints: programs.map((program) => join(services, `${program}.ts`)),
      outdir: folder,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node20",
      sourcemap: true,
      sourcesContent: false,
      logLevel: "warning",
      // Packages in CommonJS require node's modules.
      banner: {
        js: 'import { createRequire as requires } from "node:module"\nconst require = requires(import.meta.url)',
      },
      plugins: [
        {
          name: "addresses",
          setup: ({ onLoad, onResolve }) => {
            onResolve({ filter: new RegExp(`^${native}$`) }, () => ({
              path: isElsewhere ? addressOf(createRequire(import.meta.url).resolve(native)) : native,
              external: true,
            }))
            onLoad({ filter: readers }, async ({ path }) => ({
              contents: (await readFile(path, "utf8")).replace(
                /new URL\("([^"]+)", import\.meta\.url\)/g,
                (_, file) => `new URL("${addressOf(resolve(dirname(path), file))}", import.meta.url)`,
              ),
              loader: "ts",
            }))
          },
        },
      ],
    })
  } finally {
    // Ends the process of the bundler.
    await stop()
  }
}
