import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { withAccount } from "../../core/lanes/account/Account.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { asOperator, type HostileServer } from "./hostileServer.ts"
import { requestOf } from "./requests.ts"

/** Instants at which a day, a month or an hour of the calendar turns. */
export const turns: Readonly<Record<string, number>> = {
  "the end of a leap day and of its month": Date.UTC(2028, 2, 1),
  "the begin of a leap day": Date.UTC(2028, 1, 29),
  "the end of a year": Date.UTC(2027, 0, 1),
  "New York's clocks going forward": Date.UTC(2027, 2, 14, 7),
  "New York's clocks going back": Date.UTC(2027, 10, 7, 6),
  "New York's midnight in standard time, during daylight time": Date.UTC(2027, 5, 15, 5),
}

// biome-ignore lint/suspicious/noExplicitAny: the wire brings it
type Json = any

/** An answer to a call, and when it came by the server's clock. */
interface Answer {
  readonly endpoint: string
  readonly at: number
  readonly status: number
  readonly requestId: string
  readonly charged: number
  readonly isReplayed: boolean
  readonly body: Json
}

const { entries } = withAccount(catalogue, false)
/** Endpoints with a key whose example is asked; those that write are asked elsewhere. */
const questions = entries.filter(({ endpoint }) => endpoint.auth === "key" && endpoint.writes === undefined)

/** Not by the product, whose own month is under test. */
const utcMonth = (at: number): string => new Date(at).toISOString().slice(0, 7)
const agentPrice = Endpoint.charge(catalogue.byId.get("weather_settlement")!.endpoint)
/** How long calls go on after the turn. */
const afterMs = 6_000
/** The agent's cap pays for this many calls a month. */
const affordable = 2

/** An account with money, a live key, and one of an agent with a cap a month: made over the admin API. */
const customer = async (server: HostileServer) => {
  const admin = (route: string, body?: object): Promise<Json> => asOperator(server, route, body)
  const credited = 1_000_000_000
  await admin("POST accounts", { name: "turner" })
  await admin("POST accounts/turner/credits", { micros: credited })
  await admin("POST accounts/turner/agents", { name: "capped", monthly_cap_micros: affordable * agentPrice })
  const key = async (more: object): Promise<string> =>
    (await admin("POST accounts/turner/keys", { environment: "live", tier: "enterprise", rpm: 1_000_000, ...more })).key
  return { admin, credited, plain: await key({}), agent: await key({ agent: "capped" }) }
}

/**
 * Calls of a server whose clock was moved, before and after a turn of the calendar; then the books of the operator.
 *
 * @param byMs what its clock shows less this machine's
 */
export const playTurn = async (server: HostileServer, turn: number, byMs: number): Promise<void> => {
  const now = (): number => Date.now() + byMs
  const { admin, credited, plain, agent } = await customer(server)
  const answers: Array<Answer> = []
  const call = async (id: string, key: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const { endpoint } = entries.find((each) => each.endpoint.id === id)!
    const [target, init] = requestOf(endpoint, endpoint.example as Readonly<Record<string, unknown>>)
    const response = await fetch(server.url + target, {
      ...init,
      headers: { ...init.headers, ...headers, authorization: `Bearer ${key}` },
    })
    const header = (name: string) => response.headers.get(name)
    const body = (await response.json()) as Json
    const isReplayed = header("x-idempotent-replay") === "true"
    const answer = {
      endpoint: id,
      at: now(),
      status: response.status,
      requestId: header("x-request-id")!,
      // A repeated answer states the price that the first one was charged.
      charged: isReplayed ? 0 : (body._meta?.price?.charged_micros ?? 0),
      isReplayed,
      body,
    }
    answers.push(answer)
    return answer
  }
  const settlement = "weather_settlement"
  const isCapped = async (): Promise<boolean> => {
    const { status, body } = await call(settlement, agent)
    if (status === 200) return false
    assert.equal(body.error.code, "agent_budget_exceeded")
    return true
  }

  // The month's cap is used up, and one call has a key that a later one repeats.
  for (let n = 0; n < affordable; n++) assert.equal(await isCapped(), false)
  assert.equal(await isCapped(), true)
  const repeated = { "idempotency-key": randomUUID() }
  const first = await call(settlement, plain, repeated)
  const round = async (): Promise<void> => {
    for (const { endpoint } of questions) await call(endpoint.id, plain)
  }
  await round()
  assert.ok(now() < turn, "the first round of calls took until after the turn")
  let next = 0
  while (now() < turn + afterMs) {
    await call(questions[next++ % questions.length]!.endpoint.id, plain)
    await pause(10)
  }
  await round()
  const again = await call(settlement, plain, repeated)
  assert.deepEqual(again.body.results, first.body.results)
  assert.equal(again.isReplayed, true)
  const isSameMonth = utcMonth(turn) === utcMonth(turn - 1)
  for (let n = 0; n < affordable; n++) assert.equal(await isCapped(), isSameMonth)
  assert.equal(await isCapped(), true)

  const refused = answers.filter(({ status, body }) => status !== 200 && body.error.code !== "agent_budget_exceeded")
  assert.deepEqual(refused, [])
  const sold = new Map(
    answers.filter(({ status }) => status === 200).map(({ requestId, charged }) => [requestId, charged]),
  )
  const spent = [...sold.values()].reduce((sum, micros) => sum + micros, 0)
  const { balance_micros } = await admin("GET accounts/turner/wallet")
  assert.equal(balance_micros, credited - spent)
  await agree(admin, [turn - 1, turn].map(utcMonth), sold, turn)
}

/** Every sold call is in the trail once, in the month and on the side of the turn on which it ended. */
const agree = async (
  admin: (route: string) => Promise<Json>,
  months: ReadonlyArray<string>,
  sold: ReadonlyMap<string, number>,
  turn: number,
): Promise<void> => {
  const sides = new Map<string, number>()
  const seen = new Set<string>()
  // An answer does not wait for its row.
  await pause(1_500)
  for (const month of new Set(months)) {
    for (let after = 0, isLast = false; !isLast; ) {
      const page = await admin(`GET audit/${month}?after=${after}`)
      for (const row of page.rows) {
        if (!sold.has(row.request_id) || row.status !== 200) continue
        const ended = Date.parse(row.at) + row.latency_ms
        assert.equal(utcMonth(ended), month, JSON.stringify(row))
        assert.equal(row.charged_micros, sold.get(row.request_id))
        assert.ok(!seen.has(row.request_id), `${row.request_id} is there twice`)
        seen.add(row.request_id)
        const side = ended < turn ? "before" : "after"
        sides.set(side, (sides.get(side) ?? 0) + 1)
      }
      isLast = page.next_after === undefined
      after = page.next_after
    }
  }
  assert.equal(seen.size, sold.size)
  for (const side of ["before", "after"]) assert.ok((sides.get(side) ?? 0) > 20, `${sides.get(side)} calls ${side}`)
}
