// A day over recorded data in each lane, from the quotes to the settlement: `npm run -s backtest:day -- --data DIR` prints the
// part of bench/open/day.md that it makes; with `--write` it writes it.
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { withBlock } from "../block.ts"
import { tradersDay } from "./page.ts"

const { data, write } = parseArgs({
  options: { data: { type: "string" }, write: { type: "boolean", default: false } },
}).values
if (data === undefined) {
  process.stderr.write("backtest:day -- --data DIR\n")
  process.exit(2)
}
const text = await tradersDay(data)
const readme = fileURLToPath(new URL("../../../bench/open/day.md", import.meta.url))
if (write) writeFileSync(readme, withBlock(readFileSync(readme, "utf8"), "day", text, "backtest:day"))
else process.stdout.write(`${text}\n`)
process.exit(0)
