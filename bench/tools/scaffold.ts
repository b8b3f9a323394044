// Files from a template, and edits of files that are there, for `npm run new:lane` and `npm run new:endpoint`.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The checkout that the programs write to. */
export const checkout = fileURLToPath(new URL("../..", import.meta.url))

/** `water-level` → `WaterLevel`. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|-)([a-z0-9])/g, (_, first: string) => first.toUpperCase())

/** An edit of a file: text in place of the one place that matches. */
export type Edit = readonly [place: RegExp, text: string]

/** Adds an import. */
export const importing = (line: string): Edit => [/^import /m, `${line}\nimport `]

/**
 * Writes the files of a template and edits shared files: all of it, or nothing where a file exists or a place is missing.
 *
 * @param template its files, each after a line `==== <path>`
 * @param names the words that stand in place of `__word__`, in paths too
 */
export const scaffold = (
  root: string,
  template: string,
  names: Readonly<Record<string, string>>,
  edits: Readonly<Record<string, ReadonlyArray<Edit>>>,
): ReadonlyArray<string> => {
  const text = readFileSync(new URL(`templates/${template}.txt`, import.meta.url), "utf8")
  const filled = text.replace(/__(\w+?)__/g, (word, name: string) => names[name] ?? word)
  const made = filled
    .split(/^==== /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n") + 1)] as const)
  for (const [file] of made) if (existsSync(join(root, file))) throw new Error(`${file} exists.`)
  const edited = Object.entries(edits).map(([file, all]) => [
    file,
    all.reduce(
      (content, [place, instead]) => {
        if (!place.test(content)) throw new Error(`${file} has no place for it: ${place}`)
        return content.replace(place, () => instead)
      },
      readFileSync(join(root, file), "utf8"),
    ),
  ]) as ReadonlyArray<readonly [string, string]>
  const files = [...made, ...edited]
  for (const [file, content] of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), content)
  }
  const paths = files.map(([file]) => file)
  const code = paths.filter((file) => !file.endsWith(".md"))
  execFileSync(join(root, "node_modules/.bin/biome"), ["check", "--write", ...code], { cwd: root, stdio: "pipe" })
  return paths
}

/** Runs a generator on the command line's words, and says what it wrote and what is left to do. */
export const report = (make: (...words: Array<string>) => ReadonlyArray<string>, next: string): void => {
  try {
    process.stdout.write(`${make(...process.argv.slice(2)).join("\n")}\n${next}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
