import { readFileSync } from "node:fs"
import { demoKey } from "../../core/account/ApiKey.ts"
import { replyLifetimeMs } from "../../core/account/decide.ts"
import * as Tier from "../../core/account/Tier.ts"
import { maxAlerts } from "../../core/alerts/Alert.ts"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as Event from "../../core/events/Event.ts"
import { standard, timeoutMs } from "../../core/events/retry.ts"
import { defaultOverlap, maxWebhooks, replayableEvents } from "../../core/events/Webhooks.ts"
import { type Code, codes } from "../../core/Failure.ts"
import { callsPerAddress, requestsPerAddress } from "../../core/gateway/access.ts"
import { maxCalls } from "../../core/lanes/account/plan.ts"
import { maxDailyOpinions, maxModels, maxOpinionsPerCall } from "../../core/lanes/markets/challenge/Challenge.ts"
import { benchOpinions } from "../../core/lanes/markets/challenge/endpoints.ts"
import { topUps } from "../../core/payment/CallPaymentGate.ts"
import { manageScope } from "../../core/rights/Rights.ts"
import { hour, minute, second } from "../../core/time.ts"
import { priceRange } from "./figures.ts"
import { retryAdvice } from "./nextCall.ts"
import { docsPath, errorPath } from "./paths.ts"
import * as Protocol from "./tools/protocol.ts"
import { snippets } from "./webhookSnippets.ts"

/** The guides by chapter, in the order of the menu. */
const chapters = {
  "First steps": ["quickstart", "mcp", "python", "typescript", "embedding"],
  "Every call": ["money", "errors", "limits", "paging", "time", "corrections", "data-terms"],
  "Beyond calls": ["webhooks", "x402", "own-models"],
} as const

export type Name = (typeof chapters)[keyof typeof chapters][number]

/** The guides as written. A bundle contains these texts. */
const sources: Readonly<Record<Name, string>> = {
  quickstart: readFileSync(new URL("./guides/quickstart.md", import.meta.url), "utf8"),
  money: readFileSync(new URL("./guides/money.md", import.meta.url), "utf8"),
  errors: readFileSync(new URL("./guides/errors.md", import.meta.url), "utf8"),
  limits: readFileSync(new URL("./guides/limits.md", import.meta.url), "utf8"),
  paging: readFileSync(new URL("./guides/paging.md", import.meta.url), "utf8"),
  time: readFileSync(new URL("./guides/time.md", import.meta.url), "utf8"),
  corrections: readFileSync(new URL("./guides/corrections.md", import.meta.url), "utf8"),
  webhooks: readFileSync(new URL("./guides/webhooks.md", import.meta.url), "utf8"),
  mcp: readFileSync(new URL("./guides/mcp.md", import.meta.url), "utf8"),
  python: readFileSync(new URL("../client/python/README.md", import.meta.url), "utf8"),
  typescript: readFileSync(new URL("./guides/typescript.md", import.meta.url), "utf8"),
  x402: readFileSync(new URL("./guides/x402.md", import.meta.url), "utf8"),
  "own-models": readFileSync(new URL("./guides/own-models.md", import.meta.url), "utf8"),
  embedding: readFileSync(new URL("../../core/README.md", import.meta.url), "utf8"),
  "data-terms": readFileSync(new URL("./guides/data-terms.md", import.meta.url), "utf8"),
}

export const names: ReadonlyArray<Name> = Object.values(chapters).flat()

/** The address of a guide. */
export const guidePath = (name: Name | "{name}"): string => `${docsPath}/guides/${name}`

/** A guide as a server hands it out. */
export interface Guide {
  readonly name: Name
  readonly chapter: string
  readonly path: string
  readonly title: string
  /** Its first paragraph, without links. */
  readonly summary: string
  /** Markdown, whose links are paths of the server. */
  readonly text: string
}

/** Facts of a server that its guides state. */
export interface Facts {
  readonly baseUrl: string
  readonly catalogue: Catalogue.Any
  /** Of requests: bytes, and milliseconds. */
  readonly limits: Readonly<Record<"uri" | "body" | "arriveMs" | "answerMs", number>>
  /** Whether the server has a path; absent: it has all. */
  readonly served?: (path: string) => boolean
}

/** The path that a guide is about: a server without that path leaves the guide out. */
const subjects: Partial<Record<Name, string>> = { mcp: Protocol.paths.streamable, "own-models": benchOpinions.path }

const number = (value: number): string => value.toLocaleString("en-US")

const span = (ms: number): string => {
  const [size, unit] = ms >= hour ? [hour, "h"] : ms >= minute ? [minute, "min"] : [second, "s"]
  return `${Number((ms / size).toFixed(1))} ${unit}`
}

const frequentCodes: ReadonlyArray<Code> = [
  "invalid_parameter",
  "missing_authorization",
  "insufficient_funds",
  "agent_budget_exceeded",
  "rate_limit_exceeded",
  "data_freshness_stale",
]

const errors = (): string =>
  [
    "| Code | Status | Next step |",
    "|---|---|---|",
    ...frequentCodes.map((code) => {
      const { status, docs } = codes[code]
      return `| [${code}](${errorPath(code)}) | ${status} | ${retryAdvice(code)}. ${docs.split(". ")[0]!.replace(/\.$/, "")}. |`
    }),
  ].join("\n")

