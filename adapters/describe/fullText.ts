import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import MiniSearch from "minisearch"
import type { Finder, Text } from "../../core/find/Finder.ts"
import { inTurns } from "../../core/yieldToEventLoop.ts"

/** Words that are not searched for. */
const stopWords = new Set(
  "a about an and any are at be by can do does for from get how i if in is it its me my of on or out see the there this to too use what when where which who why will with you your".split(
    " ",
  ),
)

/** Words of the pages that mean the same as a word that people search for. */
const synonyms: Readonly<Record<string, Array<string>>> = {
  accuracy: ["scoreboard", "performance"],
  accurate: ["scoreboard", "performance"],
  bitcoin: ["crypto", "btc"],
  btc: ["crypto"],
  cancel: ["refund", "revoke", "reverse"],
  claude: ["mcp", "connect"],
  cursor: ["mcp", "connect"],
  chatgpt: ["mcp", "connect"],
  dataframe: ["python", "csv"],
  download: ["csv", "parquet", "export"],
  down: ["status"],
  ethereum: ["crypto"],
  invoice: ["wallet", "statement"],
  kalshi: ["markets", "venue"],
  limit: ["limits"],
  login: ["sign", "dashboard"],
  mlb: ["baseball"],
  nfl: ["football"],
  notify: ["webhook", "alert"],
  notification: ["webhook", "alert"],
  outage: ["status"],
  pagination: ["paging", "page"],
  pay: ["payment", "wallet"],
  payment: ["wallet", "top"],
  polymarket: ["markets", "venue"],
  pricing: ["price", "cost"],
  quota: ["limits", "rate"],
  refund: ["charged", "charge", "wallet"],
  sdk: ["client", "typescript", "python"],
  sla: ["status"],
  stream: ["events", "alert"],
  streaming: ["events", "alert"],
  throttle: ["rate", "limits"],
  timezone: ["zone", "local"],
  token: ["key"],
  uptime: ["status"],
  requests: ["calls"],
  many: ["rate", "limit"],
  nyc: ["knyc", "york", "station", "city"],
}

const singular = (term: string): string =>
  term
    .toLowerCase()
    .replace(/ies$/, "y")
    .replace(/(?<=\w{2}[^s])s$/, "")

const isNumber = (term: string): boolean => /^\d/.test(term)

/** Texts that are added between two turns of the event loop. */
const textsPerTurn = 50

/** @param textBoost weight of the field `text` */
const emptyIndex = (textBoost: number) =>
  new MiniSearch<Text & { readonly id: number }>({
    fields: ["name", "words", "text"],
    storeFields: ["weight"],
    processTerm: singular,
    searchOptions: {
      boost: { name: 3, words: 1.5, text: textBoost },
      boostDocument: (_, __, stored) => Number(stored?.["weight"]),
      prefix: (term) => term.length > 2 && !isNumber(term),
      fuzzy: (term) => (term.length > 4 && !isNumber(term) ? 0.2 : false),
      weights: { prefix: 0.3, fuzzy: 0.15 },
    },
  })

/** Searches the index; returns the positions of matching texts, those that contain every word first. */
const searchWith =
  (index: ReturnType<typeof emptyIndex>) =>
  (question: string): ReadonlyArray<number> => {
    const synonymOptions = { combineWith: "OR" as const, boostTerm: () => 0.4 }
    const words = question
      .toLowerCase()
      .split(/[\s\p{P}]+/u)
      .filter((word) => word !== "" && !stopWords.has(word))
    const wordsWithSynonyms = words.map((word) => [word, ...(Object.hasOwn(synonyms, word) ? synonyms[word]! : [])])
    const queries = wordsWithSynonyms.map(([word = "", ...queries]) => ({
      combineWith: "OR" as const,
      queries: [word, { ...synonymOptions, queries }],
    }))
    const hits = index.search({ combineWith: "OR", queries }).map(({ id, queryTerms }) => ({
      position: id as number,
      // `queryTerms` are singular.
      hasAllWords: wordsWithSynonyms.every((each) => each.some((term) => queryTerms.includes(singular(term)))),
    }))
    const [partial, complete] = Arr.partition(hits, ({ hasAllWords }) => hasAllWords)
    return [...complete, ...partial].map(({ position }) => position)
  }

/** Weights of the field `text`: in long texts a word means less. */
const [longTextBoost, shortTextBoost] = [0.3, 0.5]

/** Makes the search of the pages. */
export const makeSearch = (texts: ReadonlyArray<Text>) => {
  const index = emptyIndex(longTextBoost)
  index.addAll(texts.map((text, id) => ({ ...text, id })))
  return searchWith(index)
}

/** Builds the index of the finder in slices, so that other work is not held up. */
export const buildIndex: Finder["Type"]["index"] = (texts) =>
  Effect.suspend(() => {
    const index = emptyIndex(shortTextBoost)
    const starts = Array.from({ length: Math.ceil(texts.length / textsPerTurn) }, (_, at) => at * textsPerTurn)
    const add = (start: number) =>
      Effect.sync(() =>
        index.addAll(texts.slice(start, start + textsPerTurn).map((text, at) => ({ ...text, id: start + at }))),
      )
    return Effect.as(inTurns(starts, add), searchWith(index))
  })
