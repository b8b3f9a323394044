import { makeSearch } from "../../describe/fullText.ts"

/** A page, or a place in one. */
export interface Entry {
  readonly kind: "page" | "guide" | "endpoint" | "document" | "parameter" | "field" | "error"
  readonly name: string
  readonly words: string
  readonly path: string
  /** What else it says: searched, not shown. */
  readonly text?: string
}

export const longest = 100

/** The question of an address; undefined: there is none. */
export const questionIn = (query: URLSearchParams): string | undefined =>
  (query.get("q") ?? "").trim().slice(0, longest) || undefined

/** By how much a kind stands before the others. */
const weights: Readonly<Record<Entry["kind"], number>> = {
  page: 2,
  guide: 2,
  endpoint: 1.6,
  error: 1.1,
  document: 0.6,
  parameter: 0.6,
  field: 0.5,
}

/** A search of some entries: the best of each address, best first; those with every word of the question before others. */
export const searchIn = (entries: ReadonlyArray<Entry>): ((question: string) => ReadonlyArray<Entry>) => {
  const search = makeSearch(entries.map((entry) => ({ ...entry, weight: weights[entry.kind] })))
  return (question) => {
    const asked = question.toLowerCase()
    const hits = search(question).map((place) => entries[place]!)
    const isNamed = ({ name }: Entry) =>
      [name, name.split(/[ .[\]]+/).at(-1)].some((each) => each?.toLowerCase() === asked)
    const sorted = [...hits.filter(isNamed), ...hits]
    return sorted.filter(({ path }, at) => sorted.findIndex((other) => other.path === path) === at)
  }
}
