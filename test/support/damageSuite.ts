import { assert, it } from "@effect/vitest"
import { PCGRandom } from "effect/Utils"
import { afterAll, beforeAll } from "vitest"
import type { DamagedLane, Source } from "./damagedWorld.ts"
import { complaints, type DamageRuns, damageRuns, damagesIn, type Ended, type Onset, onsets } from "./damageRuns.ts"
import type { Damage } from "./damages.ts"

/** Every damage of every source, at its first attempt and later. */
const casesOf = (lane: DamagedLane) =>
  damagesIn(lane).flatMap(([source, damage]) => onsets.map((onset) => [source, damage, onset] as const))

const suite = (
  lane: DamagedLane,
  cases: ReadonlyArray<readonly [Source, Damage, Onset]>,
  took: (ended: Ended) => void = () => {},
): void => {
  let runs: DamageRuns
  beforeAll(async () => {
    runs = await damageRuns(lane)
  }, 300_000)
  afterAll(() => runs.stop())

  for (const onset of onsets) {
    it(`is complete and recorded with every source well: ${onset}`, { timeout: 300_000 }, async () => {
      const { under } = await runs.reference(onset)
      assert.deepStrictEqual([under.failedJobs, under.redFeeds], [[], []])
      for (const [path, { status }] of under.answers) assert.strictEqual(status, 200, path)
    })
  }
  for (const [source, damage, onset] of cases) {
    it(`${source.title}: ${damage.title}, ${onset}`, { timeout: 300_000 }, async () => {
      const ended = await runs.run(source, damage, onset)
      if (ended !== undefined) took(ended)
      assert.deepStrictEqual(ended === undefined ? [] : complaints(ended), [])
    })
  }
}

/** One damage of each source. */
export const sampled = (lane: DamagedLane, seed = 1): void => {
  const random = new PCGRandom(seed)
  const cases = lane.sources.map((source) => {
    const own = casesOf(lane).filter(([one]) => one === source)
    return own[random.integer(own.length)]!
  })
  suite(lane, cases)
}

/** All of them. */
export const complete = (lane: DamagedLane, took: (ended: Ended) => void): void => suite(lane, casesOf(lane), took)
