// What of package.json is published: nothing of development, and Effect's packages as peers with ranges, since their types
// are in those of the entries and a program must have one copy. `npm pack` and `npm publish` call it: `strip` before they
// read the files, `restore` after it. A checkout keeps exact versions, which `npm ci --omit=dev` installs.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The least version that Effect's own packages take. */
const leastEffect = "^3.22.2"

/** @param {string} name */
const isShared = (name) => name === "effect" || name.startsWith("@effect/")

/**
 * The manifest that is published.
 *
 * @param {Record<string, any>} manifest
 * @returns {Record<string, any>}
 */
export const published = ({
  scripts: _,
  devDependencies,
  overrides: __,
  allowScripts: ___,
  workspaces: ____,
  ...manifest
}) => {
  const dependencies = Object.entries(manifest["dependencies"])
  const shared = dependencies.filter(([name]) => isShared(name))
  // An installation takes those that its Node can load; a checkout has both, since its tests run on each Node.
  const drivers = Object.entries(devDependencies).filter(([name]) => name.startsWith("better-sqlite3"))
  return {
    ...manifest,
    optionalDependencies: Object.fromEntries(drivers),
    dependencies: Object.fromEntries(dependencies.filter(([name]) => !isShared(name))),
    peerDependencies: {
      ...Object.fromEntries(shared.map(([name, version]) => [name, name === "effect" ? leastEffect : `^${version}`])),
      ...manifest["peerDependencies"],
    },
    peerDependenciesMeta: {
      // The programs are bundled, and the core needs effect alone.
      ...Object.fromEntries(shared.flatMap(([name]) => (name === "effect" ? [] : [[name, { optional: true }]]))),
      ...manifest["peerDependenciesMeta"],
    },
  }
}

const [, program, step, root = fileURLToPath(new URL("..", import.meta.url))] = process.argv
if (program === fileURLToPath(import.meta.url)) {
  const [file, kept] = [join(root, "package.json"), join(root, "var/package.json")]
  // Also after a pack that was killed.
  if (existsSync(kept)) renameSync(kept, file)
  if (step === "strip") {
    const text = readFileSync(file, "utf8")
    mkdirSync(join(root, "var"), { recursive: true })
    writeFileSync(`${file}.new`, `${JSON.stringify(published(JSON.parse(text)), null, 2)}\n`)
    writeFileSync(kept, text)
    renameSync(`${file}.new`, file)
  }
}
