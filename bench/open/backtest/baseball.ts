// Backtest of the baseball model against the market, Elo, Pythagorean log5 and home edge on identical games:
// npm run backtest:baseball -- --odds FILE [--innings FILE] [--retrosheet DIR] [--out var/backtest]
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { trained as served } from "../../../core/lanes/baseball/Model.ts"
import { closeName, modelName } from "../lanes/baseball/task.ts"
import { archivesOf, usage } from "../train/baseballFiles.ts"
import { table } from "../train/baseballTable.ts"
import { panelsOf, print, train } from "../train/baseballTraining.ts"
import { reliabilityDiagram } from "./diagram.ts"

const given = archivesOf("var/backtest")
if (given === undefined) {
  process.stderr.write(`backtest:baseball -- ${usage} [--out DIR]\n`)
  process.exit(2)
}

const { read, out } = given
const trained = train(await read())
mkdirSync(out, { recursive: true })
const name = join(out, `baseball-${trained.model_version}`)
writeFileSync(`${name}.json`, print(trained))
writeFileSync(`${name}.svg`, reliabilityDiagram("the home team wins", closeName, modelName, panelsOf(trained)))
const note =
  trained.model_version === served.model_version
    ? "the served model"
    : `not the served model, ${served.model_version}: its inputs or constants differ`
process.stdout.write(`${trained.model_version}, ${note}\n\n${table(trained)}\n\n${name}.json, ${name}.svg\n`)
