// Speed of the mathematics as ratios within one run, independent of the machine, and its accuracy against 60-digit values,
// beside @stdlib and simple-statistics. Exits 1 if a ratio is too high or a documented accuracy does not hold.
import { Bench } from "tinybench"
import { blendT2, type Distribution, lognormal120 } from "../../../core/lanes/crypto/distribution.ts"
import { chooseStrikes } from "../../../core/lanes/crypto/strikes.ts"
import { realizedVolatility } from "../../../core/lanes/crypto/volatility.ts"
import { combineLows, conditionOnReadings, toExtreme } from "../../../core/lanes/weather/signal/extremes.ts"
import { estimateOfficial } from "../../../core/lanes/weather/signal/runningExtreme.ts"
import { predictRest } from "../../../core/lanes/weather/signal/sameDay.ts"
import { temperatureDistribution } from "../../../core/lanes/weather/signal/temperatureDistribution.ts"
import { stations } from "../../../core/lanes/weather/stations.ts"
import { discretise, located, windowOf } from "../../../core/math/discretise.ts"
import * as normal from "../../../core/math/normal.ts"
import * as studentT from "../../../core/math/studentT.ts"
import { claims } from "./accuracy.ts"
import { alone } from "./alone.ts"
import { points as calls, comparisons, stdlibNormalCdf as stdlib } from "./peers.ts"

const points = Float64Array.from({ length: 4200 }, (_, at) => ((at * 2654435761) % 4294967296) / 357913941 - 6)
const closes = Float64Array.from(
  { length: 10_085 },
  (_, at) => 65_000 + 400 * Math.sin(at / 97) + 30 * Math.sin(at * 7),
)
const window = { closes, lastMinute: 29_180_000 }
const twoHours = { ...window, closes: closes.subarray(-120) }
const now = 29_180_001 * 60_000
const plain = lognormal120.at(window, 60, now)!
const served = blendT2.at(window, 60, now)!
const t = studentT.make(served.nu)
const eight = studentT.make(8)
const high = { mu: 84.2, sigma: 2.3 }
const sd = high.sigma * Math.sqrt(6 / 8)

let sink = 0
let turn = 0
const keep = (value: number): void => {
  sink += value
}
/** `calls` bare calls at varying points, so that neither branches nor values can be predicted. */
const bare = (cdf: (x: number) => number, calls: number) => () => {
  let sum = 0
  for (let k = 0; k < calls; k++) sum += cdf(points[turn++ % 4200]!)
  keep(sum)
}
const answer = (distribution: Distribution) => () => {
  const { spot, sigmaLn } = distribution
  const rows = chooseStrikes(spot, sigmaLn).map((strike) => ({ strike, p_above: distribution.pAbove(strike) }))
  keep(rows[turn++ % 21]!.p_above)
}
const degrees = () => {
  const mu = high.mu + (turn++ % 100) / 50
  const { first, last } = windowOf(mu, high.sigma)
  const { pmf, ge } = discretise(located(eight, mu, sd), mu, first, last)
  keep(pmf[20]! + ge[20]!)
}

/** High and low of a future day, 41 degrees each. */
const dayAhead = () => {
  const mu = high.mu + (turn++ % 100) / 50
  const { degrees: warm } = toExtreme(temperatureDistribution(mu, high.sigma))
  const { degrees: cold } = combineLows([
    temperatureDistribution(mu - 18, high.sigma),
    temperatureDistribution(mu - 12, 3),
  ])
  keep(warm.pmf[20]! + cold.ge[20]!)
}
const noon = { at: Date.UTC(2026, 6, 9, 17), high: 80, low: 66, highAt: 0, tempF: 79.6, trendF: 1.1 }
const morning = Array.from({ length: 12 }, (_, at) => ({ at: noon.at - (11 - at) * 3_600_000, tempF: 66 + at * 1.2 }))
/** The same on the day itself, at noon. */
const sameDay = () => {
  const mu = high.mu + (turn++ % 100) / 50
  const soFar = (variable: "high" | "low") =>
    estimateOfficial(stations[0], variable, { readings: morning, read: noon[variable], spans: [], start: 0, scale: 1 })
  const rest = (variable: "high" | "low") => predictRest(stations[0], variable, noon, { extreme: mu, now: 79 }, 1)
  const { degrees: warm } = conditionOnReadings("high", soFar("high"), rest("high"))
  const { degrees: cold } = conditionOnReadings("low", soFar("low"), rest("low"))
  keep(warm.pmf[20]! + cold.ge[20]!)
}

if (
  windowOf(high.mu, high.sigma).last - windowOf(high.mu, high.sigma).first !== 40 ||
  Math.abs(stdlib(-1, 0, 1) - normal.cdf(-1)) > 1e-16
) {
  throw new Error("The benchmark's fixture is wrong.")
}

