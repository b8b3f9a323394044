// `npm run budget` lowers the figures of test/budget.json to the lines that each room of the repository has. It raises none:
// who needs more writes the figure by hand, and says why.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export const budgetFile = "test/budget.json"
type Budget = Readonly<Record<string, number>>

/** The rooms of a file's folder: the first that begins its path. What is left of core and of adapters is a room too. */
const rooms = ["core/lanes", "core", "adapters/*", "services", "bench", "test"]

/** The lines of source in each room, generated ones left out. */
export const linesByRoom = (): Budget => {
  const lines: Record<string, number> = {}
  for (const top of ["core", "adapters", "services", "bench", "test"]) {
    for (const name of readdirSync(top, { recursive: true, encoding: "utf8" })) {
      const file = join(top, name)
      if (!/\.(tsx?|mjs|js)$/.test(file) || /generated\.ts$|\/(node_modules|dist)\//.test(file)) continue
      const room = rooms
        .map((each) => each.replace("*", name.split("/")[0]!))
        .find((each) => file.startsWith(`${each}/`))
      lines[room ?? top] = (lines[room ?? top] ?? 0) + readFileSync(file, "utf8").split("\n").length - 1
    }
  }
  return lines
}

export const readBudget = (): Budget => JSON.parse(readFileSync(budgetFile, "utf8"))

/** The budget with lower figures only. A room that has none gets the lines that it has, one that is gone has none. */
export const lowered = (budget: Budget, lines: Budget): Budget =>
  Object.fromEntries(Object.entries(lines).map(([room, count]) => [room, Math.min(count, budget[room] ?? count)]))

if (process.argv[1]?.endsWith("budget.ts")) {
  writeFileSync(budgetFile, `${JSON.stringify(lowered(readBudget(), linesByRoom()), null, 2)}\n`)
}
