import { loadOne } from "./families.ts"
import { runLine } from "./line.ts"

export const main = (argv: ReadonlyArray<string>) =>
  runLine(argv, async (word) => (await loadOne(word)) ?? (await import("./root.ts")).root)
