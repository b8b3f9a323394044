import { chmodSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { open } from "../../../adapters/store/engine/sqlite/driver.ts"
import { newest } from "../../../adapters/store/schema/migrate.ts"
import { commandLine } from "../../support/commandLine.ts"
import { type Payload, replay } from "../../support/replay.ts"
import { storeFile } from "../../support/store.ts"

describe("doctor of a SQLite store", () => {
  it.scopedLive("finds nothing wrong with a store that the server made, and what is wrong with others", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const { cli, parsed } = commandLine(file)
      const run = (line: string, more: Readonly<Record<string, string>> = {}) => Effect.promise(() => cli(line, more))
      assert.strictEqual((yield* run("store migrate --json")).stdout, `{"schema":${newest}}`)
      const well = yield* Effect.promise(() => parsed("doctor"))
      assert.isTrue(well.well)
      assert.deepStrictEqual(
        well.checks.map(({ check, state }: Readonly<Record<string, string>>) => [check, state]),
        [
          ["file", "ok"],
          ["pages", "ok"],
          ["journal mode", "ok"],
          ["schema", "ok"],
          ["disk", "ok"],
          ["RECORD_KEY_FILE", "note"],
          ["SECRETS_KEY_FILE", "note"],
          ["sources", "note"],
        ],
      )
      chmodSync(file, 0o644)
      const readable = yield* run("doctor")
      assert.deepStrictEqual([readable.code, readable.stderr], [1, "1 finding."])
      assert.include(readable.stdout, `Make it private: chmod 600 ${file}`)
      chmodSync(file, 0o600)
      const full = yield* run("doctor", { DISK_RESERVE_MB: "1000000000" })
      assert.strictEqual(full.code, 1)
      assert.match(full.stdout, /FINDING {2}disk: \d+ MB free, less than DISK_RESERVE_MB/)
      const db = open(file)
      db.pragma("journal_mode = DELETE")
      db.prepare("UPDATE store_schemas SET version = 999 WHERE version = ?").run(newest)
      db.close()
      const other = yield* run("doctor")
      assert.match(other.stdout, /journal mode: The journal mode is delete/)
      assert.match(other.stdout, /schema: The schema is 999.*\n +Start the newer program\./)
      assert.strictEqual(other.stderr, "2 findings.")
      const none = yield* run("doctor", { DATABASE_URL: `sqlite:${file}.none` })
      assert.deepStrictEqual([none.code, none.stderr], [0, ""])
    }),
  )

  it.scopedLive("reaches the sources of live lanes, and compares clocks", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const { cli } = commandLine(file, { DATA_FRESHNESS_WEATHER: "live", UPSTREAM_CONTACT: "operator@example.com" })
      const answering = (date: Date) =>
        Effect.map(
          Effect.acquireRelease(
            Effect.async<Server>((resume) => {
              const server = createServer((_, answer) => {
                answer.writeHead(200, { date: date.toUTCString() }).end('{"data":[]}')
              })
              server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
            }),
            (server) => Effect.sync(() => server.close()),
          ),
          (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        )
      const well = yield* answering(new Date())
      const late = yield* answering(new Date(Date.now() - 300_000))
      const closed = yield* Effect.scoped(answering(new Date()))
      for (const [IEM_URL, line] of [
        [well, /ok {7}source iem of weather: 127\.0\.0\.1:\d+ answers in \d+ ms\./],
        [
          late,
          /FINDING {2}source iem of weather: .* answers, and its clock differs from this machine's by (299|300|301) s\./,
        ],
        [closed, /FINDING {2}source iem of weather: .* cannot be reached: it refuses connections\./],
        ["https://nowhere.invalid", /nowhere\.invalid cannot be reached: its name .* \(DNS\)\./],
        [well.replace("http:", "https:"), /cannot be reached: \S/],
      ] as const) {
        const { stdout } = yield* Effect.promise(() =>
          cli("doctor", { NWS_URL: well, NBM_URL: well, MDL_URL: well, IEM_URL }),
        )
        assert.match(stdout, line)
      }
      const urls = { NWS_URL: well, NBM_URL: well, MDL_URL: well, IEM_URL: well }
      const unnamed = yield* Effect.promise(() =>
        commandLine(file, { DATA_FRESHNESS_WEATHER: "live", ...urls }).cli("doctor"),
      )
      assert.match(unnamed.stdout, /FINDING {2}UPSTREAM_CONTACT: The weather service requires a contact/)
      assert.strictEqual(unnamed.code, 1)
    }),
  )

  it.scopedLive("finds every source that answers with a page, whatever its status, and names status and path", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const names = ["NWS", "IEM", "TWC", "NBM", "MDL", "COINBASE", "KRAKEN", "MLB", "NFLVERSE", "KALSHI", "POLYMARKET"]
      for (const status of [200, 302, 403, 404, 500]) {
        const page: Payload = {
          status,
          headers: { "content-type": "text/html", ...(status === 302 && { location: "https://status.example/" }) },
          body: "<html><title>Access denied</title></html>",
        }
        const { url } = yield* replay([{ path: /./, reply: page }])
        const { cli } = commandLine(file, {
          ...{
            DATA_FRESHNESS: "live",
            UPSTREAM_CONTACT: "operator@example.com",
            TERMS_ACCEPTED: "twc,mlb,coinbase,kraken,kalshi,polymarket",
          },
          ...Object.fromEntries(names.map((name) => [`${name}_URL`, url])),
        })
        const { stdout } = yield* Effect.promise(() => cli("doctor --json"))
        const { checks } = JSON.parse(stdout)
        const sources = checks.filter(({ check }: Readonly<Record<string, string>>) => check!.startsWith("source "))
        assert.lengthOf(sources, names.length)
        for (const { check, state, detail } of sources) {
          assert.strictEqual(state, "finding", check)
          assert.match(detail, new RegExp(`answers /\\S* with status ${status}, `), check)
          if (status === 302) assert.include(detail, "https://status.example/")
        }
        const notes = checks.filter(({ check }: Readonly<Record<string, string>>) => check!.startsWith("answers of "))
        assert.match(JSON.stringify(notes), /answers of coinbase.*The pair: the closes of the tape/)
      }
    }),
  )
})