const bench = new Bench({ time: 1_000, warmupTime: 300 })
  .add("normal cdf × 4200", bare(normal.cdf, 4200))
  .add(
    "@stdlib normal cdf × 4200",
    bare((x) => stdlib(x, 0, 1), 4200),
  )
  .add("@stdlib factory(0, 1) × 4200", bare(stdlib.factory(0, 1), 4200))
  .add("normal cdf × 21", bare(normal.cdf, 21))
  .add("21 strikes, lognormal-120", answer(plain))
  .add("t cdf × 21", bare(t.cdf, 21))
  .add("21 strikes, blend-t-2", answer(served))
  .add("t₈ cdf × 42", bare(eight.cdf, 42))
  .add("41 degrees, pmf and ge from t₈", degrees)
  .add("high and low of a day to come", dayAhead)
  .add("high and low at noon of the day", sameDay)
  .add("t quantile", () => keep(t.quantile(0.16)))
  .add("σ of 120 closes", () => keep(realizedVolatility(twoHours)!.sigma1h))
  .add("blend-t-2 from 7 days of closes", () => keep(blendT2.at(window, 60, now)!.sigmaLn))

const taskOf = (what: string, name: string): string => `${what}: ${name}`
const others = new Bench({ time: 400, warmupTime: 100 })
for (const { what, implementations } of comparisons) {
  for (const { name, run } of implementations) others.add(taskOf(what, name), () => keep(run()))
}
for (const [name, run] of Object.entries(alone)) others.add(name, () => keep(run()))

await bench.run()
await others.run()
const medians = new Map<string, number>()
for (const { name, result } of [...bench.tasks, ...others.tasks]) {
  if (result.state === "completed") medians.set(name, result.latency.p50 * 1e6)
}
const nanoseconds = (name: string): number => medians.get(name) ?? Number.NaN

const aligned = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const cell = (text: string, at: number) => (at < 2 ? text.padEnd(widths[at]!) : text.padStart(widths[at]!))
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n")
}

const beside = aligned([
  ["function", "by", "relative error", "absolute error", "ns per call"],
  ...comparisons.flatMap(({ what, implementations }) =>
    implementations.map(({ name, relative, absolute }) => {
      const time = nanoseconds(taskOf(what, name)) / (what.startsWith("mean") ? 1 : calls)
      return [what, name, relative.toExponential(1), absolute.toExponential(1), time.toFixed(time < 100 ? 1 : 0)]
    }),
  ),
])
const plainly = aligned([
  ["one call", "ns"],
  ...[...bench.tasks.map(({ name }) => name), ...Object.keys(alone)].map((name) => [
    name,
    nanoseconds(name).toFixed(0).padStart(9),
  ]),
])

/** How much longer ours may take than a peer as exact: the noise of a run. */
const noise = 1.15
const behind = comparisons.flatMap(({ what, implementations: [ours, ...peers] }) =>
  peers.map((peer) => {
    const ratio = nanoseconds(taskOf(what, ours!.name)) / nanoseconds(taskOf(what, peer.name))
    const exact = ours!.relative <= peer.relative
    return {
      over: !(exact && (peer.relative > ours!.relative || ratio <= noise)),
      text: `${what}: ${exact ? "at least as exact as" : "less exact than"} ${peer.name}, ${ratio.toFixed(2)} of its time`,
    }
  }),
)

const bars = [
  ["normal cdf × 4200", "@stdlib normal cdf × 4200", 1],
  ["normal cdf × 4200", "@stdlib factory(0, 1) × 4200", 1],
  ["21 strikes, lognormal-120", "normal cdf × 21", 3],
  ["21 strikes, blend-t-2", "t cdf × 21", 3],
  ["41 degrees, pmf and ge from t₈", "t₈ cdf × 42", 3],
  ["high and low of a day to come", "t₈ cdf × 42", 5],
  // High and low are mixtures over nine official values each: 18 laws.
  ["high and low at noon of the day", "t₈ cdf × 42", 30],
] as const
const ratios = bars.map(([name, other, most]) => {
  const ratio = nanoseconds(name) / nanoseconds(other)
  return { over: !(ratio <= most), text: `${name} / ${other}: ${ratio.toFixed(2)} (at most ${most})` }
})
const held = claims.map(({ name, kind, most, range, errors }) => {
  const found = Math.max(...errors())
  return {
    over: !(found <= most),
    text: `${name}, ${kind} error ${found.toExponential(1)} (at most ${most}): ${range}`,
  }
})
const checks = [...ratios, ...behind, ...held]
const checked = checks.map(({ over, text }) => `${over ? "OVER " : "ok   "}${text}`).join("\n")
process.stdout.write(`${plainly}\n\n${beside}\n\n${checked}\n`)
if (Number.isNaN(sink) || checks.some(({ over }) => over)) process.exit(1)
