import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { root } from "../../../../bench/open/cli/root.ts"
import { runLine } from "../../../../services/cli/line.ts"
import { commandLine } from "../../../support/commandLine.ts"

const folder = mkdtempSync(join(tmpdir(), "bench-examples-"))
afterAll(() => rmSync(folder, { recursive: true }))

const { cli } = commandLine(join(folder, "unused.db"), {}, (argv) => runLine(argv, async () => root))
const bench = (...args: ReadonlyArray<string>) => cli(args.join(" "))

const fixture = (name: string) => fileURLToPath(new URL(`../../../fixtures/bench/${name}`, import.meta.url))

describe("a naive model, from files alone", () => {
  it.each([
    [
      "weather",
      "weather.csv",
      135,
      ["all errors", "temperature-t8-3", "temperature-t8-2", "published prior", "last 30 errors", "climatology"],
    ],
    ["markets", "settled.csv", 71, ["halfway", "served models", "model and market", "market midpoint"]],
  ] as const)("of %s is compared in one command", async (lane, data, questions, names) => {
    const out = join(folder, lane)
    const model = fileURLToPath(new URL(`../../../../bench/open/examples/${lane}.mjs`, import.meta.url))
    const words = [lane, "--data", fixture(data), "--model", model, "--replicates", "100", "--json", "--out", out]
    const { code, stdout, stderr } = await bench(...words)
    assert.deepStrictEqual([code, stderr], [0, ""])
    const { cases, contenders, parts, inputs } = JSON.parse(stdout)
    assert.deepStrictEqual([cases, inputs[0].name], [questions, data])
    const answered = contenders.map((each: { name: string; answered: number }) => [each.name, each.answered])
    assert.deepStrictEqual(
      answered,
      names.map((name) => [name, questions]),
    )
    // Everybody answered every question, so every score is of all rows.
    for (const { cases: own, measures } of parts) {
      for (const { rows, clusters, scores } of measures) {
        assert.deepStrictEqual([rows, scores.length], [own, names.length])
        // Fewer than ten clusters have no interval, which JSON says as null.
        for (const { value, low, high } of scores)
          assert.isTrue(clusters < 10 ? low === null && high === null : low <= value && value <= high)
      }
    }
    const page = readFileSync(join(out, "report.html"), "utf8")
    for (const name of names) assert.include(page, name)
    // The climatology, far behind, is not what the axis of differences is made for.
    if (lane === "weather") assert.include(page, "← beyond the axis")
    assert.notMatch(page, /NaN|undefined|https?:\/\/(?!www\.w3\.org)/)
  })

  it("of weather may be a file of forecasts by whole degrees, which has no continuous score", async () => {
    const asked = join(folder, "questions.ndjson")
    const { stdout } = await bench("weather", "--data", fixture("weather.csv"), "--questions", asked, "--json")
    assert.deepStrictEqual(JSON.parse(stdout), { file: asked, questions: 135 })
    const lines = readFileSync(asked, "utf8").trim().split("\n")
    const forecasts = lines.map((line) => {
      const { id, at, question } = JSON.parse(line)
      return JSON.stringify({ id, at, first: Math.round(question.forecastF) - 2, pmf: [0.1, 0.2, 0.4, 0.2, 0.1] })
    })
    const own = join(folder, "own.ndjson")
    writeFileSync(own, `${forecasts.join("\n")}\n`)
    const words = ["weather", "--data", fixture("weather.csv"), "--forecasts", own, "--replicates", "100", "--json"]
    const { parts } = JSON.parse((await bench(...words)).stdout)
    const [crps, rps] = parts[0].measures
    const names = (scores: ReadonlyArray<{ contender: string }>) => scores.map(({ contender }) => contender)
    assert.notInclude(names(crps.scores), "own.ndjson")
    assert.deepStrictEqual([names(rps.scores)[0], rps.rows], ["own.ndjson", 135])
    forecasts[3] = forecasts[3]!.replace("0.4", "0.5")
    writeFileSync(own, `${forecasts.join("\n")}\n`)
    const refused = await bench(...words)
    assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
    assert.include(refused.stderr, "own.ndjson, line 4, pmf: The probabilities sum to 1.1")
  })

  it("is divided by month or as its lane divides, and says where outcomes fell in laws", async () => {
    const by = async (lane: string, data: string, name: string) =>
      bench(lane, "--data", fixture(data), "--by", name, "--replicates", "100", "--json")
    const { by: named, parts } = JSON.parse((await by("weather", "weather.csv", "month")).stdout)
    assert.strictEqual(named, "month")
    assert.isAbove(parts.length, 1)
    assert.strictEqual(
      parts.reduce((sum: number, { cases }: { cases: number }) => sum + cases, 0),
      135,
    )
    for (const { transforms } of parts) {
      const [served] = transforms
      assert.strictEqual(served.contender, "temperature-t8-3")
      assert.closeTo(
        served.pit.reduce((sum: number, part: number) => sum + part, 0),
        1,
        1e-9,
      )
      assert.isTrue(served.coverage[0] <= served.coverage[1] && served.coverage[1] <= served.coverage[2])
    }
    const edges = JSON.parse((await by("markets", "settled.csv", "edge")).stdout)
    assert.includeMembers(
      ["below 0.05", "0.05 to 0.1", "0.1 to 0.2", "0.2 and more"],
      edges.parts.map(({ group }: { group: string }) => group),
    )
    const wrong = await by("markets", "settled.csv", "moon")
    assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
    assert.include(wrong.stderr, "--by: questions of markets are divided by month, edge, lead, hour.")
  })

  it.each([
    ["a lane without data", ["crypto"], "--data is required: Candles"],
    ["a folder", ["crypto", "--data", "services"], "services is no file."],
    ["another lane", ["footbal"], 'market-signals-bench has no command "footbal". Did you mean football?'],
  ])("%s is refused before anything is read", async (_, words, reason) => {
    const { code, stdout, stderr } = await bench(...words)
    assert.deepStrictEqual([code, stdout], [2, ""])
    assert.include(stderr, reason)
  })

  it("has a command for each lane, each with the options of every lane", async () => {
    const { stdout } = await bench("--help")
    const lanes = [...stdout.matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)].map(([, lane]) => lane!)
    assert.sameMembers(lanes, ["baseball", "crypto", "football", "markets", "weather"])
    for (const lane of lanes) assert.match((await bench(lane, "--help")).stdout, /--model file[\s\S]*--replicates/)
  })

  it("is not compared on a file of too few days", async () => {
    const short = join(folder, "short.csv")
    const text = readFileSync(fixture("weather.csv"), "utf8").split("\n").slice(0, 90).join("\n")
    writeFileSync(short, `${text}\n`)
    const { code, stderr } = await bench("weather", "--data", short)
    assert.strictEqual(code, 1)
    assert.include(stderr, "short.csv: The first 30 days of each station are only learnt from")
  })
})
