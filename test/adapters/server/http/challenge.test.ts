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

const { ticker, closeTime: close } = contract()
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
  opinions: Array.from({ length: count }, (_, at) => ({ ticker: `T${at}`, p: 0.5 })),
})

/** Bodies, the field of the first hint, and words of it. */
const bad: ReadonlyArray<readonly [name: string, body: unknown, field: string, words: RegExp]> = [
  ["p above 1", one({ ticker, p: 1.000_001 }), "opinions", /^p of item 1 of opinions must be a number from 0 to 1\.$/],
  ["p below 0", one({ ticker, p: -1e-9 }), "opinions", /from 0 to 1/],
  ["p as text", one({ ticker, p: "0.5" }), "opinions", /from 0 to 1, without quotes/],
  ["p null, as JSON writes NaN", one({ ticker, p: null }), "opinions", /from 0 to 1/],
  ["no p", one({ ticker }), "opinions", /^Add p of item 1 of opinions/],
  ["no ticker", one({ p: 0.5 }), "opinions", /^Add ticker of item 1/],
  ["an empty ticker", one({ ticker: "", p: 0.5 }), "opinions", /text of 1 to 200 characters/],
  ["a ticker with U+0000", one({ ticker: "a\u0000", p: 0.5 }), "opinions", /U\+0000/],
  ["a misspelt field", one({ ticker, p: 0.5, prob: 1 }), "opinions", /Unknown field prob/],
  ["no opinions", { model: "rain" }, "opinions", /^Add opinions/],
  ["an empty list", { model: "rain", opinions: [] }, "opinions", /a JSON array of 1 to 100 objects/],
  ["101 opinions", many(101), "opinions", /a JSON array of 1 to 100 objects/],
  ["an object for the list", { model: "rain", opinions: { ticker, p: 0.5 } }, "opinions", /a JSON array/],
  ["no model", { opinions: [{ ticker, p: 0.5 }] }, "model", /^Add model/],
  ["a name of 2 characters", one({ ticker, p: 0.5 }, "ab"), "model", /3 to 40 letters/],
  ["a name of 41 characters", one({ ticker, p: 0.5 }, "a".repeat(41)), "model", /3 to 40 letters/],
  ["a name with a space", one({ ticker, p: 0.5 }, "my model"), "model", /3 to 40 letters/],
  ["a name of markup", one({ ticker, p: 0.5 }, "<b>rain</b>"), "model", /3 to 40 letters/],
  ["a name that begins with a dot", one({ ticker, p: 0.5 }, ".rain"), "model", /the first a letter or digit/],
  ["a name that is a number", one({ ticker, p: 0.5 }, 123), "model", /3 to 40 letters/],
  ["an unknown contract", one({ ticker: "KXNOTHING", p: 0.5 }), "opinions.0.ticker", /No open contract/],
  ["the practice contract with a live key", one({ ticker: practiceTicker, p: 0.5 }), "opinions.0.ticker", /No open/],
  ["a contract of two venues", one({ ticker: "KXHIGHNY-26JUL12-B80", p: 0.5 }), "opinions.0.venue", /kalshi and poly/],
  ["another venue", one({ ticker, venue: "polymarket", p: 0.5 }), "opinions.0.venue", /is listed by kalshi/],
  [
    "a contract twice",
    {
      model: "rain",
      opinions: [one({ ticker, p: 0.5 }), one({ ticker, venue: "kalshi", p: 0.6 })].map((of) => of.opinions[0]),
    },
    "opinions.1.ticker",
    /opinions\.0 is on the same contract/,
  ],
  ["a misspelt parameter", { ...one({ ticker, p: 0.5 }), modell: "rain" }, "modell", /Did you mean `model`/],
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
    assert.strictEqual((await post('{"model":"rain","opinions":[{"ticker":"x","p":NaN}]}')).status, 400)
    assert.strictEqual((await post(one({ ticker, p: 0.5 }), "")).status, 401)
    assert.strictEqual((await service.get(path)).status, 405)
    assert.deepStrictEqual(await written(), before)
  })

  it("quotes with dry_run and checks with a test key; neither writes", async () => {
    const before = await written()
    const quoted = await post({ ...one({ ticker, p: 0.5 }), dry_run: true })
    assert.deepStrictEqual([quoted.status, quoted.json.results.quote.charged_micros], [200, 0])
    const tested = await post(one({ ticker: practiceTicker, p: 0.5 }), service.account.test.token)
    assert.strictEqual(tested.status, 200)
    assert.strictEqual(tested.json.results.recorded, false)
    assert.strictEqual(
      tested.json.results.not_recorded,
      "Test keys record nothing. Send the same request with a live key.",
    )
    assert.doesNotHaveAnyKeys(tested.json.results.opinions[0], ["leaf_id", "next_capture_at"])
    const refused = await post(one({ ticker: "KXNOTHING", p: 0.5 }), service.account.test.token)
    assert.deepStrictEqual([refused.status, refused.json.error.hints[0].field], [400, "opinions.0.ticker"])
    const gone = await post({ model: "my-model" }, service.account.test.token, "/v1/bench/withdraw")
    assert.strictEqual(gone.json.results.recorded, false)
    assert.deepStrictEqual(await written(), before)
  })

  it("says to a live key why a lane that is not live records nothing", async () => {
    const mock = await start({})
    try {
      const { json } = await mock.get(path, mock.account.live.token, {
        method: "POST",
        body: JSON.stringify(one({ ticker: practiceTicker, p: 0.5 })),
        headers: { "content-type": "application/json" },
      })
      assert.strictEqual(json.results.recorded, false)
      assert.match(json.results.not_recorded, /not live.*operator sets DATA_FRESHNESS_MARKETS=live/)
    } finally {
      await mock.stop()
    }
  })

  it("records, once under one Idempotency-Key, without an entity tag", async () => {
    const before = await written()
    const key = { "idempotency-key": randomUUID(), "if-none-match": "*" }
    const first = await post(one({ ticker, p: 0.25 }, "Rain.V1"), undefined, path, key)
    assert.strictEqual(first.status, 200, first.text)
    assert.isNull(first.headers.get("etag"))
    const { results } = first.json
    assert.deepInclude(results, { model: "rain.v1", recorded: true, count: 1, shared_rows: 0, opinions_left: 999 })
    const [{ leaf_id, ...said }] = results.opinions
    assert.deepStrictEqual(said, {
      ...{ ticker, venue: "kalshi", p: 0.25, closes_at: new Date(close).toISOString() },
      next_capture_at: new Date(noon + 3_600_000).toISOString(),
    })
    assert.notProperty(results, "not_recorded")
    assert.match(first.text, /compared with captures .* not older than it/)
    const again = await post(one({ ticker, p: 0.25 }, "Rain.V1"), undefined, path, key)
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
    const taken = await post(one({ ticker, p: 0.3 }, "RAIN.v1"), other)
    assert.strictEqual(taken.json.error.hints[0].suggestion, "The name rain.v1 belongs to another account.")
    recorded = proof
  })

  it("lists the open contracts, and shows the model on the scoreboard's page, withdrawn too", async () => {
    const { json } = await service.get("/v1/bench/contracts?domain=weather")
    assert.sameMembers(
      json.results.contracts.map((row: { readonly venue: string; readonly ticker: string }) => row.venue + row.ticker),
      [`kalshi${ticker}`, "kalshiKXHIGHNY-26JUL12-B80", "polymarketKXHIGHNY-26JUL12-B80"],
    )
    await post(one({ ticker, p: 0.5 }, "storm"))
    const page = async () => (await (await fetch(`${service.url}/scoreboard`)).text()).replace(/<[^>]+>/g, " ")
    assert.include(await page(), "storm")
    const gone = await post({ model: "storm" }, undefined, "/v1/bench/withdraw")
    assert.deepInclude(gone.json.results, { status: "withdrawn", withdrawn_at: new Date(noon).toISOString() })
    assert.match(await page(), /storm\s+\(withdrawn\)/)
    const { json: models } = await service.get("/v1/bench/models", "")
    const storm = models.models.find(({ model }: { readonly model: string }) => model === "storm")
    assert.deepInclude(storm, { status: "withdrawn", shared_rows: 0 })
    assert.notProperty(storm, "brier")
    const late = await post(one({ ticker, p: 0.6 }, "storm"))
    assert.match(late.json.error.hints[0].suggestion, /was withdrawn permanently at/)
  })

  it("shows the text of an opinion to everybody from the close on", async () => {
    clock.set(close)
    assert.include((await service.get(recorded, "")).json.leaf.text, '"p":250000')
  })
})
