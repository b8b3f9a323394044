// Fits the baseball model and measures it:
// npm run train:baseball -- --odds FILE [--innings FILE] [--retrosheet DIR] [--out core/lanes/baseball/model.json]
import { writeFileSync } from "node:fs"
import { baseballData } from "./baseballData.ts"
import { archivesOf, usage } from "./baseballFiles.ts"
import { table } from "./baseballTable.ts"
import { print, train } from "./baseballTraining.ts"

const given = archivesOf("core/lanes/baseball/model.json")
if (given === undefined) {
  process.stderr.write(`train:baseball -- ${usage} [--out FILE]\n`)
  process.exit(2)
}

const { read, out } = given
const trained = train(baseballData(await read()))
writeFileSync(out, print(trained))
process.stdout.write(`${trained.model_version}, games to ${trained.trained_at}\n\n${table(trained)}\n\n${out}\n`)
