// Fits the seasons of the crypto model on bars until May 2025:
// npm run train:crypto -- --data DIR [--out core/lanes/crypto/model.json]
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { folderOf, present } from "../inputs.ts"
import { readCandles } from "../lanes/crypto/files.ts"
import { quartersOf } from "./cryptoSeasons.ts"

const { values } = parseArgs({ options: { data: { type: "string" }, out: { type: "string" } } })
if (values.data === undefined) {
  process.stderr.write("train:crypto -- --data DIR [--out FILE]\n")
  process.exit(2)
}
const name = "binance_BTCUSDT_5m_20240301_20250702.csv.gz"
const { sha256, ...tape } = readCandles(present("--data", join(folderOf("crypto", values.data), name)))
const quarters = quartersOf(tape)
const days = Array.from({ length: 7 }, (_, at) => quarters.slice(96 * at, 96 * (at + 1)))
const rows = days.map((each) => `  [${each.join(", ")}]`).join(",\n")
const text = `{\n "inputs": [{ "name": "${name}", "sha256": "${sha256}" }],\n "quarters": [\n${rows}\n ]\n}\n`
if (values.out === undefined) process.stdout.write(text)
else writeFileSync(values.out, text)
