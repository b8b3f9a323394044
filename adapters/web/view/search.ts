import MiniSearch from "minisearch"

/** A page, or a place in one. */
export interface Entry {
  readonly kind: "page" | "guide" | "endpoint" | "document" | "parameter" | "field" | "error"
  readonly name: string
  readonly words: string
  readonly path: string
  /** What else it says: searched, not shown. */
  readonly text?: string
}

/** The longest question. */
export const longest = 100

/** The question of an address; undefined: there is none. */
export const questionIn = (query: URLSearchParams): string | undefined =>
  (query.get("q") ?? "").trim().slice(0, longest) || undefined

/** Words of questions that find nothing by themselves. */
const fillers = new Set(
  "a about an and any are at be by can do does for from get how i if in is it its me my of on or out see the there this to too use what when where which who why will with you your".split(
    " ",
  ),
)

/** What the pages say in place of a word. */
const synonyms: Readonly<Record<string, Array<string>>> = {
  accuracy: ["scoreboard", "performance"],
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
  nyc: ["knyc", "station", "city"],
}

const singular = (term: string): string =>
  term
    .toLowerCase()
    .replace(/ies$/, "y")
    .replace(/(?<=\w{2}[^s])s$/, "")

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
  const index = new MiniSearch<Entry & { readonly id: number }>({
    fields: ["name", "words", "text"],
    processTerm: singular,
    searchOptions: {
      boost: { name: 3, words: 1.5, text: 0.3 },
      boostDocument: (id) => weights[entries[id as number]!.kind],
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { prefix: 0.3, fuzzy: 0.15 },
    },
  })
  index.addAll(entries.map((entry, id) => ({ ...entry, id })))
  return (question) => {
    const asked = question.toLowerCase()
    const others = { combineWith: "OR" as const, boostTerm: () => 0.4 }
    const words = asked.split(/[\s\p{P}]+/u).filter((word) => word !== "" && !fillers.has(word))
    const queries = words.map((word) => ({
      combineWith: "OR" as const,
      queries: [word, { ...others, queries: synonyms[word] ?? [] }],
    }))
    const found = (["AND", "OR"] as const).flatMap((combineWith) =>
      index.search({ combineWith, queries }).map(({ id }) => entries[id as number]!),
    )
    const isNamed = ({ name }: Entry) =>
      [name, name.split(/[ .[\]]+/).at(-1)].some((each) => each?.toLowerCase() === asked)
    const sorted = [...found.filter(isNamed), ...found]
    return sorted.filter(({ path }, at) => sorted.findIndex((other) => other.path === path) === at)
  }
}
