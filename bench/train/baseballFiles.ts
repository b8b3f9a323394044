import { createReadStream, readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { readCsv } from "../../adapters/upstream/csv.ts"
import { type Feed, formatError } from "../../core/csv/Feed.ts"
import { present } from "../inputs.ts"
import { type Archived, feeds } from "./baseballFeeds.ts"

export interface Files {
  /** Games with starters and moneylines. */
  readonly odds: string
  /** The same games with runs by inning; without it starters have no history. */
  readonly innings?: string | undefined
  /** A folder of Retrosheet game logs, `GL*.TXT`, plain or gzip. */
  readonly retrosheet?: string | undefined
}

const readFile = async <A>(feed: Feed<string, A>, path: string) => {
  const name = basename(path)
  const read = await Effect.runPromise(readCsv(feed, createReadStream(path)))
  const { values, sha256 } = Either.getOrThrowWith(read, (refusal) => new Error(`${name}: ${formatError(refusal)}`))
  return { values, input: { name, sha256 } }
}

const logsIn = (folder: string): ReadonlyArray<string> => {
  const names = readdirSync(folder).filter((name) => /^GL\d{4}\.TXT(\.gz)?$/i.test(name))
  if (names.length === 0) throw new Error(`${folder} has no game logs (GL2021.TXT, plain or gzip).`)
  return names.sort().map((name) => join(folder, name))
}

/**
 * Reads the archives from files.
 *
 * @throws Error with the file and its error
 */
export const readFiles = async ({ odds, innings, retrosheet }: Files): Promise<Archived> => {
  const games = await readFile<Archived["odds"][number]>(feeds.odds, odds)
  const byInning = innings === undefined ? [] : [await readFile<Archived["innings"][number]>(feeds.innings, innings)]
  const logs = []
  for (const path of retrosheet === undefined ? [] : logsIn(retrosheet)) {
    logs.push(await readFile<Archived["logs"][number]>(feeds.game_logs, path))
  }
  return {
    odds: games.values,
    innings: byInning.flatMap(({ values }) => values),
    logs: logs.flatMap(({ values }) => values),
    inputs: [games, ...byInning, ...logs].map(({ input }) => input),
  }
}

/** Options of both programs: archives and output. */
const archiveOptions = {
  odds: { type: "string" },
  innings: { type: "string" },
  retrosheet: { type: "string" },
} as const

export const usage = "--odds FILE [--innings FILE] [--retrosheet DIR]"

/**
 * The archives and the output of a program's arguments; undefined without odds.
 *
 * @param out default output
 */
export const archivesOf = (
  out: string,
): { readonly read: () => Promise<Archived>; readonly out: string } | undefined => {
  const { values } = parseArgs({ options: { ...archiveOptions, out: { type: "string", default: out } } })
  const { odds, innings, retrosheet } = values
  if (odds === undefined) return undefined
  const files: Files = {
    odds: present("--odds", odds),
    innings: innings === undefined ? undefined : present("--innings", innings),
    retrosheet: retrosheet === undefined ? undefined : present("--retrosheet", retrosheet),
  }
  return { read: () => readFiles(files), out: values.out }
}
