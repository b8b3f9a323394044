// Walks every contract of the generated venue to the signal that it came from, lets virtual time pass until it has settled,
// and compares: the probability on the board with the one that a call gives, the result in the ledger with the final of the
// contract's own lane. Thirty days in September, when all four domains trade; `--from 2026-11-01 --days 5 --hours 6` for
// others. Exits 1 at the first bar that is missed.
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { domains } from "../core/record/scoreboard/Settled.ts"
import { hour } from "../core/time.ts"
import { watched } from "../services/progress.ts"
import { clockAt } from "../test/support/clock.ts"
import { faultsOf, walk } from "../test/support/edgeWalk.ts"
import { mockMarkets } from "../test/support/mockLanes.ts"

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "2026-09-01" },
    days: { type: "string", default: "30" },
    hours: { type: "string", default: "4" },
  },
})
const options = { from: Date.parse(values.from), days: Number(values.days), every: Number(values.hours) * hour }
const clock = clockAt(options.from)
const begun = performance.now()
const found = await watched(walk(clock, options)).pipe(
  Effect.withClock(clock),
  Effect.provide(mockMarkets),
  Effect.runPromise,
)

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const {
  stops,
  compared,
  edges,
  settled,
  captured,
  ended,
  undecided,
  unquoted,
  farthest,
  mostOff,
  trades,
  contradictions,
} = found
say(`${values.days} days from ${values.from}, ${stops} stops, ${((performance.now() - begun) / 1_000).toFixed(0)} s`)
for (const domain of domains) {
  say(
    `  ${domain.padEnd(8)} ${compared[domain]} contracts compared with their signals, ${edges[domain]} edges, ${settled[domain]} settled rows, ${captured[domain]} of them seen at their capture`,
  )
}
say(
  `  edges walked to their end: ${ended}; no final decides ${undecided} of them, ${unquoted} had no quote at the capture`,
)
say(`  farthest from the signal 50 s after the board: ${farthest.toFixed(6)}`)
say(`  open contracts but football's that differ by 0.05 or more: ${(100 * mostOff).toFixed(1)} % at most (bar 15 %)`)
say(
  `  ${trades.count} trades of the ledger: ${trades.pnl.toFixed(2)} USD, of ${trades.expected.toFixed(2)} ± ${trades.sd.toFixed(2)} that the models expected`,
)
const faults = faultsOf(found)
for (const line of contradictions.slice(0, 20)) say(`  ${line}`)
say(faults.length === 0 ? "no contradiction" : `MISSED: ${faults.join("; ")}`)
process.exitCode = faults.length === 0 ? 0 : 1
