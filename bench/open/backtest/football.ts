// Backtest of the football model against the market, Elo and simpler forecasts on the same games:
// npm run backtest:football -- --games FILE --team-stats DIR [--out var/backtest]
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { trained as served } from "../../../core/lanes/football/model/Model.ts"
import { present } from "../inputs.ts"
import { readFootball } from "../lanes/football/files.ts"
import { modelName } from "../lanes/football/models.ts"
import { closeName } from "../lanes/football/task.ts"
import { table } from "../train/footballTable.ts"
import { panelsOf, print, train } from "../train/footballTraining.ts"
import { reliabilityDiagram } from "./diagram.ts"

const { values } = parseArgs({
  options: {
    games: { type: "string" },
    "team-stats": { type: "string" },
    out: { type: "string", default: "var/backtest" },
  },
})
const { games, "team-stats": teamStats, out } = values
if (games === undefined || teamStats === undefined) {
  process.stderr.write("backtest:football -- --games FILE --team-stats DIR [--out DIR]\n")
  process.exit(2)
}

const data = await Effect.runPromise(
  readFootball({ games: present("--games", games), teamStats: present("--team-stats", teamStats) }),
)
const trained = train(data)
mkdirSync(out, { recursive: true })
const name = join(out, `football-${trained.model_version}`)
writeFileSync(`${name}.json`, print(trained))
writeFileSync(`${name}.svg`, reliabilityDiagram("the home team wins", closeName, modelName, panelsOf(data)))
const note =
  trained.model_version === served.model_version
    ? "the served model"
    : `not the served model, ${served.model_version}: its inputs or constants differ`
process.stdout.write(`${trained.model_version}, ${note}\n\n${table(trained)}\n\n${name}.json, ${name}.svg\n`)
