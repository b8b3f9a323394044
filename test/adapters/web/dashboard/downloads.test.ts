// Proof: takes five seconds or more.
import { type ClientRequest, get, type IncomingMessage } from "node:http"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { People } from "../../../../core/people/People.ts"
import { type Running, start } from "../../../support/running.ts"
import { signIn, type Visitor } from "./visitor.ts"

/** More rows than the buffers between server and client hold. */
const count = 60_000

let running: Running
let owner: Visitor

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO audit_rows (at, request_id, account, caller, agent, ended, params_hash, charged_micros, latency_ms)
    WITH RECURSIVE each(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM each WHERE i < ${count - 1})
    SELECT a.at - i, 'req_' || printf('%026d', i), a.account, a.caller, a.agent, a.ended, a.params_hash, 0, 1
    FROM each CROSS JOIN (SELECT * FROM audit_rows LIMIT 1) a`
  // As the ledger would have folded them.
  yield* sql`INSERT INTO audit_index SELECT account, at, seq FROM audit_rows WHERE seq > 1`
}).pipe(Effect.orDie)

beforeAll(async () => {
  running = await start()
  owner = await signIn(running, { account: "tester", name: "ann" })
  assert.strictEqual((await running.get("/v1/weather/settlement?station=KNYC")).status, 200)
  await running.run(fill as Effect.Effect<void, never, SqlClient.SqlClient>)
}, 60_000)
afterAll(() => running.stop())

interface Begun {
  readonly request: ClientRequest
  readonly response: IncomingMessage
}

/** Asks for a file and reads nothing of it yet. */
const begin = (path: string, { cookie }: Visitor): Promise<Begun> =>
  new Promise((resolve, reject) => {
    const request = get(running.url + path, { agent: false, headers: { cookie } }, (response) => {
      response.pause()
      resolve({ request, response })
    }).once("error", reject)
  })

/** Reads the rest: the number of lines, and whether the file came to its end. */
const rest = ({ response }: Begun): Promise<{ readonly lines: number; readonly isWhole: boolean }> =>
  new Promise((resolve) => {
    let lines = 0
    response.on("data", (piece: Buffer) => {
      for (const byte of piece) if (byte === 10) lines++
    })
    response.on("error", () => undefined)
    response.once("close", () => resolve({ lines, isWhole: response.complete }))
    response.resume()
  })

const signOut = async (visitor: Visitor): Promise<void> => {
  const [, token] = /name="form_token" value="([^"]*)"/.exec((await visitor.get("/dashboard")).html)!
  const { status } = await visitor.post("/dashboard/sign-out", new URLSearchParams({ form_token: token! }))
  assert.strictEqual(status, 303)
}

describe("a download", () => {
  it.each([
    [".csv", count + 1],
    [".ndjson", count],
  ])("of calls%s comes to its end while the session is open", async (ending, lines) => {
    assert.deepStrictEqual(await rest(await begin(`/dashboard/calls${ending}`, owner)), { lines, isWhole: true })
  })

  it("breaks off when its person signs out", async () => {
    const visitor = await signIn(running, { account: "tester", name: "bea" })
    const begun = await begin("/dashboard/calls.csv", visitor)
    await signOut(visitor)
    const { lines, isWhole } = await rest(begun)
    assert.isFalse(isWhole)
    assert.isBelow(lines, count)
  })

  it("breaks off when its person is removed from the account", async () => {
    const visitor = await signIn(running, { account: "tester", name: "cay", role: "viewer" })
    const begun = await begin("/dashboard/calls.ndjson", visitor)
    await running.run(
      Effect.gen(function* () {
        const { members, setRole } = yield* People
        const all = yield* members("tester", { limit: 10 })
        yield* setRole("tester", all.find(({ person }) => person.name === "cay")!.person.id, undefined)
      }),
    )
    const { lines, isWhole } = await rest(begun)
    assert.isFalse(isWhole)
    assert.isBelow(lines, count)
  })

  it("goes on when another session of the same person ends", async () => {
    const [visitor, other] = [
      await signIn(running, { account: "tester", name: "dan" }),
      await signIn(running, { account: "tester", name: "dan" }),
    ]
    const begun = await begin("/dashboard/calls.ndjson", visitor)
    await signOut(other)
    assert.deepStrictEqual(await rest(begun), { lines: count, isWhole: true })
  })
})
