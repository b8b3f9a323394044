import * as Effect from "effect/Effect"
import { type Freshness, worst } from "../endpoint/Answer.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import type { LaneSet } from "../endpoint/LaneSets.ts"
import { nearest } from "../endpoint/nearest.ts"
import { type Failure, fail } from "../Failure.ts"
import { getOrMake } from "../getOrMake.ts"
import { fnv1a } from "../math/fnv1a.ts"
import * as Step from "../Step.ts"
import type { Ask, Findable } from "./Findable.ts"
import type { Finder, Text } from "./Finder.ts"

const split = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * Which findables are of another city than the words of a question name. A city is its station, and the contracts of the
 * station's series. Teams and games are of another one if they have no word of the question.
 */
const indexCities = (findables: ReadonlyArray<Findable>): ((question: string) => (findable: Findable) => boolean) => {
  const stations = findables.filter(({ kind }) => kind === "station")
  const byWord = new Map<string, Set<Findable>>()
  for (const station of stations) {
    for (const word of split(`${station.name} ${station.words}`)) getOrMake(byWord, word, () => new Set()).add(station)
  }
  // A word of every station names none.
  for (const [word, all] of byWord) if (all.size === stations.length) byWord.delete(word)
  const listStations = (findable: Findable): ReadonlyArray<Findable> =>
    findable.kind === "station"
      ? [findable]
      : findable.group === undefined
        ? []
        : [...(byWord.get(split(findable.group)[0] ?? "") ?? [])]
  return (question) => {
    const words = split(question)
    const named = new Set(words.flatMap((word) => [...(byWord.get(word) ?? [])]))
    return (findable) => {
      if (named.size === 0) return false
      if (findable.kind === "team" || findable.kind === "game") {
        const has = split(`${findable.name} ${findable.words}`)
        return !words.some((word) => has.some((each) => each.startsWith(word)))
      }
      const own = listStations(findable)
      return own.length > 0 && !own.some((station) => named.has(station))
    }
  }
}

/** What can be found, with its index. */
export interface Index {
  readonly findables: ReadonlyArray<Findable>
  /** Places of findables, best first, each with the places of its calls, best first. */
  readonly search: (words: string) => ReadonlyMap<number, ReadonlyArray<number>>
  /** Places of findables that have a text as their name or id. */
  readonly named: (text: string) => ReadonlyArray<number>
  /** Whether a findable is of another city than a question names. */
  readonly isElsewhere: ReturnType<typeof indexCities>
  /** The name that is spelt most like a word. */
  readonly nearest: (word: string) => string | undefined
  readonly freshness: Freshness
  /** What could not be read, in words. */
  readonly missing: ReadonlyArray<string>
  /** Of all texts. */
  readonly hash: number
}

const weights: Readonly<Record<Findable["kind"], number>> = {
  station: 2,
  team: 1.8,
  game: 2,
  league: 1.6,
  asset: 2,
  contract: 1.4,
  endpoint: 1,
  guide: 0.7,
}

const listEndpoints = ({ entries }: Catalogue.Any): ReadonlyArray<Findable> =>
  entries.flatMap(({ endpoint, lane }) =>
    endpoint.status === "development"
      ? []
      : [
          {
            kind: "endpoint" as const,
            name: endpoint.id,
            words: `${endpoint.summary} ${endpoint.use ?? ""} ${lane.name}`,
            ids: { endpoint: endpoint.id, path: endpoint.path },
            calls: [{ endpoint, words: "", params: () => endpoint.example as Readonly<Record<string, unknown>> }],
          },
        ],
  )

const indexNames = (findables: ReadonlyArray<Findable>): Index["named"] => {
  const byId = new Map<string, Array<number>>()
  for (const [place, { ids, name }] of findables.entries()) {
    for (const id of new Set([...Object.values(ids), name].map((each) => String(each).toLowerCase())))
      byId.set(id, [...(byId.get(id) ?? []), place])
  }
  return (text) => byId.get(text.toLowerCase()) ?? []
}

/** The longest distance of a misspelling. */
const farthest = 2

/** Names by the words in them; of contracts none, which have the names of their subjects. */
const indexSpellings = (findables: ReadonlyArray<Findable>): Index["nearest"] => {
  const byWord = new Map(
    findables.flatMap(({ kind, name }) =>
      kind === "contract" ? [] : name.split(/[\s,_]+/).map((word) => [word.toLowerCase(), name] as const),
    ),
  )
  const words = [...byWord.keys()].filter(({ length }) => length > farthest + 1)
  return (word) => {
    const closest = nearest(words, word.toLowerCase(), undefined, farthest)
    return closest === undefined ? undefined : byWord.get(closest)
  }
}

/** The texts of findables, one for each call. */
const listTexts = (findables: ReadonlyArray<Findable>) => {
  const texts: Array<Text> = []
  const places: Array<readonly [findable: number, call: number]> = []
  for (const [place, { kind, name, words, calls }] of findables.entries()) {
    for (const [call, each] of calls.length === 0 ? [[0, undefined] as const] : calls.entries()) {
      const spoken = each === undefined ? "" : `${each.words} ${kind === "endpoint" ? "" : each.endpoint.id}`
      texts.push({ name, words, text: spoken, weight: weights[kind] })
      places.push([place, call])
    }
  }
  return { texts, places }
}

/**
 * Reads what can be found, and makes the index; the one before where nothing has changed.
 *
 * @param lanes of test keys or of live keys
 * @param now epoch milliseconds
 */
export const make = Effect.fnUntraced(function* (
  { finds, pages, index }: Finder["Type"],
  catalogue: Catalogue.Any,
  lanes: LaneSet,
  now: number,
  before: Index | undefined,
) {
  let freshness: Freshness = "live"
  const missing: Array<string> = []
  const ask: Ask = (endpoint, params) => {
    const handler = lanes.get(endpoint.id)
    if (handler === undefined) return Effect.fail(fail("data_provider_unavailable"))
    return Effect.map(Step.run(handler(params)), (answer) => {
      freshness = worst(freshness, answer.freshness)
      return answer.results as never
    })
  }
  const sources = finds.flatMap((each) => each(ask, now))
  const read = yield* Effect.forEach(
    sources,
    ({ what, read }) =>
      Effect.catchAll(read, ({ message }: Failure) => {
        missing.push(`${what}: ${message}`)
        return Effect.succeed([])
      }),
    { concurrency: "unbounded" },
  )
  const sold = (findable: Findable) => ({
    ...findable,
    calls: findable.calls.filter(({ endpoint }) => catalogue.byId.has(endpoint.id)),
  })
  const findables = [
    ...read
      .flat()
      .map(sold)
      .filter(({ calls }) => calls.length > 0),
    ...listEndpoints(catalogue),
    ...pages().map(({ path, name, words }): Findable => ({ kind: "guide", name, words, ids: { path }, calls: [] })),
  ]
  const { texts, places } = listTexts(findables)
  const hash = fnv1a(JSON.stringify(texts))
  if (before?.hash === hash) return { ...before, freshness, missing }
  const find = yield* index(texts)
  const made: Index = {
    ...{ findables, freshness, missing, hash, named: indexNames(findables), nearest: indexSpellings(findables) },
    isElsewhere: indexCities(findables),
    search: (words) => {
      const callsByPlace = new Map<number, Array<number>>()
      for (const text of find(words)) {
        const [place, call] = places[text]!
        const calls = callsByPlace.get(place)
        if (calls === undefined) callsByPlace.set(place, [call])
        else calls.push(call)
      }
      return callsByPlace
    },
  }
  return made
})
