// Fits the baseball model and measures it:
// npm run train:baseball -- --odds FILE [--innings FILE] [--retrosheet DIR] [--out core/lanes/baseball/model.json]
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { readBaseballData } from "./baseballData.ts"
import { table } from "./baseballTable.ts"
import { print, train } from "./baseballTraining.ts"

const { values } = parseArgs({
  options: {
    odds: { type: "string" },
    innings: { type: "string" },
    retrosheet: { type: "string" },
    out: { type: "string", default: "core/lanes/baseball/model.json" },
  },
})
const { odds, innings, retrosheet, out } = values
if (odds === undefined) {
  process.stderr.write("train:baseball -- --odds FILE [--innings FILE] [--retrosheet DIR] [--out FILE]\n")
  process.exit(2)
}

const trained = train(readBaseballData({ odds, innings, retrosheet }))
writeFileSync(out, print(trained))
process.stdout.write(`${trained.model_version}, games to ${trained.trained_at}\n\n${table(trained)}\n\n${out}\n`)
