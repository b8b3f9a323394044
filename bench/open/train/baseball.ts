// Fits the baseball model and measures it:
// npm run train:baseball -- --odds FILE [--innings FILE] [--retrosheet DIR] [--out var/train/baseball.json]
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { archivesOf, usage } from "./baseballFiles.ts"
import { table } from "./baseballTable.ts"
import { print, train } from "./baseballTraining.ts"

// Never the served model by default.
const given = archivesOf("var/train/baseball.json")
if (given === undefined) {
  process.stderr.write(`train:baseball -- ${usage} [--out FILE]\n`)
  process.exit(2)
}

const { read, out } = given
const trained = train(await read())
mkdirSync(dirname(out), { recursive: true })
writeFileSync(out, print(trained))
process.stdout.write(`${trained.model_version}, games to ${trained.trained_at}\n\n${table(trained)}\n\n${out}\n`)
