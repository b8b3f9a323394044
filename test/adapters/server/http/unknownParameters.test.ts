import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { maxUnknown } from "../../../../core/endpoint/decode.ts"
import type * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { endpoints as proofs } from "../../../../core/record/log/endpoints.ts"
import { requestOf } from "../../../support/requests.ts"
import { type Running, start } from "../../../support/running.ts"
import { connect } from "../mcp/clients.ts"

interface Hint {
  readonly field: string
  readonly action: string
  readonly suggestion: string
}

let service: Running
beforeAll(async () => {
  service = await start({}, { balance: 10_000_000 })
})
afterAll(() => service.stop())

/** An agent's key with a lifetime cap. */
const agentKey = (budgetCap: number) =>
  service.run(
    Effect.gen(function* () {
      const name = `agent ${crypto.randomUUID()}`
      const agent = yield* (yield* Agents).create(service.account.id, name, { budgetCap: MicroUsd(budgetCap) })
      const accounts = yield* Accounts
      const request = { account: service.account.id, environment: "live", tier: "pro", agent: agent.id } as const
      return Redacted.value((yield* accounts.issueKey(request)).plaintext)
    }),
  )

const settlement = "/v1/weather/settlement?station=KNYC"

describe("unknown parameters", () => {
  it.each<[string, ReadonlyArray<readonly [field: string, action: string, near?: string]>]>([
    ["&dya=2026-11-01", [["dya", "change", "day"]]],
    [
      "&dat=2026-11-01&feilds=station",
      [
        ["dat", "change", "day"],
        ["feilds", "change", "fields"],
      ],
    ],
    [
      "&verbos=true&utm_source=x",
      [
        ["verbos", "change", "verbose"],
        ["utm_source", "remove"],
      ],
    ],
    ["&utm_source=x&utm_source=y", [["utm_source", "remove"]]],
    [
      "&limit=10&cursor=x",
      [
        ["limit", "remove"],
        ["cursor", "remove"],
      ],
    ],
    ["&idempotency_key=11111111-1111-4111-8111-111111111111", [["idempotency_key", "remove"]]],
    ["&Day=2026-11-01", [["Day", "change", "day"]]],
    [
      "&__proto__=1&constructor=2",
      [
        ["__proto__", "remove"],
        ["constructor", "remove"],
      ],
    ],
    ["&=1", [["", "remove"]]],
  ])("%s: each is named, with the parameter that was meant", async (query, expected) => {
    const [before, charges] = [await service.balance(), await service.charges()]
    const { status, json } = await service.get(settlement + query)
    assert.deepStrictEqual([status, json.error.code], [400, "invalid_parameter"])
    const hints = json.error.hints as ReadonlyArray<Hint>
    assert.deepStrictEqual(
      hints.map(({ field, action }) => [field, action]),
      expected.map(([field, action]) => [field, action]),
    )
    for (const [at, [field, , near]] of expected.entries()) {
      const { suggestion } = hints[at]!
      assert.isTrue(suggestion.startsWith(`Unknown parameter ${field}. `), suggestion)
      if (near === undefined) assert.include(suggestion, "Known: station, day, fields, verbose, include, dry_run.")
      else assert.include(suggestion, `Did you mean \`${near}\`?`)
    }
    assert.deepStrictEqual([await service.balance(), await service.charges()], [before, charges])
  })

  it("are reported together with every other mistake", async () => {
    const { json } = await service.get("/v1/weather/settlement?statoin=KNYC&day=tomorrow")
    assert.deepStrictEqual(
      (json.error.hints as ReadonlyArray<Hint>).map(({ field, action }) => [field, action]),
      [
        ["statoin", "change"],
        ["station", "add"],
        ["day", "change"],
      ],
    )
  })

  it("are refused by every endpoint of the catalogue and of the record, also by HEAD", async () => {
    const all = [...catalogue.entries.map(({ endpoint }) => endpoint as Endpoint.Any), ...Object.values(proofs)]
    assert.isAtLeast(all.length, 20)
    const charges = await service.charges()
    for (const endpoint of all) {
      const { path, example, auth } = endpoint
      const [target, init] = requestOf(endpoint, { ...(example as object), zzzzzzzzzz: "1" })
      const key = auth === "none" ? "" : service.account.live.token
      const { status, json } = await service.get(target, key, init)
      assert.deepStrictEqual([path, status, json.error.hints[0].field], [path, 400, "zzzzzzzzzz"])
    }
    assert.strictEqual(await service.charges(), charges)
    const head = await service.get(`${settlement}&dya=1`, undefined, { method: "HEAD" })
    assert.strictEqual(head.status, 400)
  })

  it("take nothing from an agent's cap, and free their Idempotency-Key", async () => {
    const key = await agentKey(1_000)
    const headers = { "idempotency-key": crypto.randomUUID() }
    for (let n = 0; n < 3; n++) {
      assert.strictEqual((await service.get(`${settlement}&dya=2026-11-01`, key, { headers })).status, 400)
    }
    const { status, json } = await service.get(settlement, key, { headers })
    assert.deepStrictEqual([status, json._meta.price.charged_micros], [200, 1_000])
    assert.strictEqual((await service.get("/v1/weather/settlement?station=KMIA", key)).status, 429)
  })

  it("are refused in a body, a plan and a planned call", async () => {
    const plan = async (body: unknown) => {
      const response = await fetch(`${service.url}/v1/plan/estimate`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.account.live.token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      })
      // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire brought
      return { status: response.status, json: (await response.json()) as any }
    }
    const calls = [{ endpoint: "weather_settlement", params: { station: "KNYC" } }]
    const top = await plan({ calls, call: [] })
    assert.deepStrictEqual([top.status, top.json.error.code], [400, "invalid_request_body"])
    assert.strictEqual(top.json.error.hints[0].suggestion, "Unknown parameter call. Did you mean `calls`?")
    const nested = await plan({ calls: [{ endpoint: "weather_settlement", parms: { station: "KNYC" } }] })
    assert.deepStrictEqual(
      [nested.status, nested.json.error.hints],
      [
        400,
        [
          {
            field: "calls",
            action: "remove",
            suggestion: "Unknown field parms in item 1 of calls. Known: endpoint, params.",
          },
        ],
      ],
    )
    const planned = await plan({ calls: [{ endpoint: "weather_settlement", params: { station: "KNYC", dya: "x" } }] })
    const [line] = planned.json.results.calls
    assert.deepStrictEqual([planned.status, line.ok, line.code], [200, false, "invalid_parameter"])
    assert.match(line.message, /Unknown parameter dya\.$/)
  })

  it("in thousands, and long ones, cost a small answer", async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => `&a${at.toString(36)}`).join("")
    const { status, text, json } = await service.get(`/v1/weather/stations?${many}`.slice(0, 8_000))
    const hints = json.error.hints as ReadonlyArray<Hint>
    assert.deepStrictEqual([status, hints.length], [400, maxUnknown + 1])
    assert.match(hints.at(-1)!.suggestion, /^\d{3,4} more unknown parameters\.$/)
    assert.isBelow(text.length, 8_000)
    const long = await service.get(`/v1/weather/stations?${"z".repeat(5_000)}=1`)
    assert.strictEqual(long.json.error.hints[0].field, `${"z".repeat(40)}…`)
    assert.isBelow(long.text.length, 1_000)
  })

  it("an option of keyed endpoints is unknown where no key is needed", async () => {
    for (const name of ["include=_suggestions", "dry_run=true"])
      assert.strictEqual((await service.get(`/v1/mlb/performance?${name}`, "")).status, 400, name)
    assert.strictEqual((await service.get("/v1/mlb/performance?verbose=true&fields=trained_at", "")).status, 200)
  })
})

