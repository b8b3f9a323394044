import { readFileSync } from "node:fs"
import { claims } from "./math/accuracy.ts"

const folder = new URL("../../core/math/", import.meta.url)

/** An exported value of the mathematics with its doc comment. */
interface Documented {
  /** Module and name, as in `core/math/mod.ts`. */
  readonly name: string
  readonly comment: string
}

const commented = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (?:const|function\*?) (\w+)/g

/** The exported values that have a doc comment, by module in the order of `core/math/mod.ts`. */
export const documented = (): ReadonlyArray<Documented> => {
  const modules = readFileSync(new URL("mod.ts", folder), "utf8").matchAll(
    /^export \* as (\w+) from "\.\/(\w+\.ts)"$/gm,
  )
  return [...modules].flatMap(([, module = "", file = ""]) =>
    [...readFileSync(new URL(file, folder), "utf8").matchAll(commented)].map(([, comment = "", name = ""]) => ({
      name: `${module}.${name}`,
      comment: comment.replace(/^\s*\* ?/gm, ""),
    })),
  )
}

/** The first sentence, on one line. */
const meaningOf = (comment: string): string => /^.*?\.(?=\s|$)/.exec(comment.replace(/\s+/g, " ").trim())![0]

const cell = (text: string): string => text.replaceAll("|", "\\|")

const accuracyOf = (name: string): string =>
  claims
    .filter((claim) => claim.name === name)
    .map(({ kind, most, range }) => `${kind} ${most}: ${range}`)
    .join("; ")

/** The functions of the mathematics with their accuracy as a Markdown table. */
export const mathTable = (): string =>
  [
    "| Function | Meaning | Greatest error |",
    "|---|---|---|",
    ...documented().map(
      ({ name, comment }) => `| \`${name}\` | ${cell(meaningOf(comment))} | ${cell(accuracyOf(name))} |`,
    ),
  ].join("\n")
