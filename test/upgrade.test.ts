import { createHash } from "node:crypto"
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { afterAll } from "vitest"
import { open } from "../adapters/store/engine/sqlite/driver.ts"
import { newest, readVersion } from "../adapters/store/migrations/mod.ts"
import { commandLine } from "./support/commandLine.ts"
import { fill, nodeOver } from "./support/filledStore.ts"
import { factsOf, names, postingsQuery, releases, sqliteSchema, stores } from "./support/releasedStores.ts"
import { start } from "./support/running.ts"
import { rowsOf, using } from "./support/sqlite.ts"
import { makeFolder, removeFolder } from "./support/store.ts"
import { sqliteIn } from "./support/storeCopies.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

/** The SHA-256 of each release's store: what users have does not change, so these files are never written again. */
const digests: Readonly<Record<string, string>> = {
  "0.2.0": "7f84dca98bb7152f79b8251c155beabef601cf776cece341b35754b975b31361",
  "0.3.0": "855fa54d1288983780dbd8c96e0d244cd6d2752e3750c70e25445df781513d0d",
}

let made = 0
/** The store of a release, as its user has it. */
const storeOf = (release: string) => {
  const own = join(folder, `${++made}`)
  mkdirSync(own)
  const file = join(own, "store.db")
  const db = open(file)
  db.exec(readFileSync(join(stores, release, names.store), "utf8"))
  db.close()
  for (const key of names.keys) copyFileSync(join(stores, release, key), join(own, key))
  for (const name of ["store.db", ...names.keys]) chmodSync(join(own, name), 0o600)
  const [recordKey, secretsKey] = names.keys.map((key) => join(own, key)) as [string, string]
  return { file, recordKey, secretsKey }
}

/** The present program's command line over it. */
const over = ({ file, recordKey, secretsKey }: ReturnType<typeof storeOf>) =>
  commandLine(file, { RECORD_KEY_FILE: recordKey, SECRETS_KEY_FILE: secretsKey })

it("every dated release of the changelog has its store, and the store is the one that it made", () => {
  const changelog = readFileSync(fileURLToPath(new URL("../CHANGELOG.md", import.meta.url)), "utf8")
  const dated = [...changelog.matchAll(/^## \[(\d[^\]]*)\] - \d{4}-\d{2}-\d{2}$/gm)].map(([, version]) => version!)
  assert.isNotEmpty(dated)
  assert.sameMembers(releases() as Array<string>, dated)
  assert.sameMembers(Object.keys(digests), dated)
  for (const release of dated) {
    const hash = createHash("sha256").update(readFileSync(join(stores, release, names.store)))
    assert.strictEqual(hash.digest("hex"), digests[release], `the store of ${release} was written again`)
    assert.strictEqual(factsOf(release).program, release)
    for (const name of [...names.keys, names.postgres]) assert.isTrue(existsSync(join(stores, release, name)), name)
  }
})

describe.each(releases())("a store of %s", (release) => {
  const facts = factsOf(release)

  it("is brought to the schema of a new store: nothing was changed without a migration", async () => {
    const { file } = storeOf(release)
    const asked = Effect.all([
      readVersion,
      sqliteSchema,
      rowsOf("PRAGMA foreign_key_check"),
      rowsOf("PRAGMA integrity_check"),
    ])
    const [version, schema, strays, integrity] = await Effect.runPromise(using(file, asked))
    assert.deepStrictEqual([version, strays, integrity], [newest, [], [{ integrity_check: "ok" }]])
    assert.isAbove(schema.length, 50)
    const fresh = sqliteIn(folder, `fresh ${release}`)
    await Effect.runPromise(Effect.provide(fill, nodeOver(fresh, folder)))
    // Months that began before the trail was folded keep their index.
    const isOfMonth = (text: string) => /audit_MONTH_accounts?\b/.test(text)
    const [own, other] = [schema, await Effect.runPromise(using(fresh.file, sqliteSchema))]
    assert.deepStrictEqual(
      own.filter((text) => !isOfMonth(text)),
      other.filter((text) => !isOfMonth(text)),
    )
    assert.deepStrictEqual([own.filter(isOfMonth).length, other.filter(isOfMonth).length], [1, 1])
  })

  it("takes no charge of a program of before that has it open", async () => {
    const { file } = storeOf(release)
    const refused = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [{ month } = { month: "" }] = yield* sql<{ month: string }>`SELECT max(month) AS month FROM audit_months`
      const columns = "at, request_id, account, caller, agent, ended, params_hash, charged_micros, latency_ms, calls"
      return yield* Effect.flip(
        sql.unsafe(
          `INSERT INTO audit_${month.replace("-", "_")} (${columns}) VALUES (0, '', 1, 1, NULL, 1, '', 1, 0, NULL)`,
        ),
      )
    })
    assert.match(String((await Effect.runPromise(using(file, refused))).cause), /no column named calls/)
  })

  it("has its books, its record, its scoreboard and its accounts", async () => {
    const { cli, parsed } = over(storeOf(release))
    assert.deepInclude(await parsed("store check"), { ...facts.check, unfolded: 0 })
    assert.deepStrictEqual(await parsed("verify"), facts.verify)
    const { accounts } = await parsed("account list")
    assert.sameDeepMembers(
      accounts.map(({ id, name, balance_micros }: Readonly<Record<string, unknown>>) => [id, name, balance_micros]),
      (facts.accounts["accounts"] as ReadonlyArray<Readonly<Record<string, unknown>>>).map((account) => [
        account["id"],
        account["name"],
        account["balance_micros"],
      ]),
    )
    // A scoreboard that is made again from the rows is the stored one, and the record is signed on with its key.
    const rebuilt = await cli("scoreboard rebuild")
    assert.strictEqual(rebuilt.code, 0, rebuilt.stderr)
    assert.deepInclude(await parsed("store check"), { ...facts.check, unfolded: 0 })
    assert.match((await parsed("jobs run record-checkpoint")).detail, /^signed \d+ leaves$/)
    const signed = await parsed("verify")
    assert.deepStrictEqual([signed.intact, signed.covered, signed.keys], [true, signed.leaves, facts.verify["keys"]])
  })

  it("sells to the key that it sold to, from the wallet that was left", async () => {
    const { file, recordKey, secretsKey } = storeOf(release)
    const raw = () => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(postingsQuery))
    assert.deepStrictEqual(await Effect.runPromise(using(file, raw())), [facts.journal])
    const server = await start(
      { sqliteFile: file, recordKeyFile: Option.some(recordKey), secretsKeyFile: Option.some(secretsKey) },
      { balance: 0 },
    )
    try {
      const { json } = await server.get("/v1/key", facts.key)
      assert.strictEqual(json.results.wallet.balance_micros, facts.balance_micros)
      const { status, json: sold } = await server.get("/v1/weather/settlement?station=KNYC", facts.key)
      assert.strictEqual(status, 200, JSON.stringify(sold))
      const { charged_micros: charged } = sold._meta.price
      assert.isAbove(charged, 0)
      const after = await server.get("/v1/key", facts.key)
      assert.strictEqual(after.json.results.wallet.balance_micros, facts.balance_micros - charged)
    } finally {
      await server.stop()
    }
    assert.deepStrictEqual(await Effect.runPromise(using(file, raw())), [
      { rows: facts.journal.rows + 1, micros: facts.journal.micros + 1_000 },
    ])
  })
})
