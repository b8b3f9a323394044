// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import { type Guidance, guidanceSources } from "../../../../../core/lanes/weather/guidance/Guidance.ts"
import {
  type IssuedLaws,
  initialStack,
  isInUse,
  issueLaws,
  learnStack,
  type StackState,
} from "../../../../../core/lanes/weather/guidance/stack.ts"
import { crpsNormal } from "../../../../../core/math/score.ts"
import { xoshiro128 } from "../../../../../core/math/xoshiro128.ts"
import { addDays } from "../../../../../core/time.ts"

/*
 * A simulated truth: errors of the grid and of the two sources with known biases, spreads and correlations. The best
 * weights and their spread follow from them.
 */

const sigma = 2.4
/** Official − forecast of the grid has no bias; its error is the sum of a shared and an own part. */
interface World {
  /** Variance of the error part that all three share, and of each one's own, °F². */
  readonly shared: number
  readonly own: readonly [grid: number, nbm: number, mos: number, nbp?: number]
  readonly bias: readonly [nbm: number, mos: number, nbp?: number]
  /** Share of a day's grid error that is yesterday's. */
  readonly carried?: number
}

const normals = (seed: number) => {
  const random = xoshiro128(seed)
  const uniform = () => (random.word() + 0.5) / 2 ** 32
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

/** A day's forecasts and its official extreme. */
interface Day {
  readonly forecastF: number
  readonly officialF: number
  readonly guidance: ReadonlyArray<Guidance>
}

const daysOf = ({ shared, own, bias, carried = 0 }: World, count: number, seed: number): ReadonlyArray<Day> => {
  const draw = normals(seed)
  let before = 0
  return Array.from({ length: count }, (_, at) => {
    const officialF = 80 + 8 * draw()
    const common = Math.sqrt(shared) * draw()
    const fresh = Math.sqrt(own[0]) * draw()
    const error = carried * before + Math.sqrt(1 - carried ** 2) * (common + fresh)
    before = error
    const day = addDays("2026-06-01", at)
    return {
      forecastF: officialF + error,
      officialF,
      guidance: guidanceSources.slice(0, bias.length).map((source, n) => ({
        ...{ station: "KNYC", source, variable: "high", day, issuedAt: Date.parse(day) },
        tempF: officialF + common + Math.sqrt(own[n + 1]!) * draw() - bias[n]!,
      })),
    }
  })
}

const issuedOf = (state: StackState, { forecastF, guidance }: Day): IssuedLaws =>
  issueLaws(state, { forecastF, bias: 0, sigma }, guidance)

/** Each day is forecast with what was learned of the days whose final reports were out: those before the day before. */
const walked = (
  days: ReadonlyArray<Day>,
  lag = 2,
): { readonly issued: ReadonlyArray<IssuedLaws>; readonly states: ReadonlyArray<StackState> } => {
  const [issued, states]: [Array<IssuedLaws>, Array<StackState>] = [[], [initialStack]]
  for (const [at, day] of days.entries()) {
    issued.push(issuedOf(states[Math.max(0, at + 1 - lag)]!, day))
    states.push(learnStack(states[at]!, issued[at]!, day.officialF))
  }
  return { issued, states }
}

/** Mean CRPS, °F, of normal laws. */
const score = (
  laws: ReadonlyArray<{ readonly mean: number; readonly sigma: number }>,
  days: ReadonlyArray<Day>,
): number =>
  laws.reduce((sum, law, at) => sum + law.sigma * crpsNormal((days[at]!.officialF - law.mean) / law.sigma), 0) /
  laws.length

/** The spread of the best linear combination of the three, with independent parts: the inverses of the variances add up. */
const bestSpread = ({ shared, own }: World): number =>
  Math.sqrt(shared + 1 / own.reduce((sum: number, each = 0) => sum + 1 / each, 0))

const helpful: World = { shared: 1.5, own: [sigma ** 2 - 1.5, 3, 5], bias: [1.4, -0.9] }
const useless: World = { shared: 0, own: [sigma ** 2, 400, 400], bias: [0, 0] }

describe("a stack of forecasts", () => {
  it("is the grid's law alone at first, to the last digit", () => {
    const [day] = daysOf(helpful, 1, 1)
    const { mean, sigma, stacked } = issuedOf(initialStack, day!)
    assert.deepStrictEqual(stacked, { mean, sigma })
    assert.isFalse(isInUse(initialStack))
    // The grid's bias is added to its mean, and the sources' differences are from that sum.
    const { guidance, forecastF } = day!
    const warmer = issueLaws(initialStack, { forecastF, bias: 1.5, sigma }, guidance)
    assert.strictEqual(warmer.stacked.mean, forecastF + 1.5)
    for (const { source, tempF } of guidance) {
      assert.closeTo(warmer.differences[source]!, tempF - forecastF - 1.5, 1e-12)
    }
  })

  it("has learned after 60 days most of what the simulation contains, and says so by its interval", () => {
    const gains = Array.from({ length: 20 }, (_, seed) => {
      const days = daysOf(helpful, 90, seed + 1)
      const { issued, states } = walked(days)
      const [late, laws] = [days.slice(60), issued.slice(60)]
      const prior = score(
        laws.map(({ mean }) => ({ mean, sigma })),
        late,
      )
      const learned = score(
        laws.map(({ stacked }) => stacked),
        late,
      )
      return { gain: prior - learned, isUsed: isInUse(states[60]!) }
    })
    const gain = gains.reduce((sum, each) => sum + each.gain, 0) / gains.length
    // CRPS of a calibrated normal law is its spread / √π.
    const contained = (sigma - bestSpread(helpful)) / Math.sqrt(Math.PI)
    assert.isAbove(gain, 0.75 * contained)
    assert.isBelow(gain, 1.1 * contained)
    assert.isAtLeast(gains.filter(({ isUsed }) => isUsed).length, 18)
  })

  it("leaves sources without skill out", () => {
    const used = Array.from({ length: 40 }, (_, seed) => isInUse(walked(daysOf(useless, 90, seed + 1)).states[90]!))
    assert.isAtMost(used.filter(Boolean).length, 3)
  })

  it("does not know yesterday's error: a learner that did would gain, ours does not", () => {
    // Only the grid's own yesterday helps here.
    const days = daysOf({ ...useless, carried: 0.5 }, 400, 7)
    const { issued } = walked(days)
    const priors = issued.map(({ mean }) => ({ mean, sigma }))
    const leaky = days.map(({ forecastF }, at) => {
      const yesterday = days[at - 1]
      return {
        mean: forecastF - (yesterday === undefined ? 0 : 0.5 * (yesterday.forecastF - yesterday.officialF)),
        sigma,
      }
    })
    assert.isBelow(score(leaky, days), score(priors, days) - 0.03)
    assert.isAbove(
      score(
        issued.map(({ stacked }) => stacked),
        days,
      ),
      score(priors, days) - 0.03,
    )
  })

  it("is a fold: the same days give the same state to the byte, and a day without guidance changes nothing", () => {
    const days = daysOf(helpful, 60, 3)
    const [once, again] = [walked(days).states.at(-1)!, walked(days).states.at(-1)!]
    assert.strictEqual(JSON.stringify(once), JSON.stringify(again))
    const bare = issueLaws(once, { forecastF: 80, bias: 0, sigma }, [])
    assert.deepStrictEqual(bare.stacked, { mean: 80, sigma })
    assert.strictEqual(learnStack(once, bare, 85), once)
    // Read back from a store it goes on in the same way.
    const stored = JSON.parse(JSON.stringify(once)) as StackState
    const next = issuedOf(once, days[0]!)
    assert.strictEqual(JSON.stringify(learnStack(stored, next, 81)), JSON.stringify(learnStack(once, next, 81)))
  })

  it("learns a third source beside the two, and the first day of one changes no number of the others", () => {
    const third: World = { ...helpful, own: [...helpful.own.slice(0, 3), 2] as never, bias: [1.4, -0.9, 0.5] }
    const days = daysOf(third, 400, 11)
    const two = days.slice(0, 60).map((day) => ({ ...day, guidance: day.guidance.slice(0, 2) }))
    const before = walked(two).states.at(-1)!
    assert.strictEqual(before.weights.length, 2)
    const { guidance, ...rest } = days[60]!
    const [without, withIt] = [
      issuedOf(before, { ...rest, guidance: guidance.slice(0, 2) }),
      issuedOf(before, days[60]!),
    ]
    assert.deepStrictEqual(withIt.stacked, without.stacked)
    const [a, b] = [learnStack(before, without, rest.officialF), learnStack(before, withIt, rest.officialF)]
    assert.strictEqual(b.weights.length, 3)
    assert.strictEqual(b.covariance.length, 6)
    assert.deepStrictEqual(a.gains, b.gains)
    // By itself, over the days, it is worth what the simulation gave it.
    const { issued, states } = walked(days)
    const [late, laws] = [days.slice(60), issued.slice(60)]
    const gain =
      score(
        laws.map(({ mean }) => ({ mean, sigma })),
        late,
      ) -
      score(
        laws.map(({ stacked }) => stacked),
        late,
      )
    assert.isAbove(gain, (0.75 * (sigma - bestSpread(third))) / Math.sqrt(Math.PI))
    assert.isAbove(states.at(-1)!.weights[2]!, states.at(-1)!.weights[1]!)
  })

  it("does without a source that is absent", () => {
    const days = daysOf(helpful, 80, 5)
    const state = walked(days).states.at(-1)!
    const whole = issuedOf(state, days[0]!)
    const alone = issuedOf(state, { ...days[0]!, guidance: days[0]!.guidance.slice(1) })
    assert.isTrue(isInUse(state))
    assert.isBelow(whole.stacked.sigma, alone.stacked.sigma)
    assert.isBelow(alone.stacked.sigma, sigma)
  })
})
