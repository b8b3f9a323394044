// Speed of the pure parts on one report and one answer: parse, envelope, field selection, parameters; and a fair line.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { Bench } from "tinybench"
import * as mockFootball from "../adapters/lanes/football/mock/football.ts"
import { textOf } from "../adapters/lanes/weather/mock/climateText.ts"
import * as mockWeather from "../adapters/lanes/weather/mock/reports.ts"
import * as secrets from "../adapters/runtime/node/secrets.ts"
import { zero } from "../core/account/Money.ts"
import * as decode from "../core/endpoint/decode.ts"
import * as Envelope from "../core/endpoint/Envelope.ts"
import * as Select from "../core/endpoint/Select.ts"
import { Feeds } from "../core/feeds/Feeds.ts"
import { Football } from "../core/lanes/football/Football.ts"
import { RatingStates } from "../core/lanes/football/ports.ts"
import { parse } from "../core/lanes/weather/reports/ClimateReport.ts"
import { byId } from "../core/lanes/weather/stations.ts"
import { Weather } from "../core/lanes/weather/Weather.ts"
import { TrackRecord } from "../core/record/captures/Outcomes.ts"
import { watched } from "./progress.ts"

const endpoint = Weather.lane.endpoints.settlement
const text = textOf(byId.get("KNYC")!, "2026-07-08", "final")
const answer = await Effect.runPromise(
  Effect.flatMap(Weather, (weather) => weather.settlement({ station: "KNYC", day: "2026-07-08" })).pipe(
    Effect.provide(Weather.layer.pipe(Layer.provide([mockWeather.layer, Feeds.layerNone]))),
  ),
)
const slim = Select.compile(endpoint.results).slim
const decoded = decode.compile(endpoint)
const good = {
  _tag: "Text",
  entries: [
    ["station", "KNYC"],
    ["day", "2026-07-08"],
  ],
} as const
const bad = {
  _tag: "Text",
  entries: [
    ["station", "XXXX"],
    ["day", "today"],
  ],
} as const
/** An arbitrary time. */
const now = Date.UTC(2026, 6, 9)
const meta = { requestId: "req_01ARYZ6S4100000000000000", latencyMs: 1, charged: zero }

if (Either.isLeft(parse(text)) || Either.isLeft(decoded(good, now)) || Either.isRight(decoded(bad, now))) {
  throw new Error("The benchmark's fixture is wrong.")
}

const enveloped = (mask: Select.Mask): string =>
  Envelope.finish(
    Envelope.prepare(endpoint, answer, Envelope.resultsOf(endpoint, answer, mask, undefined), {}, undefined),
    meta,
  ).toText()

const football = await Effect.runPromise(
  Effect.provide(
    Football,
    Football.layer.pipe(
      Layer.provide([
        mockFootball.layer,
        Feeds.layerNone,
        RatingStates.layerNone,
        TrackRecord.layerNone,
        secrets.layer,
      ]),
    ),
  ),
)
const fairLine = () => Effect.runSync(football.fairLine({ team: "KC" }))
// One walk through all games.
const cold = performance.now()
await Effect.runPromise(football.fairLine({ team: "KC" }))
const walk = performance.now() - cold

const bench = new Bench({ time: 1_000 })
  .add("parse a climate report", () => void parse(text))
  .add("envelope, slim", () => void enveloped(slim))
  .add("envelope, verbose", () => void enveloped("all"))
  .add("JSON.stringify of the same answer", () => void JSON.stringify(answer.results))
  .add("decode good parameters", () => void decoded(good, now))
  .add("decode two bad parameters", () => void decoded(bad, now))
  .add("football fair line, warm", () => void fairLine())

await watched(bench).run()
const rows = bench.tasks.map(({ name, result }) =>
  result.state === "completed"
    ? {
        task: name,
        "µs median": (result.latency.p50 * 1000).toFixed(2),
        "µs p99": (result.latency.p99 * 1000).toFixed(2),
      }
    : { task: name, "µs median": result.state, "µs p99": "" },
)
process.stdout.write(
  `${rows.map((row) => `${row.task.padEnd(36)} ${row["µs median"].padStart(9)} µs median ${row["µs p99"].padStart(9)} µs p99`).join("\n")}\n`,
)
process.stdout.write(`first fair line, every game since 1999 played and rated: ${walk.toFixed(0)} ms\n`)
