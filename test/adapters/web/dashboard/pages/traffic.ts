import { afterAll, assert, beforeAll } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { Agents } from "../../../../../core/account/Agents.ts"
import { Ledger } from "../../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../../core/account/Money.ts"
import * as Ulid from "../../../../../core/account/Ulid.ts"
import { ifDefined } from "../../../../../core/ifDefined.ts"
import { minute } from "../../../../../core/time.ts"
import { sum } from "../../../../support/accounts.ts"
import { clockAt } from "../../../../support/clock.ts"
import { type Running, start } from "../../../../support/running.ts"
import { otherAccount, signIn, type Visitor } from "../visitor.ts"

/** The turn of a month; the tests are ten minutes after it. */
export const turn = Date.UTC(2026, 10, 1)
export const balance = 50_000_000
export const count = 1_300

export let running: Running
export let owner: Visitor
export let viewer: Visitor
export let stranger: Visitor
export let operator: Visitor
export let agent: string

export interface Call {
  readonly id: string
  readonly at: number
  readonly charged: number
  readonly status: number
  readonly keyId: string
  readonly agentId: string | undefined
  readonly endpoint: string
}

export const written: Array<Call> = []

/** Calls of two days, half of them on each side of the month's turn, by two keys and an agent. */
const write = Effect.gen(function* () {
  const ledger = yield* Ledger
  const accounts = yield* Accounts
  const bot = yield* (yield* Agents).create("tester", "bot", {})
  agent = bot.id
  const { key } = yield* accounts.issueKey({ account: "tester", environment: "live", tier: "pro", agent: "bot" })
  written.length = 0
  for (let n = 0; n < count; n++) {
    const [keyId, agentId] = n % 3 === 0 ? [key.id, agent] : [running.account.live.id, undefined]
    const failed = n % 10 === 0
    const micros = MicroUsd(failed ? 0 : 1_000 + n)
    const at = turn - 10 * minute + Math.floor((n * 20 * minute) / count)
    const status = failed ? (n % 20 === 0 ? 404 : 500) : 200
    const id = `req_${Ulid.encode(at, new Uint8Array([n >> 8, n & 255, 1, 2, 3, 4, 5, 6, 7, 8]))}`
    const endpoint = n % 2 === 0 ? "weather_settlement" : "crypto_signal"
    const ids = { accountId: running.account.id, keyId }
    const agentOfCall = agentId === undefined ? {} : { agent: { id: agentId, paused: false } }
    const call = { at, requestId: id, endpoint, paramsHash: "", status, charged: micros, latencyMs: n % 90 }
    const code = status === 404 ? "not_found" : "internal_error"
    const verdict = yield* ledger.charge({
      caller: { ...ids, livemode: true, perMinute: 6_000, ...agentOfCall },
      listMicros: micros,
      chargedMicros: micros,
      audit: { ...ids, ...ifDefined("agentId", agentId), ...call, ...(failed ? { code } : {}) },
    })
    assert.strictEqual(verdict._tag, "Accepted")
    written.push({ id, at, charged: micros, status, keyId, agentId, endpoint })
  }
})

/** For a test file: the service with these calls. */
export const startTraffic = (): void => {
  beforeAll(async () => {
    running = await start({}, { balance, clock: clockAt(turn + 10 * minute) })
    await otherAccount(running, "other")
    owner = await signIn(running, { account: "tester" })
    viewer = await signIn(running, { account: "tester", name: "vic", role: "viewer" })
    stranger = await signIn(running, { account: "other", name: "sam" })
    operator = await signIn(running, { operator: true, name: "op" })
    await running.run(write as Effect.Effect<void, never, Ledger | Accounts | Agents>)
  }, 120_000)
  afterAll(() => running.stop())
}

export const micros = (text: string): number => Math.round(Number(text.replace("−", "-").replace("+", "")) * 1e6)

/** The amount and the number of the last row of the table with a caption. */
export const totalsOf = (html: string, caption: string) => {
  const from = html.indexOf(`<caption>${caption}`)
  assert.notStrictEqual(from, -1, caption)
  const foot = /<tfoot>([\s\S]*?)<\/tfoot>/.exec(html.slice(from))![1]!
  const cells = [...foot.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, text]) => text!)
  return { calls: Number(cells[1]!.replaceAll(",", "")), charged: micros(/^(\S+) USD$/.exec(cells[2]!)![1]!) }
}

/** The rows of a table: the text of each cell. */
export const rowsOf = (html: string, caption: string): ReadonlyArray<ReadonlyArray<string>> => {
  const table = html.slice(html.indexOf(`<caption>${caption}`))
  const body = /<tbody>([\s\S]*?)<\/tbody>/.exec(table)![1]!
  return [...body.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, text]) => text!.replace(/<[^>]*>/g, "").trim()),
  )
}

interface Line {
  readonly at: string
  readonly status: number
  readonly charged_micros: number
  readonly key_id: string
  readonly agent: string | null
  readonly endpoint: string
  readonly calls: number
}

export const ndjson = async (visitor: Visitor, query = ""): Promise<ReadonlyArray<Line>> => {
  const { status, html } = await visitor.get(`/dashboard/calls.ndjson${query}`)
  assert.strictEqual(status, 200)
  return html === ""
    ? []
    : html
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Line)
}

export const csv = async (path: string): Promise<ReadonlyArray<Readonly<Record<string, string>>>> => {
  const { html } = await owner.get(path)
  const [head, ...lines] = html
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","))
  return lines.map((cells) => Object.fromEntries(head!.map((name, at) => [name, cells[at]!])))
}

export const charges = (calls: ReadonlyArray<Call>) => sum(calls.map(({ charged }) => charged))
