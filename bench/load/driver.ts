// `npm run bench:load -- CASE [--OPTION VALUE] [--json] [--short]` measures one case of this folder: servers of its own over stores on
// the disk of `--dir`, in rounds that alternate with what they are compared with, since only ratios within one run mean something. Each
// row has named figures and the bars that they keep; the exit code is 1 where one is missed. `--json` prints a line of JSON a row;
// `--short` takes a minute and shows that a case runs: its figures mean nothing, and only its exact bars count.
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inspect, parseArgs } from "node:util"
import { stopAll } from "./servers.ts"

/** Defaults by name; where there are two, the second one is that of a short run. */
export type Options = Readonly<
  Record<string, number | string | readonly [full: number | string, short: number | string]>
>
export type Figures = Readonly<Record<string, number>>
/** Bounds of figures, by their names. Short runs keep only the exact ones. */
export type Bars = Readonly<
  Record<string, { readonly most?: number; readonly least?: number; readonly isExact?: boolean }>
>

/** The tools of a case. */
export interface Bench<O> {
  readonly options: O
  /** On the disk of `--dir`; removed at the end. */
  readonly folder: string
  readonly print: (line: string) => void
  /** Prints the figures of a name, and whether they keep their bars. */
  readonly row: (name: string, figures: Figures, bars?: Bars) => void
}

type Values<O extends Options> = {
  readonly [K in keyof O]: O[K] extends number | readonly [number, number] ? number : string
}

export interface Case {
  readonly options: Options
  readonly run: (bench: Bench<never>) => Promise<void>
}

/** A case with its options and their defaults. */
export const define = <const O extends Options>(options: O, run: (bench: Bench<Values<O>>) => Promise<void>): Case => ({
  options,
  run: run as Case["run"],
})

const number = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2)

const reporter = (isJson: boolean, isShort: boolean) => {
  let [columns, missed] = ["", 0]
  const print = (line: string): void => void (isJson ? process.stderr : process.stdout).write(`${line}\n`)
  const row = (name: string, figures: Figures, bars: Bars = {}): void => {
    const verdicts = Object.entries(bars).map(([figure, { most = Infinity, least = -Infinity, isExact }]) => {
      const value = figures[figure] ?? Number.NaN
      const isKept = value >= least && value <= most
      if (!isKept && (isExact || !isShort)) missed++
      const bounds = [...(least === -Infinity ? [] : [`≥ ${least}`]), ...(most === Infinity ? [] : [`≤ ${most}`])]
      return `${isKept ? "ok" : "MISSED"}: ${figure} ${bounds.join(", ")}`
    })
    if (isJson) return void process.stdout.write(`${JSON.stringify({ name, figures, verdicts })}\n`)
    const names = Object.keys(figures)
    const cells = (texts: ReadonlyArray<string>) =>
      texts.map((text, at) => text.padStart(Math.max(9, names[at]!.length))).join("  ")
    if (columns !== names.join()) print(`${"".padEnd(44)} ${cells(names)}`)
    columns = names.join()
    print(`${name.padEnd(44)} ${cells(Object.values(figures).map(number))}  ${verdicts.join("; ")}`.trimEnd())
  }
  return { print, row, isMissed: () => missed > 0 }
}

/** Runs a case with the words of a command line, and ends the process; a signal ends it as its own end does. */
export const runCase = async ({ options: defaults, run }: Case, words: ReadonlyArray<string>): Promise<never> => {
  const { values } = parseArgs({
    args: [...words],
    options: {
      json: { type: "boolean", default: false },
      short: { type: "boolean", default: false },
      dir: { type: "string", default: tmpdir() },
      ...Object.fromEntries(Object.keys(defaults).map((option) => [option, { type: "string" as const }])),
    },
  })
  const { json, short, dir, ...given } = values as {
    readonly json: boolean
    readonly short: boolean
    readonly dir: string
  }
  const options = Object.fromEntries(
    Object.entries(defaults).map(([option, each]) => {
      const otherwise = typeof each === "object" ? each[short ? 1 : 0] : each
      const value = (given as Readonly<Record<string, string>>)[option] ?? otherwise
      return [option, typeof otherwise === "number" ? Number(value) : value]
    }),
  )
  const folder = mkdtempSync(join(dir, "market-signals-bench-"))
  const { print, row, isMissed } = reporter(json, short)
  const end = async (): Promise<void> => {
    await stopAll()
    rmSync(folder, { recursive: true, force: true })
  }
  const failed = (error?: unknown): Promise<never> => {
    if (error !== undefined) process.stderr.write(`${inspect(error)}\n`)
    return end().then(() => process.exit(1))
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void failed())
  // Also where nobody waits for what failed, as in a timer.
  process.on("uncaughtException", failed)
  try {
    await run({ options: options as never, folder, print, row })
  } catch (error) {
    return failed(error)
  }
  await end()
  process.exit(isMissed() ? 1 : 0)
}

const names = readdirSync(new URL("cases", import.meta.url)).map((file) => file.replace(/\.ts$/, ""))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name = "", ...words] = process.argv.slice(2)
  if (!names.includes(name)) {
    process.stderr.write(`bench:load -- CASE [--OPTION VALUE] [--json] [--short], a case of: ${names.join(", ")}\n`)
    process.exit(2)
  }
  // Without await: a case imports this module, which has to end first.
  void import(`./cases/${name}.ts`).then(({ load }: { readonly load: Case }) => runCase(load, words))
}