describe("unknown arguments of tools", () => {
  it("are refused before the charge, as over HTTP", async () => {
    const client = await connect(service.url, "2025-11-25", service.account.live.token)
    const ask = async (name: string, args: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name, arguments: args })
      const [{ text }] = content as unknown as readonly [{ text: string }]
      return { isError, body: JSON.parse(text) }
    }
    const charges = await service.charges()
    const key = { idempotency_key: crypto.randomUUID() }
    const wrong = await ask("weather_settlement", { station: "KNYC", dya: "2026-11-01", Verbose: true, ...key })
    assert.strictEqual(wrong.isError, true)
    assert.deepStrictEqual(
      wrong.body.error.hints.map(({ field, suggestion }: Hint) => [field, suggestion.split(". ")[1]]),
      [
        ["dya", "Did you mean `day`?"],
        ["Verbose", "Did you mean `verbose`?"],
      ],
    )
    assert.strictEqual((await ask("pricing", { cals: [] })).body.error.hints[0].field, "cals")
    const open = await ask("mlb_performance", key)
    assert.deepStrictEqual([open.isError, open.body.error.hints[0].field], [true, "idempotency_key"])
    assert.strictEqual(await service.charges(), charges)
    assert.isUndefined((await ask("weather_settlement", { station: "KNYC", ...key })).isError)
    assert.strictEqual(await service.charges(), charges + 1)
    await client.close()
  })
})

