import { randomUUID } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as contracts from "../../../../adapters/lanes/markets/store/Contracts.ts"
import * as signer from "../../../../adapters/runtime/node/signer.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { practiceTicker } from "../../../../core/lanes/markets/challenge/fields.ts"
import { ContractStore } from "../../../../core/lanes/markets/ports.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../../../core/record/log/signCheckpoint.ts"
import { clockAt } from "../../../support/clock.ts"
import { contract, noon } from "../../../support/contracts.ts"
import { origin } from "../../../support/record.ts"
import { type Running, start } from "../../../support/running.ts"

const { ticker: market, closeTime: close } = contract()
const path = "/v1/bench/opinions"
const clock = clockAt(noon)

let service: Running
/** The proof of the opinion that was recorded first. */
let recorded = ""
beforeAll(async () => {
  service = await start({ markets: "live" }, { clock })
  await service.run(
    Effect.flatMap(ContractStore, ({ replace }) =>
      Effect.all([
        replace("kalshi", "weather", [contract(), contract({ ticker: "KXHIGHNY-26JUL12-B80" })], noon),
        replace("polymarket", "weather", [contract({ venue: "polymarket", ticker: "KXHIGHNY-26JUL12-B80" })], noon),
      ]),
    ).pipe(Effect.provide(contracts.layerStore)),
  )
})
afterAll(() => service.stop())

const post = (body: unknown, token = service.account.live.token, to = path, headers = {}) =>
  service.get(to, token, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  })

/** What opinions write, and what a call could cost. */
const written = () =>
  service.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<Record<string, number>>`
        SELECT (SELECT COUNT(*) FROM bench_opinions) AS opinions, (SELECT COUNT(*) FROM bench_models) AS models,
          (SELECT COUNT(*) FROM postings WHERE kind = 'charge') AS charges`
      const { opinions = 0, models = 0, charges = 0 } = row ?? {}
      return { opinions, models, charges, leaves: yield* (yield* RecordLog).size }
    }),
  )

const one = (row: Readonly<Record<string, unknown>>, model: unknown = "rain") => ({ model, opinions: [row] })
const many = (count: number) => ({
  model: "rain",
  opinions: Array.from({ length: count }, (_, at) => ({ market: `T${at}`, prob: 0.5 })),
})

/** Bodies, the field of the first hint, and words of it. */
const bad: ReadonlyArray<readonly [name: string, body: unknown, field: string, words: RegExp]> = [
  [
    "prob above 1",
    one({ market, prob: 1.000_001 }),
    "opinions",
    /^prob of item 1 of opinions must be a number from 0 to 1\.$/,
  ],
  ["prob below 0", one({ market, prob: -1e-9 }), "opinions", /from 0 to 1/],
  ["prob as text", one({ market, prob: "0.5" }), "opinions", /from 0 to 1, without quotes/],
  ["prob null, as JSON writes NaN", one({ market, prob: null }), "opinions", /from 0 to 1/],
  ["no prob", one({ market }), "opinions", /^Add prob of item 1 of opinions/],
  ["no market", one({ prob: 0.5 }), "opinions", /^Add market of item 1/],
  ["an empty market", one({ market: "", prob: 0.5 }), "opinions", /text of 1 to 200 characters/],
  ["a market with U+0000", one({ market: "a\u0000", prob: 0.5 }), "opinions", /U\+0000/],
  ["a misspelt field", one({ market, prob: 0.5, p: 1 }), "opinions", /Unknown field p in/],
  ["no opinions", { model: "rain" }, "opinions", /^Add opinions/],
  ["an empty list", { model: "rain", opinions: [] }, "opinions", /a JSON array of 1 to 100 objects/],
  ["101 opinions", many(101), "opinions", /a JSON array of 1 to 100 objects/],
  ["an object for the list", { model: "rain", opinions: { market, prob: 0.5 } }, "opinions", /a JSON array/],
  ["no model", { opinions: [{ market, prob: 0.5 }] }, "model", /^Add model/],
  ["a name of 2 characters", one({ market, prob: 0.5 }, "ab"), "model", /3 to 40 letters/],
  ["a name of 41 characters", one({ market, prob: 0.5 }, "a".repeat(41)), "model", /3 to 40 letters/],
  ["a name with a space", one({ market, prob: 0.5 }, "my model"), "model", /3 to 40 letters/],
  ["a name of markup", one({ market, prob: 0.5 }, "<b>rain</b>"), "model", /3 to 40 letters/],
  ["a name that begins with a dot", one({ market, prob: 0.5 }, ".rain"), "model", /the first a letter or digit/],
  ["a name that is a number", one({ market, prob: 0.5 }, 123), "model", /3 to 40 letters/],
  ["an unknown contract", one({ market: "KXNOTHING", prob: 0.5 }), "opinions.0.market", /No open contract/],
  ["the practice contract with a live key", one({ market: practiceTicker, prob: 0.5 }), "opinions.0.market", /No open/],
  ["a ticker of two venues", one({ market: "KXHIGHNY-26JUL12-B80", prob: 0.5 }), "opinions.0.venue", /kalshi and poly/],
  ["another venue", one({ market, venue: "polymarket", prob: 0.5 }), "opinions.0.venue", /is listed by kalshi/],
  [
    "a contract twice",
    {
      model: "rain",
      opinions: [one({ market, prob: 0.5 }), one({ market, venue: "kalshi", prob: 0.6 })].map((of) => of.opinions[0]),
    },
    "opinions.1.market",
    /opinions\.0 is on the same contract/,
  ],
  ["a misspelt parameter", { ...one({ market, prob: 0.5 }), modell: "rain" }, "modell", /Did you mean `model`/],
]

