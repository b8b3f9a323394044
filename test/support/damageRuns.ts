import { cpSync, mkdtempSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import {
  type Answered,
  type Call,
  type DamagedLane,
  type DamagedWorld,
  damagedWorld,
  type Onset,
  type Seeing,
  type Source,
} from "./damagedWorld.ts"
import { type Damage, damagesOf, gone } from "./damages.ts"
import { makeFolder, removeFolder } from "./store.ts"

/** What is wrong with what was seen under a damage; empty: nothing. */
export interface Faults {
  /** Answers with other figures and no less confidence, or that say there is none of what there is. */
  readonly wrong: ReadonlyArray<string>
  /** On the record, and not with the source well. */
  readonly recorded: ReadonlyArray<string>
  /** Charges for a call that failed here. */
  readonly charged: ReadonlyArray<string>
  /** Job or report that do not tell. */
  readonly silent: ReadonlyArray<string>
  /** What differs at the first attempt after the damage. */
  readonly unrecovered: ReadonlyArray<string>
}

/** The end of one damage of one source. */
export interface Ended extends Faults {
  readonly source: string
  readonly damage: string
  readonly onset: Onset
  /** In words of the table. */
  readonly outcome: string
}

/** A capture whose fee is not known, which is as right. */
const withoutFee = (capture: string): string =>
  JSON.stringify(JSON.parse(capture, (name, value) => (name === "fee_rate" ? undefined : value)))

const isLower = (one: Answered, than: Answered): boolean =>
  one.confidence !== undefined && than.confidence !== undefined && one.confidence < than.confidence

/** Whether figures are those of sources that are well, or rows of them. */
const isRight = (answer: Answered, right: Answered, call: Call | undefined): boolean =>
  isDeepStrictEqual(answer.figures, right.figures) ||
  (call?.isList === true &&
    (answer.figures as ReadonlyArray<unknown>).every((row) =>
      (right.figures as ReadonlyArray<unknown>).some((other) => isDeepStrictEqual(row, other)),
    ))

const wrongOf = (seen: Seeing, well: Seeing, calls: ReadonlyArray<Call>): ReadonlyArray<string> =>
  [...seen.answers].flatMap(([path, answer]) => {
    const right = well.answers.get(path)!
    if (answer.status >= 500) return []
    if (answer.status !== right.status) return [`${path}: ${answer.status} in place of ${right.status}`]
    if (answer.isNone && !right.isNone) return [`${path}: says that there is none`]
    const call = calls.find((one) => one.path === path)
    if (isRight(answer, right, call) || isLower(answer, right)) return []
    return [`${path}: other figures at a confidence of ${answer.confidence}`]
  })

const chargedOf = ({ answers }: Seeing): ReadonlyArray<string> =>
  [...answers].flatMap(([path, { status, charged }]) => (status >= 500 && charged !== 0 ? [path] : []))

const silentOf = (
  { failedJobs, redFeeds }: Seeing,
  { feeds, jobs, holes = [], harmless = [] }: Source,
  damage: Damage,
  all: ReadonlyArray<string>,
): ReadonlyArray<string> =>
  harmless.includes(damage.name)
    ? []
    : [
        ...((jobs ?? all).length > 0 && failedJobs.length === 0 ? ["no job failed"] : []),
        ...(holes.includes(damage.name) ? [] : feeds)
          .filter((feed) => !redFeeds.includes(feed))
          .map((feed) => `${feed} is not among the reasons`),
      ]

const alarms = ({ failedJobs, redFeeds }: Seeing): ReadonlyArray<string> => [...failedJobs, ...redFeeds]

const unrecoveredOf = (seen: Seeing, well: Seeing): ReadonlyArray<string> => [
  ...alarms(seen).map((name) => `${name} is still red`),
  ...[...seen.answers].flatMap(([path, { charged: _, ...answer }]) => {
    const { charged, ...right } = well.answers.get(path)!
    return isDeepStrictEqual(answer, right) ? [] : [`${path}: not as before`]
  }),
]

/** The answers that are not as with the source well, in words. */
const outcomeOf = (seen: Seeing, well: Seeing): string => {
  const others = [...seen.answers].filter(([path, { charged: _, ...answer }]) => {
    const { charged, ...right } = well.answers.get(path)!
    return !isDeepStrictEqual(answer, right)
  })
  if (others.length === 0) return alarms(seen).length === 0 ? "as usual" : "last good"
  const lowered = others.flatMap(([, { status, confidence }]) =>
    status < 500 && confidence !== undefined ? [confidence] : [],
  )
  const parts = [
    ...(others.some(([, { status }]) => status >= 500) ? ["503"] : []),
    ...(lowered.length === 0 ? [] : [`flagged, ${Math.max(...lowered)}`]),
  ]
  return parts.join("; ")
}

/** What is seen with all sources well. */
interface Reference {
  readonly under: Seeing
  readonly after: Seeing
  readonly captures: ReadonlySet<string>
}

interface Stage {
  readonly folder: string
  readonly reference: Reference
}

const timesOf = (
  { begin, period, othersAreRead }: DamagedLane,
  onset: Onset,
): readonly [under: number, after: number] =>
  onset === "first" && othersAreRead !== true ? [begin, begin + period] : [begin + period, begin + 2 * period]

const inWorld = async <A>(lane: DamagedLane, from: string, body: (world: DamagedWorld) => Promise<A>): Promise<A> => {
  const folder = makeFolder()
  cpSync(from, folder, { recursive: true })
  const world = await damagedWorld(lane, folder)
  try {
    return await body(world)
  } finally {
    await world.stop()
    removeFolder(folder)
  }
}

/**
 * Runs damages of a lane: each on a store of its own, a copy of an empty one, of one that was filled once, or of one filled
 * without the source.
 */
export const damageRuns = async (lane: DamagedLane) => {
  const root = makeFolder()
  const folderOf = () => mkdtempSync(join(root, "store"))
  const filled = async (missing?: Source): Promise<string> => {
    const folder = folderOf()
    const filling = await damagedWorld(lane, folder)
    if (missing !== undefined) filling.damage(missing, gone)
    await filling.see(lane.begin, [])
    await filling.stop()
    return folder
  }

  const stageOf = async (onset: Onset, missing: Source | undefined): Promise<Stage> => {
    const folder = onset === "first" && missing === undefined ? folderOf() : await filled(missing)
    const [under, after] = timesOf(lane, onset)
    return inWorld(lane, folder, async (world) => {
      const seen = [await world.see(under), await world.see(after)] as const
      const captures = new Set(seen.flatMap((one) => one.captures.flatMap((each) => [each, withoutFee(each)])))
      return { folder, reference: { under: seen[0], after: seen[1], captures } }
    })
  }
  const stages = new Map<Onset | Source, Stage>()
  const stage = async (onset: Onset, source: Source): Promise<Stage> => {
    const missing = onset === "first" && lane.othersAreRead === true ? source : undefined
    const key = missing ?? onset
    const made = stages.get(key) ?? (await stageOf(onset, missing))
    stages.set(key, made)
    return made
  }
  return {
    /** The sources well: what every other run is compared with. */
    reference: async (onset: Onset): Promise<Reference> => (await stage(onset, lane.sources[0]!)).reference,
    /** Undefined: the source has nothing that this damages. */
    run: async (source: Source, damage: Damage, onset: Onset, seed = 1): Promise<Ended | undefined> => {
      const { folder, reference } = await stage(onset, source)
      const [at, next] = timesOf(lane, onset)
      return inWorld(lane, folder, async (world) => {
        world.damage(source, damage, seed)
        const under = await world.see(at)
        if (!world.isDamaged()) return undefined
        world.damage()
        const after = await world.see(next)
        return {
          ...{ source: source.title, damage: damage.title, onset, outcome: outcomeOf(under, reference.under) },
          wrong: wrongOf(under, reference.under, lane.calls),
          recorded: under.captures
            .filter((capture) => !reference.captures.has(capture))
            .map((capture) => JSON.parse(capture).slice(0, 3).join(" ")),
          charged: chargedOf(under),
          silent: damage.isHarmless ? alarms(under) : silentOf(under, source, damage, lane.jobs),
          unrecovered: unrecoveredOf(after, reference.after),
        }
      })
    },
    stop: () => removeFolder(root),
  }
}

export type DamageRuns = Awaited<ReturnType<typeof damageRuns>>

/** Each damage of each source of a lane. */
export const damagesIn = ({ sources }: DamagedLane): ReadonlyArray<readonly [Source, Damage]> =>
  sources.flatMap((source) =>
    damagesOf(source).flatMap((damage) =>
      source.unknowable?.includes(damage.name) === true ? [] : [[source, damage] as const],
    ),
  )

/** All that is wrong, each with the source, the damage and since when. */
export const complaints = ({ source, damage, onset, outcome: _, ...faults }: Ended): ReadonlyArray<string> =>
  Object.entries(faults).flatMap(([kind, list]) =>
    (list as ReadonlyArray<string>).map((one) => `${source}, ${damage}, ${onset}: ${kind}: ${one}`),
  )
