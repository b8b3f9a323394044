// npm run new:lane -- <name>: a lane in development with one endpoint over generated data (templates/lane.txt).
import { fileURLToPath } from "node:url"
import { checkout, type Edit, importing, pascal, report, scaffold } from "./scaffold.ts"

/** Enters a lane in a list and in its type. */
const addTo = (list: string, lane: string): ReadonlyArray<Edit> => [
  [new RegExp(`(?<=^(?:export )?const ${list}: All = \\[[^\\]]*)(?=\\])`, "m"), `, ${lane}`],
  [/(?<=^type All = readonly \[[^\]]*)(?=\])/m, `, typeof ${lane}`],
]

/** Writes a lane's files and enters it in both lists; the paths written. */
export const newLane = (root: string, lane = ""): ReadonlyArray<string> => {
  if (!/^[a-z][a-z0-9]*$/.test(lane)) throw new Error("npm run new:lane -- <name>: one lower-case word, such as tides")
  const names = { lane, Lane: pascal(lane) }
  return scaffold(root, "lane", names, {
    "core/lanes/all.ts": [importing(`import { ${lane} } from "./${lane}/lane.ts"`), ...addTo("lanes", lane)],
    "adapters/lanes/all.ts": [importing(`import { ${lane} } from "./${lane}/module.ts"`), ...addTo("modules", lane)],
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  report(
    (lane) => newLane(checkout, lane),
    "Next: name the data and its source in these files; its price in test/core/lanes/catalogue.test.ts; then npm run docs and npm run schemas.",
  )
}
