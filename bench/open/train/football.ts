// Fits the football model and measures it:
// npm run train:football -- --games FILE --team-stats DIR [--trained-at YYYY-MM-DD] [--out var/train/football.json]
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { present } from "../inputs.ts"
import { readFootball } from "../lanes/football/files.ts"
import { table } from "./footballTable.ts"
import { print, train } from "./footballTraining.ts"

const { values } = parseArgs({
  options: {
    games: { type: "string" },
    "team-stats": { type: "string" },
    "trained-at": { type: "string" },
    // Never the served model by default.
    out: { type: "string", default: "var/train/football.json" },
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

const data = await Effect.runPromise(
  readFootball({ games: present("--games", games), teamStats: present("--team-stats", teamStats) }),
)
const trained = train(data, trainedAt)
mkdirSync(dirname(out), { recursive: true })
writeFileSync(out, print(trained))
process.stdout.write(
  `${trained.model_version}, ${trained.games} games to ${trained.trained_at}\n\n${table(trained)}\n\n${out}\n`,
)
