// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what the wire brought
import { createHash, createHmac } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import { publishedOf, refusals } from "../../../bench/tools/schemas.ts"
import { contractOf } from "../../../bench/tools/surface.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { nextAttemptAt, standard } from "../../../core/events/retry.ts"
import * as Signature from "../../../core/events/signature.ts"
import { codes } from "../../../core/Failure.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { stations } from "../../../core/lanes/weather/endpoints.ts"
import { type Check, cellsOf, elsewhere, except, heads, notShown, now, type Row, row, untested } from "./app.ts"
import { answers410, emptyWallet, fairLine, keyed, nextGame, proofs, settled, settlement, signal } from "./calls.ts"
import * as tables from "./tableData.ts"

/** The signature of a delivery, recomputed. */
const signature: Check = async () => {
  const [body, secret] = ['{"id":"1"}', "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]
  const headers = await Effect.runPromise(
    Effect.provide(Signature.headers({ id: "1", at: now, body, secrets: [Redacted.make(secret)] }), secrets.layer),
  )
  const expected = createHmac("sha256", secret).update(body).digest("hex")
  assert.strictEqual(headers["x-service-signature"], expected)
  assert.match(expected, /^[0-9a-f]{64}$/)
}

/** Every code of the interface is there, with a status and a text of its own. */
const keptCodes: Check = () => {
  // What each code means by its status, as the interface and every release so far have it.
  for (const [code, { status, message, docs }] of Object.entries(codes)) {
    assert.isTrue(status >= 400 && status < 600 && message !== "" && docs !== "", code)
  }
  assert.includeMembers(
    Object.keys(codes),
    tables.errors.map((line) => cellsOf(line)[0]!),
  )
}

/** Keys, events, errors and versions. */
export const accounts: ReadonlyArray<Row> = [
  row("Keyed endpoints use a Bearer API key in header `Authorization: Bearer <API_KEY>`.", async ({ url, account }) => {
    const { status } = await fetch(url + settlement, { headers: { Authorization: `Bearer ${account.live.token}` } })
    assert.strictEqual(status, 200)
  }),
  row("OAuth applies to the dashboard only, never to the API surface.", async ({ open }) => {
    const schemes = Object.values<any>((await open("/openapi.json")).components.securitySchemes)
    assert.deepStrictEqual(
      schemes.map(({ type, scheme }) => [type, scheme]),
      [["http", "bearer"]],
    )
  }),
  row("Keys are stored SHA-256 hashed; the plaintext is shown once at creation.", async ({ account, run }) => {
    const rows = await run(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM api_keys WHERE id = ${account.live.id}`),
    )
    const text = JSON.stringify(rows)
    assert.include(text, createHash("sha256").update(account.live.token).digest("hex"))
    assert.notInclude(text, account.live.token)
    const shown = await run(Effect.flatMap(Accounts, (accounts) => accounts.key(account.live.id)))
    assert.notInclude(JSON.stringify(shown), account.live.token)
  }),
  row(
    "Per-agent keys are supported: each agent has its own monthly cap, budget cap, audit trail and a pause/revoke switch that acts within one second.",
    async ({ customer, get, run, later }) => {
      await customer("crew", 100_000)
      const agents = <A, E>(use: (all: typeof Agents.Service) => Effect.Effect<A, E>) =>
        run(Effect.flatMap(Agents, use))
      await agents((all) =>
        all.create("crew", "deckhand", { monthlyCap: MicroUsd(50_000), budgetCap: MicroUsd(60_000) }),
      )
      const key = await run(
        Effect.flatMap(Accounts, (accounts) =>
          Effect.map(
            accounts.issueKey({ account: "crew", environment: "live", tier: "pro", agent: "deckhand" }),
            ({ plaintext }) => Redacted.value(plaintext),
          ),
        ),
      )
      assert.strictEqual((await get(settlement, key)).status, 200)
      assert.lengthOf(await agents((all) => all.audit("deckhand", 10)), 1)
      for (const [act, status, code] of [
        ["pause", 403, "agent_paused"],
        ["resume", 200, undefined],
        ["revoke", 401, "invalid_api_key"],
      ] as const) {
        await agents((all) => all[act]("deckhand"))
        later(1_000)
        const answer = await get(settlement, key)
        assert.deepStrictEqual([answer.status, answer.json.error?.code], [status, code])
      }
    },
  ),
  elsewhere(
    "Keys come from the dashboard.",
    "test/long/browser/journeys/key.ts",
    'getByRole("button", { name: "Create key" })',
  ),
  row("Calls are charged from a prepaid wallet; no seats.", async ({ customer, get, run }) => {
    const key = await customer("noSeats", 2_000)
    const statuses = [
      await get(settlement, key),
      await get(`${settlement}&day=2025-01-02`, key),
      await get(`${settlement}&day=2025-01-03`, key),
    ]
    assert.deepStrictEqual(
      statuses.map(({ status }) => status),
      [200, 200, 402],
    )
    const { balance } = await run(Effect.flatMap(Accounts, (accounts) => accounts.balance("noSeats")))
    assert.strictEqual(balance, 0)
  }),
  row(
    "Endpoints marked auth `none` (the three Proof endpoints and `/v1/markets/settled`) need no key.",
    async ({ open }) => {
      for (const path of proofs) await open(path)
    },
  ),
  row(
    "Endpoints priced free with auth `key` (stations, spot) need any valid key.",
    async ({ account, ask, refused }) => {
      for (const path of ["/v1/weather/stations", "/v1/crypto/spot"]) {
        for (const { token } of [account.live, account.test]) assert.strictEqual((await ask(path, token)).status, 200)
        await refused(path, 401, "missing_authorization", "")
      }
    },
  ),
  row(
    "Errors: missing header gives 401 `missing_authorization`; a token not starting with `svk_test_` or `svk_live_` gives 401 `invalid_api_key_format`; an unknown or revoked key gives 401 `invalid_api_key`.",
    async ({ account, refused, run }) => {
      await refused(settlement, 401, "missing_authorization", "")
      await refused(settlement, 401, "invalid_api_key_format", "sk_live_abc")
      const revoked = await run(
        Effect.flatMap(Accounts, (accounts) =>
          Effect.flatMap(
            accounts.issueKey({ account: account.id, environment: "live", tier: "pro" }),
            ({ key, plaintext }) => Effect.as(accounts.revokeKey(key.id), Redacted.value(plaintext)),
          ),
        ),
      )
      await refused(settlement, 401, "invalid_api_key", revoked)
    },
  ),
  row("Webhook authenticity uses an HMAC signature (see Events).", signature),
  elsewhere(
    "The service sends webhooks.",
    "test/adapters/server/http/webhooks.test.ts",
    "are made, listed, tested, paused, rotated and deleted",
  ),
  row(
    "Each delivery carries an HMAC-SHA256 signature in header `X-Service-Signature`: the lowercase hex digest of the raw request body keyed with the webhook secret (<SIGNING_SECRET>).",
    signature,
  ),
  untested(
    "Receivers verify it with a constant-time comparison before processing.",
    "Is the receivers' duty. The snippets of the webhooks' page compare in constant time; test/adapters/server/http/webhooks.test.ts runs them.",
  ),
  row("Failed deliveries are retried with exponential backoff for up to 24 hours, then dead-lettered.", () => {
    const { offsetsMs, windowMs } = standard
    assert.strictEqual(windowMs, 24 * 3_600_000)
    for (const [at, offset] of offsetsMs.slice(2).entries()) assert.isAtLeast(offset, 2 * offsetsMs[at + 1]! * 0.9)
    let [at, attempts] = [0, 0]
    for (let failures = 1; ; failures++) {
      const due = nextAttemptAt(standard, { failures, startedAt: at, finishedAt: at, expiresAt: windowMs }, 0.5)
      attempts = failures
      if (due === undefined) break
      at = due
    }
    assert.isAtMost(at, windowMs)
    assert.strictEqual(attempts, offsetsMs.length)
  }),
  elsewhere(
    "Delivery is at-least-once; every event has a UUID and receivers dedupe on it.",
    "test/adapters/server/webhooks/worker.test.ts",
    "that always fails is tried on schedule for a day, with the same bytes, and is then a dead letter",
  ),
  elsewhere(
    "The dashboard replays events; the last 100 events are kept.",
    "test/long/browser/webhooks.test.ts",
    "is tried again, becomes a dead letter, and is delivered by a replay",
  ),
  row("Error codes never change meaning; new codes are added and old ones are not repurposed.", keptCodes),
  row("An empty wallet returns HTTP 402 with a quote.", emptyWallet),
  row("The version is in the path prefix `/v1`; `_meta.version` reports it.", async ({ ask }) => {
    for (const path of keyed)
      assert.deepStrictEqual([path.slice(0, 4), (await ask(path)).json._meta.version], ["/v1/", "v1"])
  }),
  row("Field names, types and the envelope are stable.", () => {
    // What breaks readers of the published schemas is refused once they are released.
    const contract = contractOf(catalogue)
    const first = { version: "1.0.0", date: "2026-12-01", added: [], changed: [], deprecated: [], removed: [] }
    const { _meta, ...answer } = (contract.schemas["WeatherSettlementAnswer"] as any).properties
    const schemas = { ...contract.schemas, WeatherSettlementAnswer: { type: "object", properties: answer } }
    assert.include(
      refusals(
        [first],
        contract,
        { ...contract, schemas },
        { "1.0.0": publishedOf(first, contract) },
        "2027-12-01",
      ).join(),
      "`WeatherSettlementAnswer._meta` removed: breaking",
    )
  }),
  elsewhere(
    "Switching from mock to real data (`data_freshness` mock, shadow, live) is a server-side change that leaves client code unchanged.",
    "test/services/jobs.test.ts",
    "answers as the mock does, marked as shadow, and reports the comparison",
  ),
  except(
    "Breaking changes ship with at least 90 days of deprecation notice, announced through the `Deprecation` and `Sunset` response headers and a Deprecated section of a public schema changelog.",
    "2026-11-27",
    "Nothing is published before 1.0.0 of the schemas, and until then they change without notice. From its release on a breaking change is refused.",
    async ({ url }) => {
      assert.match(await (await fetch(`${url}/schemas/changelog`)).text(), /^## Deprecated$/m)
      assert.throws(
        () => Endpoint.declare({ ...stations, deprecation: { since: "2026-01-01", sunset: "2026-03-31" } }),
        /90 days/,
      )
    },
  ),
  except(
    "The public machine-readable schemas are published under the MIT licence, tagged with semantic versions, with a minimum 90-day deprecation timeline.",
    "2026-11-27",
    'Published with the release that dates 1.0.0: until then its day is "unreleased".',
    async ({ open }) => {
      const { license, version } = await open("/schemas/v1")
      assert.strictEqual(license, "MIT")
      assert.match(version, /^\d+\.\d+\.\d+$/)
    },
  ),
  row("Error codes keep their meaning forever; new codes may be added.", keptCodes),
  row(
    "Endpoints that were earlier listed as in development and later withdrawn answer 410 `not_offered` (see What the service does).",
    answers410,
  ),
  row(
    "Model versions appear in responses (`model_version`) and identify the model that produced a prediction.",
    async (app) => {
      const { prediction } = await app.results(fairLine)
      const odds = await app.results(`/v1/mlb/fair-odds?game_pk=${await nextGame(app)}`)
      const { model_version } = await app.open("/v1/nfl/performance")
      assert.strictEqual(prediction.model_version, model_version)
      assert.strictEqual(odds.prediction.model_version, (await app.open("/v1/mlb/performance")).model_version)
      for (const row of (await app.open(settled)).rows) assert.isNotEmpty(row.model_version)
      assert.property(await app.results(`${signal}&verbose=true`), "model_version")
    },
  ),
  ...heads(
    "Key prefixes:",
    "Delivery rules:",
    "Error body: the error envelope (see Resources).",
    "HTTP status and code:",
    "Additional rules:",
  ),
  ...notShown(
    "The regime and job events belong to endpoints that are not offered; whether they are still emitted: not shown.",
    "Event payload shape: not shown.",
    "How webhook endpoints and secrets are registered: not shown beyond the dashboard.",
    "Its error code and the quote's fields: not shown.",
    "Whether the 410 body uses the error envelope beyond the code: not shown.",
    "Errors for invalid parameters of catalogue endpoints (unknown station, malformed date, out-of-range number, missing required parameter): not shown.",
    "Whether rate limits apply to unauthenticated Proof calls: not shown.",
  ),
]
