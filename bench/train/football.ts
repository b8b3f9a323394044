// Fits the football model and measures it:
// npm run train:football -- --games FILE --team-stats DIR [--trained-at YYYY-MM-DD] [--out core/lanes/football/model/model.json]
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { present } from "../inputs.ts"
import { readFootballData } from "./footballData.ts"
import { table } from "./footballTable.ts"
import { print, train } from "./footballTraining.ts"

const { values } = parseArgs({
  options: {
    games: { type: "string" },
    "team-stats": { type: "string" },
    "trained-at": { type: "string" },
    out: { type: "string", default: "core/lanes/football/model/model.json" },
  },
})
const { games, "team-stats": teamStats, "trained-at": trainedAt, out } = values
if (
  games === undefined ||
  teamStats === undefined ||
  (trainedAt !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(trainedAt))
) {
  process.stderr.write("train:football -- --games FILE --team-stats DIR [--trained-at YYYY-MM-DD] [--out FILE]\n")
  process.exit(2)
}

const trained = train(readFootballData(present("--games", games), present("--team-stats", teamStats)), trainedAt)
writeFileSync(out, print(trained))
process.stdout.write(
  `${trained.model_version}, ${trained.games} games to ${trained.trained_at}\n\n${table(trained)}\n\n${out}\n`,
)
