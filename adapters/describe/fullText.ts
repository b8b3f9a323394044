import * as Effect from "effect/Effect"
import MiniSearch from "minisearch"
import type { Finder, Text } from "../../core/find/Finder.ts"
import { inTurns } from "../../core/yieldToEventLoop.ts"

/** Words of questions that find nothing by themselves. */
const fillers = new Set(
  "a about an and any are at be by can do does for from get how i if in is it its me my of on or out see the there this to too use what when where which who why will with you your".split(
    " ",
  ),
)

/** Words of the pages that mean the same as a word of a question. */
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
const slice = 50

/** @param text how much its words count */
const emptyIndex = (text: number) =>
  new MiniSearch<Text & { readonly id: number }>({
    fields: ["name", "words", "text"],
    storeFields: ["weight"],
    processTerm: singular,
    searchOptions: {
      boost: { name: 3, words: 1.5, text },
      boostDocument: (_, __, stored) => Number(stored?.["weight"]),
      prefix: (term) => term.length > 2 && !isNumber(term),
      fuzzy: (term) => (term.length > 4 && !isNumber(term) ? 0.2 : false),
      weights: { prefix: 0.3, fuzzy: 0.15 },
    },
  })

/** A question's search: places of texts, best first, those with every word of it before others. */
const searchWith =
  (index: ReturnType<typeof emptyIndex>) =>
  (question: string): ReadonlyArray<number> => {
    const others = { combineWith: "OR" as const, boostTerm: () => 0.4 }
    const words = question
      .toLowerCase()
      .split(/[\s\p{P}]+/u)
      .filter((word) => word !== "" && !fillers.has(word))
    const meant = words.map((word) => [word, ...(synonyms[word] ?? [])])
    const queries = meant.map(([word = "", ...queries]) => ({
      combineWith: "OR" as const,
      queries: [word, { ...others, queries }],
    }))
    const hits = index.search({ combineWith: "OR", queries }).map(({ id, queryTerms }) => ({
      place: id as number,
      // Terms of the index's own form.
      isWhole: meant.every((each) => each.some((term) => queryTerms.includes(singular(term)))),
    }))
    return [...hits.filter(({ isWhole }) => isWhole), ...hits.filter(({ isWhole }) => !isWhole)].map(
      ({ place }) => place,
    )
  }

/** The search of long texts: what `text` says counts little. */
export const makeSearch = (texts: ReadonlyArray<Text>) => {
  const index = emptyIndex(0.3)
  index.addAll(texts.map((text, id) => ({ ...text, id })))
  return searchWith(index)
}

/** The same, made in turns with other work. */
export const index: Finder["Type"]["index"] = (texts) =>
  Effect.suspend(() => {
    const index = emptyIndex(0.5)
    const starts = Array.from({ length: Math.ceil(texts.length / slice) }, (_, at) => at * slice)
    const add = (start: number) =>
      Effect.sync(() =>
        index.addAll(texts.slice(start, start + slice).map((text, at) => ({ ...text, id: start + at }))),
      )
    return Effect.as(inTurns(starts, add), searchWith(index))
  })
