import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { present } from "../inputs.ts"
import type { BaseballData } from "../lanes/baseball/data.ts"
import { readBaseball } from "../lanes/baseball/files.ts"

/** Options of both programs: archives and output. */
const archiveOptions = {
  odds: { type: "string" },
  innings: { type: "string" },
  retrosheet: { type: "string" },
  skill: { type: "string" },
} as const

export const usage = "--odds FILE [--innings FILE] [--retrosheet DIR] [--skill DIR]"

/**
 * The archives and the output of a program's arguments; undefined without odds.
 *
 * @param out default output
 */
export const archivesOf = (
  out: string,
): { readonly read: () => Promise<BaseballData>; readonly out: string } | undefined => {
  const { values } = parseArgs({ options: { ...archiveOptions, out: { type: "string", default: out } } })
  const { odds, innings, retrosheet, skill } = values
  if (odds === undefined) return undefined
  const files = {
    odds: present("--odds", odds),
    innings: innings === undefined ? undefined : present("--innings", innings),
    retrosheet: retrosheet === undefined ? undefined : present("--retrosheet", retrosheet),
    skill: skill === undefined ? undefined : present("--skill", skill),
  }
  return { read: () => Effect.runPromise(readBaseball(files)), out: values.out }
}