describe("codes in any case", () => {
  it.each([
    ["/v1/weather/settlement?station=knyc&fields=station.id", { station: { id: "KNYC" } }],
    ["/v1/weather/settlement?station=Knyc&fields=station.id", { station: { id: "KNYC" } }],
    ["/v1/crypto/spot?asset=eth&fields=asset", { asset: "ETH" }],
    ["/v1/nfl/injuries?team=jac&fields=team", { team: "JAX" }],
  ])("%s", async (path, results) => {
    const { status, json } = await service.get(path)
    assert.deepStrictEqual([status, json.results], [200, results])
  })

  it("a game's id too", async () => {
    const { results } = (await service.get("/v1/nfl/fair-line?team=kc&fields=game.game_id")).json
    const { game_id } = results.game
    const lower = await service.get(`/v1/nfl/fair-line?game_id=${game_id.toLowerCase()}&fields=game.game_id`)
    assert.deepStrictEqual([lower.status, lower.json.results], [200, results])
  })

  it("one call in two cases is one call to an Idempotency-Key", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() }
    const charges = await service.charges()
    const first = await service.get(settlement, undefined, { headers })
    const again = await service.get(settlement.replace("KNYC", "knyc"), undefined, { headers })
    assert.strictEqual(again.headers.get("x-idempotent-replay"), "true")
    assert.deepStrictEqual(again.json.results, first.json.results)
    assert.strictEqual(await service.charges(), charges + 1)
  })

  it("what is no code stays refused, with the codes there are", async () => {
    const { status, json } = await service.get("/v1/crypto/spot?asset=xbt")
    assert.deepStrictEqual(
      [status, json.error.hints[0].suggestion],
      [400, "asset must be one of BTC (Bitcoin), ETH (Ether)."],
    )
    const lane = await service.get("/v1/markets/settled?domain=football", "")
    assert.deepStrictEqual(
      [lane.status, lane.json.error.hints[0].suggestion],
      [400, "domain must be one of weather, nfl (football), mlb (baseball), crypto."],
    )
  })
})

describe("the way out of an error about access or money", () => {
  it("a missing key: the header", async () => {
    const { json } = await service.get(settlement, "")
    assert.deepStrictEqual(json.error.hints, [
      { field: "Authorization", action: "add", suggestion: "Send the header Authorization: Bearer <API key>." },
    ])
  })

  it("an empty wallet: the sum and where to credit it", async () => {
    const poor = await start({}, { balance: 400 })
    const { json } = await poor.get(settlement)
    const [hint] = json.error.hints
    assert.deepStrictEqual([json.error.code, hint.field, hint.action], ["insufficient_funds", "wallet", "add"])
    assert.include(hint.suggestion, json.error.quote.topup_url)
    assert.include(hint.suggestion, "0.0006 USD")
    await poor.stop()
  })

  it("a cap: when it resets, or that it does not", async () => {
    const lifetime = await service.get(settlement, await agentKey(1))
    assert.deepStrictEqual(
      [lifetime.json.error.code, lifetime.json.error.hints[0].field, lifetime.json.error.hints[0].action],
      ["agent_budget_exceeded", "budget_cap", "contact"],
    )
    const token = await service.run(
      Effect.gen(function* () {
        const agent = yield* (yield* Agents).create(service.account.id, "monthly", { monthlyCap: MicroUsd(1) })
        const accounts = yield* Accounts
        const request = { account: service.account.id, environment: "live", tier: "pro", agent: agent.id } as const
        return Redacted.value((yield* accounts.issueKey(request)).plaintext)
      }),
    )
    const before = new Date()
    const { json } = await service.get(settlement, token)
    const [hint] = json.error.hints
    assert.deepStrictEqual([hint.field, hint.action], ["monthly_cap", "wait"])
    const resets = new Date(/\d{4}-\d{2}-01T00:00:00\.000Z/.exec(hint.suggestion)![0])
    assert.isAbove(resets.getTime(), before.getTime())
    assert.approximately(json.error.retry_after_ms, resets.getTime() - before.getTime(), 60_000)
  })
})
