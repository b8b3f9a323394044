import { demoKey } from "../../../core/account/ApiKey.ts"

/** Commands of the documents that cannot run in a test, by pattern, with the reason. */
export const notRun: ReadonlyArray<readonly [pattern: RegExp, reason: string]> = [
  [/^npm ci && npm test$/, "runs this test"],
  [
    /^npm (pack( --workspace market-signals-bench)?$|install (--\S+ )?(\.\/|\{\{|http))/,
    "this suite packs the package; npm install asks the registry",
  ],
  [
    /^npm run (test:runtimes|conformance|docs|size)$/,
    "a suite of its own; needs Chromium, the registry, or writes the sources",
  ],
  [/^npm run bench:\w+( -- .*)?$/, "takes minutes and measures the machine"],
  [
    /^npm run (-s )?((train|backtest):\w+|figures)/,
    "needs recorded data and takes minutes; test/bench runs their parts",
  ],
  [/^market-signals-bench (baseball|football) /, "needs the recorded games of many seasons"],
  [/^([A-Z]+_PASSWORD=\S+ )*docker /, "needs containers; test/deployment.test.ts reads the files"],
  [/^node server\.mjs$/, "the program of the guide; test/package/mountSuite.ts runs it"],
  [/^node (--env-file=.env )?services\/start\.mjs/, "needs a checkout; test/services/serve.test.ts runs it"],
  [/^market-signals store roles /, "needs PostgreSQL; test/adapters/store/postgres runs it"],
  [
    /^market-signals store (export|import) /,
    "needs the server stopped; test/adapters/store/postgres/archive runs them",
  ],
]

/** What a document writes in place of something that the reader has, and what the test has in its place. */
export interface Known {
  readonly url: string
  readonly adminPort: number
  readonly folder: string
  readonly root: string
  /** A key of the first start. */
  readonly key: string
  /** The leaf of a signal that was bought. */
  readonly recorded: string
  /** Everything that commands have printed. */
  readonly printed: string
}

const newest = (printed: string, pattern: RegExp): string => {
  const found = [...printed.matchAll(pattern)].at(-1)?.[0]
  if (found === undefined) throw new Error(`No command before this one has printed ${pattern}.`)
  return found
}

/** The archive's years take hours from 2001 on. */
const shortened = / --since 2001\b/

/** A program or configuration of a document as the test runs it. */
export const filledIn = (text: string, known: Known): string => {
  const { printed } = known
  const rules: ReadonlyArray<readonly [RegExp, () => string]> = [
    [/http:\/\/127\.0\.0\.1:8080/g, () => known.url],
    [/http:\/\/127\.0\.0\.1:8081/g, () => `http://127.0.0.1:${known.adminPort}`],
    [/\/path\/to\/var\//g, () => `${known.folder}/var/`],
    [/\/run\/market-signals\//g, () => `${known.folder}/`],
    [/\/backups\//g, () => `${known.folder}/backups/`],
    [/<key>/g, () => known.key],
    [/\{\{demoKey\}\}/g, () => demoKey],
    [/<id>/g, () => known.recorded],
    [/<the key you know>/g, () => newest(printed, /[\w.:-]+\/record\+[0-9a-f]{8}\+[\w+/=]+/g)],
    [/<verb>/g, () => "keys"],
    [/svk_live_\.\.\./g, () => newest(printed, /svk_live_\w{20,}/g)],
    [/\bkey_\.\.\./g, () => newest(printed, /\bkey_\w{20,}/g)],
    [/\btxn_\.\.\./g, () => newest(printed, /\btxn_\w{20,}/g)],
    [/\balt_\.\.\./g, () => newest(printed, /\balt_\w{20,}/g)],
    [/\bwhk_\.\.\./g, () => newest(printed, /\bwhk_\w{20,}/g)],
    [/--([\w-]+) DIR\b/g, () => "--$1 $1"],
    [/-bench (-- )?(\w+) --data FILE\b/g, () => `-bench $1$2 --data ${known.folder}/$2.csv`],
    [/ -- FILE$/g, () => ` -- ${known.folder}/quotes.csv`],
    [shortened, () => ` --since ${new Date().getUTCFullYear()} --station KNYC`],
  ]
  return rules.reduce(
    (command, [pattern, value]) => (command.search(pattern) === -1 ? command : command.replace(pattern, value())),
    text,
  )
}

/** A command of a document as the test runs it. */
export const commandOf = (text: string, known: Known): string => {
  const filled = filledIn(text, known)
  // What is left in place of something that the reader has; an ellipsis of a comment is none.
  const left = /<[a-z][^>]*>|\w\.\.\.|…/.exec(filled.replace(/(^|\s)#.*/g, ""))
  if (left !== null) throw new Error(`No rule says what ${left[0]} is in: ${text}`)
  return filled
}

/** Programs that go on until they are stopped: the server. */
export const isServer = (command: string): boolean => /(\bmarket-signals serve|\bnpm start)$/.test(command)
/** Verbs for which the server is stopped, or that make a store: they use one of their own. */
export const isOnOwnStore = (command: string): boolean => /\bmarket-signals (restore|store) /.test(command)
/** Opens a store that exists, and is told which: its working directory does not count. */
export const isOnNamedStore = (command: string): boolean => /\bmarket-signals mcp$/.test(command)
/** Scripts of the checkout. */
export const isOfCheckout = (command: string): boolean => /\bnpm (run|start)\b/.test(command)
