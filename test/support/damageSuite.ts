import { assert, it } from "@effect/vitest"
import { PCGRandom } from "effect/Utils"
import { afterAll, beforeAll } from "vitest"
import { type DamagedLane, type Onset, onsets, type Source } from "./damagedWorld.ts"
import { complaints, type DamageRuns, damageRuns, damagesIn } from "./damageRuns.ts"
import type { Damage } from "./damages.ts"

/** Every damage of every source, at its first attempt and later. */
const casesOf = (lane: DamagedLane) =>
  damagesIn(lane).flatMap(([source, damage]) =>
    (lane.onsets ?? onsets).map((onset) => [source, damage, onset] as const),
  )

const suite = (lane: DamagedLane, cases: ReadonlyArray<readonly [Source, Damage, Onset]>): void => {
  let runs: DamageRuns
  beforeAll(async () => {
    runs = await damageRuns(lane)
  }, 300_000)
  afterAll(() => runs.stop())

  for (const onset of lane.onsets ?? onsets) {
    it(`is complete and recorded with every source well: ${onset}`, { timeout: 300_000 }, async () => {
      const { under } = await runs.reference(onset)
      assert.deepStrictEqual([under.failedJobs, under.redFeeds], [[], []])
      for (const [path, { status }] of under.answers) assert.strictEqual(status, 200, path)
    })
  }
  for (const [source, damage, onset] of cases) {
    it(`${source.title}: ${damage.title}, ${onset}`, { timeout: 300_000 }, async () => {
      const ended = await runs.run(source, damage, onset)
      assert.deepStrictEqual(ended === undefined ? [] : complaints(ended), [])
    })
  }
}

/** One damage of some sources, and every answer to another question. */
export const sampled = (lane: DamagedLane, onset: Onset = "later", count = 3): void => {
  const random = new PCGRandom(1)
  const sampledLane = { ...lane, onsets: [onset] }
  const all = casesOf(sampledLane)
  const sources = lane.sources.map((source) => [random.number(), source] as const).sort(([a], [b]) => a - b)
  const cases = sources.slice(0, count).map(([, source]) => {
    const own = all.filter(([one]) => one === source)
    return own[random.integer(own.length)]!
  })
  const foreign = all.filter((one) => one[1].name.startsWith("another ") && !cases.includes(one))
  suite(sampledLane, [...cases, ...foreign])
}
