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

const splitWords = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * Makes a function that tells which findables belong to another city than a question names. To a city belong its station and
 * the contracts of the station's series. Teams and games belong to another one if they share no word with the question.
 */
const indexCities = (findables: ReadonlyArray<Findable>): ((question: string) => (findable: Findable) => boolean) => {
  const stations = findables.filter(({ kind }) => kind === "station")
  const byWord = new Map<string, Set<Findable>>()
  for (const station of stations) {
    for (const word of splitWords(`${station.name} ${station.words}`))
      getOrMake(byWord, word, () => new Set()).add(station)
  }
  // A word that all stations have names none of them.
  for (const [word, all] of byWord) if (all.size === stations.length) byWord.delete(word)
  const listStations = (findable: Findable): ReadonlyArray<Findable> =>
    findable.kind === "station"
      ? [findable]
      : findable.group === undefined
        ? []
        : [...(byWord.get(splitWords(findable.group)[0] ?? "") ?? [])]
  return (question) => {
    const words = splitWords(question)
    const named = new Set(words.flatMap((word) => [...(byWord.get(word) ?? [])]))
    return (findable) => {
      if (named.size === 0) return false
      if (findable.kind === "team" || findable.kind === "game") {
        const has = splitWords(`${findable.name} ${findable.words}`)
        return !words.some((word) => has.some((each) => each.startsWith(word)))
      }
      const ownStations = listStations(findable)
      return ownStations.length > 0 && !ownStations.some((station) => named.has(station))
    }
  }
}

export interface Index {
  readonly findables: ReadonlyArray<Findable>
  /** Positions of findables, best first, each with the positions of its calls, best first. */
  readonly search: (words: string) => ReadonlyMap<number, ReadonlyArray<number>>
  /** Positions of findables whose name or id is a text. */
  readonly named: (text: string) => ReadonlyArray<number>
  /** Whether a findable belongs to another city than a question names. */
  readonly isElsewhere: ReturnType<typeof indexCities>
  /** The name with the spelling nearest to a word. */
  readonly nearest: (word: string) => string | undefined
  readonly freshness: Freshness
  /** What could not be read, for people. */
  readonly missing: ReadonlyArray<string>
  /** Hash of all texts. */
  readonly hash: number
}

const kindWeights: Readonly<Record<Findable["kind"], number>> = {
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

/** The largest edit distance of a misspelling. */
const maxSpellingDistance = 2

/** Finds names by the spelling of their words. Contracts are left out, as they have the names of their subjects. */
const indexSpellings = (findables: ReadonlyArray<Findable>): Index["nearest"] => {
  const byWord = new Map(
    findables.flatMap(({ kind, name }) =>
      kind === "contract" ? [] : name.split(/[\s,_]+/).map((word) => [word.toLowerCase(), name] as const),
    ),
  )
  const words = [...byWord.keys()].filter(({ length }) => length > maxSpellingDistance + 1)
  return (word) => {
    const closest = nearest(words, word.toLowerCase(), undefined, maxSpellingDistance)
    return closest === undefined ? undefined : byWord.get(closest)
  }
}

/** One text for each call. */
const listTexts = (findables: ReadonlyArray<Findable>) => {
  const texts: Array<Text> = []
  const places: Array<readonly [findable: number, call: number]> = []
  for (const [place, { kind, name, words, calls }] of findables.entries()) {
    for (const [call, each] of calls.length === 0 ? [[0, undefined] as const] : calls.entries()) {
      const spoken = each === undefined ? "" : `${each.words} ${kind === "endpoint" ? "" : each.endpoint.id}`
      texts.push({ name, words, text: spoken, weight: kindWeights[kind] })
      places.push([place, call])
    }
  }
  return { texts, places }
}

/**
 * Reads what can be found and makes the index, or returns the previous one if nothing has changed.
 *
 * @param lanes the lanes of test keys or of live keys
 * @param now epoch milliseconds
 */
export const make = Effect.fnUntraced(function* (
  { finds, pages, index }: Finder["Type"],
  catalogue: Catalogue.Any,
  lanes: LaneSet,
  now: number,
  previous: Index | undefined,
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
  const keepSoldCalls = (findable: Findable) => ({
    ...findable,
    calls: findable.calls.filter(({ endpoint }) => catalogue.byId.has(endpoint.id)),
  })
  const findables = [
    ...read
      .flat()
      .map(keepSoldCalls)
      .filter(({ calls }) => calls.length > 0),
    ...listEndpoints(catalogue),
    ...pages().map(({ path, name, words }): Findable => ({ kind: "guide", name, words, ids: { path }, calls: [] })),
  ]
  const { texts, places } = listTexts(findables)
  const hash = fnv1a(JSON.stringify(texts))
  if (previous?.hash === hash) return { ...previous, freshness, missing }
  const find = yield* index(texts)
  const made: Index = {
    findables,
    freshness,
    missing,
    hash,
    named: indexNames(findables),
    nearest: indexSpellings(findables),
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
