import { loadOne } from "./families.ts"
import { runLine } from "./line.ts"

/** Runs one command line of the service. */
export const main = (argv: ReadonlyArray<string>) =>
  runLine(argv, async (word) => (await loadOne(word)) ?? (await import("./root.ts")).root)