describe("POST /v1/bench/opinions", () => {
  it.each(bad)("refuses %s: a hint names the field, nothing is written or charged", async (_, body, field, words) => {
    const [before, balance] = [await written(), await service.balance()]
    const { status, json } = await post(body)
    assert.strictEqual(status, 400, JSON.stringify(json))
    assert.strictEqual(json.error.code, "invalid_request_body")
    assert.strictEqual(json.error.hints[0].field, field)
    assert.match(json.error.hints[0].suggestion, words)
    assert.deepStrictEqual([await written(), await service.balance()], [before, balance])
  })

  it("refuses a body that is no JSON, and a call without a key", async () => {
    const before = await written()
    assert.strictEqual((await post('{"model":"rain","opinions":[{"market":"x","prob":NaN}]}')).status, 400)
    assert.strictEqual((await post(one({ market, prob: 0.5 }), "")).status, 401)
    assert.strictEqual((await service.get(path)).status, 405)
    assert.deepStrictEqual(await written(), before)
  })

  it("quotes with dry_run and checks with a test key; neither writes", async () => {
    const before = await written()
    const quoted = await post({ ...one({ market, prob: 0.5 }), dry_run: true })
    assert.deepStrictEqual([quoted.status, quoted.json.results.quote.charged_micros], [200, 0])
    const tested = await post(one({ market: practiceTicker, prob: 0.5 }), service.account.test.token)
    assert.strictEqual(tested.status, 200)
    assert.strictEqual(tested.json.results.recorded, false)
    assert.strictEqual(tested.json.results.reason, "Test keys record nothing. Send the same request with a live key.")
    assert.doesNotHaveAnyKeys(tested.json.results.opinions[0], ["leaf_id", "next_capture_at"])
    const refused = await post(one({ market: "KXNOTHING", prob: 0.5 }), service.account.test.token)
    assert.deepStrictEqual([refused.status, refused.json.error.hints[0].field], [400, "opinions.0.market"])
    const gone = await post({ model: "my-model" }, service.account.test.token, "/v1/bench/withdraw")
    assert.strictEqual(gone.json.results.recorded, false)
    assert.deepStrictEqual(await written(), before)
  })

  it("says to a live key why a lane that is not live records nothing", async () => {
    const mock = await start({})
    try {
      const { json } = await mock.get(path, mock.account.live.token, {
        method: "POST",
        body: JSON.stringify(one({ market: practiceTicker, prob: 0.5 })),
        headers: { "content-type": "application/json" },
      })
      assert.strictEqual(json.results.recorded, false)
      assert.match(json.results.reason, /not live.*operator sets DATA_FRESHNESS_MARKETS=live/)
    } finally {
      await mock.stop()
    }
  })

  it("records, once under one Idempotency-Key, without an entity tag", async () => {
    const before = await written()
    const key = { "idempotency-key": randomUUID(), "if-none-match": "*" }
    const first = await post(one({ market, prob: 0.25 }, "Rain.V1"), undefined, path, key)
    assert.strictEqual(first.status, 200, first.text)
    assert.isNull(first.headers.get("etag"))
    const { results } = first.json
    assert.deepInclude(results, { model: "rain.v1", recorded: true, count: 1, shared_rows: 0, opinions_left: 999 })
    const [{ leaf_id, ...said }] = results.opinions
    assert.deepStrictEqual(said, {
      ...{ market, venue: "kalshi", prob: 0.25, close_time: new Date(close).toISOString() },
      next_capture_at: new Date(noon + 3_600_000).toISOString(),
    })
    assert.notProperty(results, "reason")
    assert.match(first.text, /compared with captures .* not older than it/)
    const again = await post(one({ market, prob: 0.25 }, "Rain.V1"), undefined, path, key)
    assert.strictEqual(again.headers.get("x-idempotent-replay"), "true")
    assert.strictEqual(again.json.results.opinions[0].leaf_id, leaf_id)
    const after = await written()
    assert.deepStrictEqual(after, {
      ...before,
      opinions: before.opinions + 1,
      models: before.models + 1,
      leaves: before.leaves + 1,
    })

    // Sealed: its author alone reads it before the close.
    await service.run(Effect.provide(signCheckpoint, signer.layerMemory(origin)))
    const proof = `/v1/proof/inclusion?leaf=${leaf_id}`
    const other = await service.run(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { id } = yield* accounts.create("other")
        const { plaintext } = yield* accounts.issueKey({ account: id, environment: "live", tier: "pro" })
        return Redacted.value(plaintext)
      }),
    )
    for (const token of ["", other]) {
      const { json } = await service.get(proof, token)
      assert.notProperty(json.leaf, "text")
      assert.strictEqual(json.leaf.sealed_until, new Date(close).toISOString())
    }
    const own = JSON.parse((await service.get(proof)).json.leaf.text)
    assert.deepStrictEqual([own.kind, own.body.model, own.body.p], ["opinion", "rain.v1", 250_000])
    const taken = await post(one({ market, prob: 0.3 }, "RAIN.v1"), other)
    assert.strictEqual(taken.json.error.hints[0].suggestion, "The name rain.v1 belongs to another account.")
    recorded = proof
  })

  it("lists the open contracts, and shows the model on the scoreboard's page, withdrawn too", async () => {
    const { json } = await service.get("/v1/bench/contracts?domain=weather")
    assert.sameMembers(
      json.results.contracts.map((row: { readonly venue: string; readonly market: string }) => row.venue + row.market),
      [`kalshi${market}`, "kalshiKXHIGHNY-26JUL12-B80", "polymarketKXHIGHNY-26JUL12-B80"],
    )
    await post(one({ market, prob: 0.5 }, "storm"))
    const page = async () => (await (await fetch(`${service.url}/scoreboard`)).text()).replace(/<[^>]+>/g, " ")
    assert.include(await page(), "storm")
    const gone = await post({ model: "storm" }, undefined, "/v1/bench/withdraw")
    assert.deepInclude(gone.json.results, { status: "withdrawn", withdrawn_at: new Date(noon).toISOString() })
    assert.match(await page(), /storm\s+\(withdrawn\)/)
    const { json: models } = await service.get("/v1/bench/models", "")
    const storm = models.models.find(({ model }: { readonly model: string }) => model === "storm")
    assert.deepInclude(storm, { status: "withdrawn", shared_rows: 0 })
    assert.notProperty(storm, "brier")
    const late = await post(one({ market, prob: 0.6 }, "storm"))
    assert.match(late.json.error.hints[0].suggestion, /was withdrawn permanently at/)
  })

  it("shows the text of an opinion to everybody from the close on", async () => {
    clock.set(close)
    assert.include((await service.get(recorded, "")).json.leaf.text, '"p":250000')
  })
})
