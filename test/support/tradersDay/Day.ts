import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { parse } from "csv-parse/sync"
import type { LiveServer } from "../liveServer.ts"

/** A contract at the minute of the question, as the board answered, with what came of it. */
export interface Row {
  readonly contract: string
  readonly model: number
  readonly price: number
  readonly pooled: number
  readonly gain: number
  readonly side: "yes" | "no"
  /** Ask and fee of the side on which the model says more, dollars. */
  readonly cost: number
  readonly result: "yes" | "no"
}

/** A day of a lane, as the page tells it. */
export interface Day {
  readonly heading: string
  /** What was recorded, and what stands for what was not. */
  readonly told: string
  readonly rows: ReadonlyArray<Row>
  /** What was asked and charged, what was recommended, what came of it. */
  readonly ended: ReadonlyArray<string>
}

/** The rows of a recorded file, plain or gzip. */
export const rowsIn = (file: string): ReadonlyArray<Readonly<Record<string, string>>> => {
  const bytes = readFileSync(file)
  return parse((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString(), { columns: true, bom: true })
}

export const usd = (value: number): string => `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)} USD`

/** Runs jobs. One fails the day unless it lacks what was never recorded. */
export const ran = async ({ jobs }: LiveServer, names: ReadonlyArray<string>, lacking: ReadonlyArray<string> = []) => {
  const failed = (await jobs(names)).filter((each) => !lacking.some((name) => each.startsWith(`${name}: `)))
  if (failed.length > 0) throw new Error(failed.join("\n"))
}

/** The results of a call that must be answered. */
export const answered = async ({ server }: LiveServer, path: string) => {
  const { status, json, text } = await server.get(path)
  if (status !== 200) throw new Error(`${path}: ${text}`)
  return json
}

interface Money {
  readonly trades: number
  readonly wins: number
  readonly pnl_after_fees: number
}

/** What was asked of a domain's board, and the settled rows after `settle`, which moves the time. */
export const asked = async (live: LiveServer, domain: string, settle: () => Promise<void>) => {
  const board = await answered(live, `/v1/markets/edge?domain=${domain}&min_edge=0&verbose=true`)
  await settle()
  const settled = await answered(live, `/v1/markets/settled?domain=${domain}&limit=100&verbose=true`)
  const { hypothetical } = await answered(live, "/v1/markets/performance")
  const rows = board.results.edges.map((edge: Readonly<Record<string, number | string>>): Row => {
    const { result, source_result } = settled.rows.find(
      (row: Readonly<Record<string, string>>) => row["market_ticker"] === edge["market"],
    )
    if (result !== source_result)
      throw new Error(`${edge["market"]}: ${result} by the venue, ${source_result} by the source.`)
    const ask = edge["side"] === "yes" ? edge["yes_ask"] : edge["no_ask"]
    return {
      contract: String(edge["title"]),
      ...{ model: Number(edge["model_prob"]), price: Number(edge["market_prob"]), pooled: Number(edge["pooled_prob"]) },
      ...{ gain: Number(edge["expected_gain"]), side: edge["side"] as "yes" | "no", result },
      cost: Number(ask) + Number(edge["fee_per_contract"]),
    }
  })
  const lines: ReadonlyArray<string> = board._reasoning
  return {
    rows: rows as ReadonlyArray<Row>,
    call: `The call cost ${board._meta.price.display}.`,
    /** What the weight is, and over how many rows. */
    weight: lines.find((line) => line.startsWith("Expected gain"))!.replace(/^.*? price\. /, ""),
    hypothetical: hypothetical as Money & { readonly pool: Money },
  }
}
