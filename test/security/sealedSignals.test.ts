import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll } from "vitest"
import { Accounts } from "../../core/account/Accounts.ts"
import { clockAt } from "../support/clock.ts"
import { fillTapes } from "../support/liveTape.ts"
import * as running from "../support/running.ts"

const hour = 3_600_000

const clock = clockAt(Date.UTC(2026, 10, 20, 12, 0, 30))
let server: running.Running
/** A signal that was bought, for four hours. */
let sold: Awaited<ReturnType<running.Running["get"]>>

beforeAll(async () => {
  server = await running.start({ crypto: "live" }, { clock })
  await server.run(fillTapes())
  sold = await server.get("/v1/crypto/signal?asset=BTC&horizon_minutes=240")
})
afterAll(() => server.stop())

const leaf = async (name: string, token = "") =>
  (await server.get(`/v1/proof/inclusion?leaf=${name}&size=1`, token)).json.leaf

describe.sequential("a paid signal is not free before its close", () => {
  it("nobody without its key reads a figure of it", async () => {
    const { spot, sigma_ln, p_above } = sold.json.results
    const figures = [spot, sigma_ln, ...p_above.map((row: { p_above: number }) => row.p_above)].map(String)
    for (const path of ["/v1/proof/leaves", "/v1/proof/inclusion?leaf=0&size=1"]) {
      const { text, status } = await server.get(path, "")
      assert.strictEqual(status, 200)
      for (const figure of figures) assert.notInclude(text, figure)
      for (const word of ["BTC", "crypto", sold.json._meta.request_id]) assert.notInclude(text, word)
    }
    const { leaf: text, sealed_until, id, hash } = JSON.parse((await server.get("/v1/proof/leaves", "")).text)
    assert.isUndefined(text)
    assert.strictEqual(sealed_until, new Date(clock.unsafeCurrentTimeMillis() + 4 * hour).toISOString())
    assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/)
    assert.match(hash, /^[0-9a-f]{64}$/)
  })

  it("its buyer reads it at once, by the id of the call, and nobody else by that id", async () => {
    const name = sold.json._meta.request_id
    const own = await leaf(name, server.account.live.token)
    assert.deepStrictEqual(JSON.parse(own.text).body.output.p_above, sold.json.results.p_above)
    // A test key of the account gets generated data, nothing that was sold.
    assert.isUndefined((await leaf("0", server.account.test.token)).text)
    const stranger = await server.run(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { id } = yield* accounts.create("stranger")
        const { plaintext } = yield* accounts.issueKey({ account: id, environment: "live", tier: "pro" })
        return Redacted.value(plaintext)
      }),
    )
    assert.isUndefined((await leaf("0", stranger)).text)
    for (const token of ["", stranger]) {
      const { status, json } = await server.get(`/v1/proof/inclusion?leaf=${name}&size=1`, token)
      assert.deepStrictEqual([status, json.error.code], [404, "not_found"])
    }
    const refused = await server.get(`/v1/proof/inclusion?leaf=${name}`, "svk_live_nonsense")
    assert.strictEqual(refused.status, 401)
  })

  it("no cache stores the buyer's answer", async () => {
    const { headers } = await server.get("/v1/proof/inclusion?leaf=0&size=1", server.account.live.token)
    assert.strictEqual(headers.get("cache-control"), "private, no-store")
    assert.include(headers.get("vary"), "Authorization")
  })

  it("two signals with the same figures have different hashes, which no guess reaches", async () => {
    await server.get("/v1/crypto/signal?asset=BTC&horizon_minutes=240")
    const [first, second] = await Promise.all(
      ["0", "1"].map(
        async (position) =>
          (await server.get(`/v1/proof/inclusion?leaf=${position}&size=2`, server.account.live.token)).json.leaf,
      ),
    )
    assert.notStrictEqual(first.hash, second.hash)
    const bodies = [first, second].map(({ text }) => JSON.parse(text))
    assert.deepStrictEqual(bodies[0].body.output, bodies[1].body.output)
    for (const { salt } of bodies) assert.match(salt, /^[\w-]{22}$/)
  })

  it("everybody reads it from its close on, and it is what was sold", async () => {
    clock.set(clock.unsafeCurrentTimeMillis() + 4 * hour)
    const { text, sealed_until } = await leaf("0")
    assert.isUndefined(sealed_until)
    assert.deepStrictEqual(JSON.parse(text).body.output.p_above, sold.json.results.p_above)
    const [line] = (await server.get("/v1/proof/leaves?to=1", "")).text.split("\n")
    assert.strictEqual(JSON.parse(line!).leaf, text)
  })
})
