import { getOrMake } from "../getOrMake.ts"
import type { Findable } from "./Findable.ts"

const split = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * Which findables are of another city than the words of a question name. A city is its station, and the contracts of the
 * station's series. Teams and games are of another one if they have no word of the question.
 */
export const indexCities = (
  findables: ReadonlyArray<Findable>,
): ((question: string) => (findable: Findable) => boolean) => {
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
