// `npm run damages`: damages every source of every live lane in every way, from its first attempt and after a good one, and
// compares answers, record, charges, jobs and readiness with those of sources that are well. Writes what each damage does
// into the lanes' READMEs, prints the counts, and ends with 1 where anything is wrong. `npm run damages -- weather` runs some
// lanes; `--check` writes nothing, and ends with 1 where a README is not current. With recorded data those of football are
// damaged too (`-- recorded`).
import { readFileSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { withBlock } from "./block.ts"
import { damagedBaseball } from "./damagedBaseball.ts"
import { damagedCrypto } from "./damagedCrypto.ts"
import { damagedRecorded, damagedSample } from "./damagedFootball.ts"
import { damagedMarkets } from "./damagedMarkets.ts"
import { damagedWeather } from "./damagedWeather.ts"
import { type DamagedLane, onsets } from "./damagedWorld.ts"
import { complaints, damageRuns, damagesIn, type Ended } from "./damageRuns.ts"
import { damageSummary, damageTable } from "./damageTable.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: "boolean", default: false } },
})

const isWanted = ({ name }: DamagedLane): boolean => positionals.length === 0 || positionals.includes(name)
const football = (lane: DamagedLane): DamagedLane => ({ ...lane, othersAreRead: true })
const lanes = [damagedWeather(), football(damagedSample()), damagedBaseball(), damagedCrypto(), damagedMarkets()]
const data = process.env["MARKET_SIGNALS_DATA"]

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Every damage of a lane. What is wrong is printed as it comes. */
const runAll = async (lane: DamagedLane): Promise<ReadonlyArray<Ended>> => {
  const runs = await damageRuns(lane)
  const cases = damagesIn(lane).flatMap(([source, damage]) =>
    (lane.onsets ?? onsets).map((onset) => [source, damage, onset] as const),
  )
  const all: Array<Ended> = []
  try {
    for (const onset of lane.onsets ?? onsets) {
      const { under } = await runs.reference(onset)
      const odd = [
        ...under.failedJobs,
        ...under.redFeeds,
        ...[...under.answers].flatMap(([path, { refusal }]) => (refusal === undefined ? [] : [`${path}: ${refusal}`])),
      ]
      if (odd.length > 0) throw new Error(`${lane.name}, ${onset}, with every source well: ${odd.join("; ")}`)
    }
    for (const [source, damage, onset] of cases) {
      const ended = await runs.run(source, damage, onset)
      if (ended === undefined) continue
      all.push(ended)
      for (const complaint of complaints(ended)) print(complaint)
    }
  } finally {
    runs.stop()
  }
  return all
}

let isWrong = false
const ended: Array<Ended> = []
for (const lane of lanes.filter(isWanted)) {
  const all = await runAll(lane)
  ended.push(...all)
  print(damageSummary(lane.name, all))
  const file = `core/lanes/${lane.name}/README.md`
  const before = readFileSync(file, "utf8")
  const after = withBlock(before, "damages", damageTable(all))
  if (values.check && before !== after) print(`${file} is not current: npm run damages`)
  if (!values.check) writeFileSync(file, after)
  isWrong ||= all.some((one) => complaints(one).length > 0) || (values.check && before !== after)
}
const recorded = data === undefined ? [] : [football(damagedRecorded(data))]
for (const lane of recorded.filter(isWanted)) {
  const all = await runAll(lane)
  ended.push(...all)
  print(damageSummary("football, recorded", all))
  isWrong ||= all.some((one) => complaints(one).length > 0)
}
print(damageSummary("all", ended))
process.exitCode = isWrong ? 1 : 0