const prices = (catalogue: Catalogue.Any): string =>
  priceRange(
    Catalogue.live(catalogue)
      .map(({ endpoint }) => Endpoint.charge(endpoint))
      .filter((micros) => micros > 0),
  )

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``

/** The languages of the snippets, as blocks of Markdown name them. */
const fences = { Node: "js", Python: "python", Go: "go", Shell: "sh" } as const satisfies Record<
  keyof typeof snippets,
  string
>

/** The figures and texts that guides name in braces. */
export const values = ({ catalogue, limits }: Facts): Readonly<Record<string, string>> => {
  const { endpoints, free } = Catalogue.counts(catalogue)
  return {
    endpoints: `${endpoints} endpoints, ${free} of them free`,
    prices: prices(catalogue),
    demoKey,
    perAddress: number(callsPerAddress),
    requestsPerAddress: number(requestsPerAddress),
    planCalls: number(maxCalls),
    replayHours: number(replyLifetimeMs / hour),
    tiers: Object.entries(Tier.tiers)
      .map(([tier, calls]) => `| ${tier} | ${calls === undefined ? "by agreement" : number(calls)} |`)
      .join("\n"),
    uriBytes: number(limits.uri),
    bodyBytes: number(limits.body),
    arriveSeconds: number(limits.arriveMs / second),
    answerSeconds: number(limits.answerMs / second),
    maxAlerts: number(maxAlerts),
    maxWebhooks: number(maxWebhooks),
    errors: errors(),
    models: number(maxModels),
    opinions: number(maxDailyOpinions),
    benchOpinions: number(maxOpinionsPerCall),
    topUps: topUps.map((micros) => number(micros / 1e6)).join(", "),
    manageScope,
    timeout: span(timeoutMs),
    events: Event.types.map((type) => `- \`${type}\`: ${Event.eventMeaning(type)}`).join("\n"),
    reserved: Event.reserved.map((name) => `\`${name}\``).join(", "),
    bodies: (["agent.budget_warning", "wallet.low", "alert.fired"] as const)
      .map((type) => fenced("json", JSON.stringify(Event.example(type), null, 2)))
      .join("\n\n"),
    snippets: Object.entries(fences)
      .map(([language, fence]) => `### ${language}\n\n${fenced(fence, snippets[language as keyof typeof fences])}`)
      .join("\n\n"),
    overlap: span(defaultOverlap),
    retries: standard.offsetsMs.slice(1).map(span).join(", "),
    jitter: number(standard.jitter * 100),
    replayableEvents: number(replayableEvents),
    window: span(standard.windowMs),
  }
}

/** The address of a server in the files of the repository. */
export const exampleUrl = "http://127.0.0.1:8080"

/** The files of the repository that are guides, by the end of the path of a link. */
const files: ReadonlyArray<readonly [end: string, name: Name]> = [
  ["client/python/README.md", "python"],
  ["core/README.md", "embedding"],
  ...names.map((name) => [`${name}.md`, name] as const),
]

/** Turns a link between files into one between pages; undefined if the server has no such page. */
const target = (link: string): string | undefined => {
  if (/^(\/|#|https?:)/.test(link)) return link
  const [file = "", anchor] = link.split("#")
  const name = files.find(([end]) => file.endsWith(end))?.[1]
  return name && guidePath(name) + (anchor === undefined ? "" : `#${anchor}`)
}

const blocks = /^(```[\s\S]*?^```$)/m

/** Changes the parts of a Markdown text that are not code. */
export const inProse = (text: string, change: (prose: string) => string): string =>
  text
    .split(blocks)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join("")

const comments = /<!--[\s\S]*?-->\n*/g
const links = /\[([^\]]*)\]\(([^)\s]+)\)/g

/** The guides of a server, in the order of the menu. */
export const guides = (facts: Facts): ReadonlyArray<Guide> => {
  const all = values(facts)
  const { served = () => true } = facts
  const written = Object.entries(chapters).flatMap(([chapter, members]) =>
    members.flatMap((name) => {
      const subject = subjects[name]
      return subject === undefined || served(subject) ? [{ chapter, name }] : []
    }),
  )
  return written.map(({ chapter, name }) => {
    const filled = sources[name].replaceAll(exampleUrl, facts.baseUrl).replace(/\{\{(\w+)\}\}/g, (_, value: string) => {
      const text = all[value]
      if (text === undefined) throw new Error(`The guide ${name} states ${value}, which has no value.`)
      return text
    })
    const text = inProse(filled, (prose) =>
      prose.replace(comments, "").replace(links, (_, words: string, link: string) => {
        const to = target(link)
        return to === undefined ? words : `[${words}](${to})`
      }),
    )
    const [heading = "", summary = ""] = text.split("\n\n")
    return {
      ...{ chapter, name },
      path: guidePath(name),
      title: heading.replace(/^# /, ""),
      summary: summary.replaceAll("\n", " ").replace(links, "$1"),
      text,
    }
  })
}
