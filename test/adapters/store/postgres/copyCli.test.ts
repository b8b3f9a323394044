import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commandLine } from "../../../support/commandLine.ts"
import { folder } from "../../../support/store.ts"
import { filledIn, isEmpty, newDatabase, sqliteIn, urlOf } from "../../../support/storeCopies.ts"

describe("cli store copy", () => {
  it.scopedLive(
    "prints tables, digests and checks, as text and as JSON, and moves the source",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const from = yield* filledIn(path)
        const to = yield* newDatabase
        const { cli, parsed } = commandLine(from.file)
        const line = `store copy --from ${urlOf(from)} --to ${urlOf(to)}`
        const trial = yield* Effect.promise(() =>
          cli(`store copy --from ${urlOf(from)} --to sqlite:${path}/t.db --keep-source`),
        )
        assert.deepStrictEqual([trial.code, trial.stderr], [0, ""])
        const { tables, ...report } = yield* Effect.promise(() => parsed(line))
        for (const { name, rows, sha256 } of tables) {
          assert.match(trial.stdout, new RegExp(`^${name} +${rows} +${sha256.slice(0, 12)}$`, "m"))
        }
        assert.match(trial.stdout, /^Rows and digests of all tables are equal in both stores\.$/m)
        assert.match(trial.stdout, /^Books: 3 wallets equal their journals, and all ledgers together are 0\.$/m)
        assert.match(
          trial.stdout,
          /^Record: 67 leaves match .* first 54 give the last checkpoint's root [0-9a-f]{12}\.$/m,
        )
        assert.match(trial.stdout, /^Scoreboard: 99 settled rows give the stored one\.$/m)
        assert.match(trial.stdout, /^Copied sqlite:.* The source was kept and stays in use\.$/m)
        assert.match(trial.stdout, /RECORD_KEY_FILE and SECRETS_KEY_FILE .*a\.db\.record-key and .*a\.db\.secrets-key/)
        assert.deepInclude(report, { from: urlOf(from), to: urlOf(to).replace("postgres@", "") })
        assert.deepInclude(report.checked, { wallets: 3, leaves: 67, settled_rows: 99 })
        const [moved, again] = yield* Effect.promise(() => Promise.all([cli("account list"), cli(line)]))
        assert.match(moved.stderr, /a\.db was moved to postgres:.* Name that store in DATABASE_URL\.$/)
        assert.match(again.stderr, /^--from: .*a\.db was moved to postgres:.* Name that store in --from\.$/)
        assert.deepStrictEqual([moved.code, again.code], [1, 1])
      }),
    120_000,
  )

  it.scopedLive(
    "names the wrong option, never with a password",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const from = yield* filledIn(path)
        const to = yield* newDatabase
        const { cli } = commandLine(from.file)
        const good = urlOf(from)
        const lines: ReadonlyArray<readonly [string, RegExp]> = [
          [`--from ${good} --to postgres//me:hidden-word@127.0.0.1/x`, /--to: Expected sqlite:<path> or postgres:/],
          [`--from mysql://me:hidden-word@127.0.0.1/x --to ${good}`, /--from: Expected sqlite:<path> or postgres:/],
          [`--from sqlite::memory: --to ${good}`, /--from: Expected sqlite:<path>/],
          [
            `--from ${good} --to postgres://me:hidden-word@127.0.0.1:9/x`,
            /^--to: Cannot use the database of --to: .*ECONNREFUSED/,
          ],
          [
            `--from postgres://me:hidden-word@127.0.0.1:9/x --to ${good}`,
            /^--from: Cannot use the database of --from: .*ECONN/,
          ],
          [
            `--from ${good} --to ${urlOf(to)}_missing`,
            /^--to: Cannot use the database of --to: database "\w+" does not exist/,
          ],
          [`--from ${good}`, /--to/],
        ]
        for (const [line, message] of lines) {
          const { code, stdout, stderr } = yield* Effect.promise(() => cli(`store copy ${line}`))
          assert.strictEqual(code, /Expected sqlite|is required/.test(stderr) ? 2 : 1, line)
          assert.match(stderr + stdout, message, line)
          assert.notInclude(stderr + stdout, "hidden-word")
        }
        assert.isTrue(yield* isEmpty(to))
        assert.isTrue(yield* isEmpty(sqliteIn(path, "fresh")))
      }),
    120_000,
  )
})
