import { assert, describe, it } from "@effect/vitest"
import { PCGRandom } from "effect/Utils"
import { above, benched, type CryptoModel, cryptoTask, scores } from "../../../../../bench/open/lanes/crypto/task.ts"
import { historyAt } from "../../../../../core/History.ts"
import { blendT2 } from "../../../../../core/lanes/crypto/distribution.ts"
import { toPriceModel } from "../../../../../core/lanes/crypto/ownModel.ts"

const minute = 60_000
const first = Date.UTC(2026, 5, 1) / minute
const bars = 1_440 + 61

const generator = new PCGRandom(1)
const closes = Float64Array.from({ length: bars }, () => 100)
for (let at = 1; at < bars; at++) closes[at] = closes[at - 1]! * Math.exp((generator.number() - 0.5) / 500)
// A minute without a candle.
closes[1_445] = Number.NaN

const tape = { closes, lastMinute: first + bars - 1, minutesPerBar: 1 as const }
const task = cryptoTask({ asset: "BTC", ...tape, input: { name: "tape", sha256: "", rows: bars } })

describe("the questions of a tape", () => {
  it("begin after a day, every five minutes, where there is a close now and at the horizon", () => {
    const origins = (horizon: number) =>
      task.cases.filter(({ question }) => question.horizonMinutes === horizon).map(({ at }) => at / minute - first - 1)
    assert.deepStrictEqual(origins(5), [1_450, 1_455, 1_460, 1_465, 1_470, 1_475, 1_480, 1_485, 1_490, 1_495])
    assert.deepStrictEqual(origins(60), [1_440])
    assert.deepStrictEqual(origins(240), [])
  })

  it("have the last close, nine strikes about it, and the close at the horizon as what came", () => {
    const { question, outcome } = task.cases.find(({ question }) => question.horizonMinutes === 60)!
    assert.strictEqual(question.spot, closes[1_440])
    assert.strictEqual(outcome, closes[1_500])
    assert.strictEqual(question.strikes[4], question.spot)
    assert.approximately(question.strikes[0]! * question.strikes[8]!, question.spot ** 2, 1e-8)
  })

  it("are facts once their minute is over, without the one that has no candle", () => {
    assert.strictEqual(task.facts.length, bars - 1)
    assert.deepStrictEqual(task.facts[0], { at: (first + 1) * minute, fact: { minute: first, close: 100 } })
  })
})

describe("a model", () => {
  const { at, question } = task.cases.at(-1)!
  const known = historyAt(task.facts, at)

  it("of the lane answers on the bench as it does over the same window", () => {
    const end = question.now / minute - first
    const law = blendT2.at({ ...tape, closes: closes.subarray(0, end), lastMinute: first + end - 1 }, 5, question.now)!
    assert.deepStrictEqual(benched(blendT2).start()(question, known), { scale: law.scale, nu: law.nu })
  })

  it("of the bench that is served is asked with what is known, and has to answer with a law", () => {
    const last: CryptoModel = { name: "last", start: () => (_, history) => ({ scale: history.at(-1)!.close / 1e4 }) }
    const law = toPriceModel(last).at(tape, 60, (tape.lastMinute + 1) * minute)!
    assert.approximately(law.scale, closes.at(-1)! / 1e4, 1e-15)
    const strikes: CryptoModel = { name: "strikes", start: () => () => ({ pAbove: [0.5] }) }
    assert.throws(() => toPriceModel(strikes).at(tape, 60, (tape.lastMinute + 1) * minute))
  })
})

describe("a forecast", () => {
  const question = { now: 0, horizonMinutes: 5, minutesPerBar: 1 as const, spot: 100, strikes: [99, 100, 101] }

  it("is a probability above each strike, given or by its law", () => {
    assert.deepStrictEqual(above({ pAbove: [0.9, 0.5, 0.2] }, question), [0.9, 0.5, 0.2])
    assert.deepStrictEqual(above({ scale: 0 }, question), [1, 0, 0])
    const [low, middle, high] = above({ scale: 0.01 }, question)
    assert.approximately(low!, 0.8426, 1e-3)
    assert.strictEqual(middle, 0.5)
    assert.approximately(high!, 0.1598, 1e-3)
  })

  it("is scored by what the price did against each strike, and by its distance if it is a law", () => {
    const forecast = { pAbove: [0.9, 0.5, 0.2] }
    assert.approximately(scores.brier.score(forecast, 100.5, question)!, (0.01 + 0.25 + 0.04) / 3, 1e-12)
    assert.isUndefined(scores.crps.score(forecast, 100.5, question))
    assert.approximately(scores.crps.score({ scale: 0 }, 101, question)!, 1e4 * Math.log(1.01), 1e-9)
  })
})
