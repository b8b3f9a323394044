import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { filledIn } from "../../support/archives.ts"
import { commandLine } from "../../support/commandLine.ts"
import { folder } from "../../support/store.ts"

describe("store export and store import", () => {
  it.scopedLive(
    "print tables, digests and checks, as text and as JSON, and say what comes next",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const { file } = yield* filledIn(path)
        const [one, two] = [join(path, "one.gz"), join(path, "two.gz")]
        const { cli, parsed } = commandLine(file)
        const run = (line: string, store = file) => Effect.promise(() => cli(line, { DATABASE_URL: `sqlite:${store}` }))
        const json = (line: string, store = file) =>
          Effect.promise(() => parsed(line, { DATABASE_URL: `sqlite:${store}` }))
        const trial = yield* run(`store export --out ${one}`)
        assert.deepStrictEqual([trial.code, trial.stderr], [0, ""])
        assert.match(trial.stdout, /^[\d,]+ rows of 72 tables\. The store stays in use: .*one\.gz\.$/m)
        assert.match(trial.stdout, /RECORD_KEY_FILE .*a\.db\.record-key, SECRETS_KEY_FILE .*a\.db\.secrets-key\.$/m)
        const { tables, checked, ...rest } = yield* json(`store export --out ${two} --move`)
        assert.deepStrictEqual(Object.keys(rest), ["file", "moved_at"])
        assert.deepInclude(checked, { wallets: 3, leaves: 67, settled_rows: 99 })
        const text = yield* run(`store import --from ${two}`, join(path, "text.db"))
        assert.deepStrictEqual([text.code, text.stderr], [0, ""])
        assert.match(text.stdout, /^Books: 3 wallets equal their journals, and all ledgers together are 0\.$/m)
        assert.match(
          text.stdout,
          /^Record: 67 leaves match .* first 54 give the last checkpoint's root [0-9a-f]{12}\.$/m,
        )
        assert.match(text.stdout, /^[\d,]+ rows of 72 tables\. Their digests are those of the file\.$/m)
        const other = join(path, "other.db")
        assert.deepStrictEqual(yield* json(`store import --from ${one}`, other), { file: one, tables, checked })
        assert.deepStrictEqual((yield* json("store check", other)).tables, tables)
        const refused: ReadonlyArray<readonly [line: string, store: string, message: RegExp]> = [
          ["account list", file, /a\.db was moved into the archive .*two\.gz at .* takes nothing more\./],
          [`store import --from ${one}`, other, /^The store is not empty: accounts has rows\./],
          [`store import --from ${one}.gz`, join(path, "new.db"), /^There is no file .*one\.gz\.gz\.$/],
          [`store import --from ${one}`, ":memory:", /^There is no store at :memory:\.$/],
          [`store export --out ${one}`, other, /one\.gz exists\. Name a new file\.$/],
          [`store export --out ${one}.gz`, join(path, "new.db"), /^There is no store at .*new\.db\.$/],
        ]
        for (const [line, store, message] of refused) {
          const { code, stderr } = yield* run(line, store)
          assert.strictEqual(code, 1, line)
          assert.match(stderr, message)
        }
      }),
    60_000,
  )
})
