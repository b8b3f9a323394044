import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as keyFile from "../../../../adapters/runtime/node/keyFile.ts"
import * as signer from "../../../../adapters/runtime/node/signer.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { Signer } from "../../../../core/record/log/Signer.ts"
import { inconsistency, signCheckpoint } from "../../../../core/record/log/signCheckpoint.ts"
import { inStore, leaves, origin } from "../../../support/record.ts"
import { folder } from "../../../support/store.ts"

/** A store, a key file, and one turn of the job that signs: a process of its own each time. */
const record = Effect.map(folder, (path) => {
  const [store, key] = [join(path, "store.db"), join(path, "record.key")]
  const opened = (mayReplace: boolean) => inStore(store, signer.layerFile(key, origin, mayReplace))
  return {
    key,
    sign: (size: number, mayReplace = false) =>
      Effect.gen(function* () {
        yield* (yield* RecordLog).append(leaves(0, size))
        return (yield* signCheckpoint)!
      }).pipe(Effect.provide(opened(mayReplace))),
    obstacle: Effect.flatMap(RecordLog, (log) => Effect.flatMap(log.checkpoint(), inconsistency)).pipe(
      Effect.provide(opened(false)),
    ),
  }
})

describe("a lost record key stops signing", () => {
  it.scoped("no key is made in the place of one that has signed, until the operator says so", () =>
    Effect.gen(function* () {
      const { key, sign, obstacle } = yield* record
      const first = yield* sign(1)
      assert.isUndefined(yield* obstacle)
      renameSync(key, `${key}.kept`)
      const error = yield* Effect.flip(sign(2))
      assert.strictEqual(error._tag, "NotSigned")
      assert.match(error.message, /^The key that signed the record is missing.*RECORD_KEY_FILE.*RECORD_KEY_NEW=yes/)
      assert.isFalse(existsSync(key))
      assert.strictEqual(yield* obstacle, "key_missing")
      renameSync(`${key}.kept`, key)
      assert.strictEqual((yield* sign(2)).key, first.key)
      rmSync(key)
      const next = yield* sign(3, true)
      assert.notStrictEqual(next.key, first.key)
      assert.strictEqual((yield* sign(4)).key, next.key)
    }),
  )

  it.scoped("another key in its place does not sign either", () =>
    Effect.gen(function* () {
      const { key, sign, obstacle } = yield* record
      const first = yield* sign(1)
      const text = readFileSync(key, "utf8")
      rmSync(key)
      yield* Effect.flatMap(Signer, (one) => one.key).pipe(Effect.provide(signer.layerFile(key, origin)))
      assert.match((yield* Effect.flip(sign(2))).message, /^The record was signed with another key\./)
      assert.strictEqual(yield* obstacle, "key_changed")
      writeFileSync(key, text)
      assert.strictEqual((yield* sign(2)).key, first.key)
    }),
  )
})

describe("volumes without hard links", () => {
  const linkless = (code: string) => () => {
    throw Object.assign(new Error(code), { code })
  }

  for (const code of ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]) {
    it.scoped(`make the key all the same (${code}), once`, () =>
      Effect.gen(function* () {
        const path = join(yield* folder, "keys")
        const file = join(path, "key")
        keyFile.createOnce(file, "one", linkless(code))
        keyFile.createOnce(file, "two", linkless(code))
        keyFile.createOnce(file, "three")
        assert.strictEqual(keyFile.read(file), "one")
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        assert.strictEqual(statSync(path).mode & 0o777, 0o700)
        assert.deepStrictEqual(readdirSync(path), ["key"])
      }),
    )
  }

  it.scoped("a maker that was stopped half way is named, not passed over", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "key")
      writeFileSync(`${file}.making`, "")
      assert.throws(() => keyFile.createOnce(file, "one", linkless("EPERM")), /then remove .*key\.making\.$/)
      assert.isUndefined(keyFile.read(file))
    }),
  )

  it.scoped("other errors are reported", () =>
    Effect.gen(function* () {
      const path = yield* folder
      assert.throws(() => keyFile.createOnce(join(path, "key"), "one", linkless("EIO")), /EIO/)
      assert.deepStrictEqual(readdirSync(path), [])
    }),
  )
})
