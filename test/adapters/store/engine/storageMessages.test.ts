import { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { mapStorageErrors } from "../../../../adapters/store/engine/storage.ts"

const error = (code: string, message = "connect to 10.1.2.3:5432") =>
  new SqlError({ cause: Object.assign(new Error(message), code === "" ? {} : { code }), message: "secret statement" })

describe("a store that cannot be used", () => {
  it.effect.each([
    ["SQLITE_FULL", "The store's disk is full."],
    ["53100", "The store's disk is full."],
    ["SQLITE_BUSY", "The store is locked by other work."],
    ["SQLITE_BUSY_SNAPSHOT", "The store is locked by other work."],
    ["40001", "The store is locked by other work."],
    ["55P03", "The store is locked by other work."],
    ["SQLITE_READONLY", "The store cannot be written to."],
    ["25006", "The store cannot be written to."],
    ["SQLITE_IOERR_WRITE", "The store's files cannot be read or written."],
    ["SQLITE_CANTOPEN", "The store's files cannot be read or written."],
    ["53300", "The store has no free connection."],
    ["53200", "The store's server is short of memory, disk or another resource."],
    ["57014", "The store took too long."],
    ["57P01", "The store cannot be reached."],
    ["08006", "The store cannot be reached."],
    ["SQLITE_CORRUPT", "The store is damaged: restore a backup."],
    ["SQLITE_NOTADB", "The store is damaged: restore a backup."],
    ["XX001", "The store is damaged: restore a backup."],
    ["ECONNREFUSED", "The store cannot be reached."],
    ["EAI_AGAIN", "The store cannot be reached."],
  ] as const)("is named by what happened, without an address: %s", ([code, detail]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(mapStorageErrors(Effect.fail(error(code))))
      assert.deepStrictEqual(
        [failure.code, failure.message, failure.retryAfterMs],
        ["storage_unavailable", detail, 1_000],
      )
    }),
  )

  it.effect("is one that cannot be reached where the driver has no code for it", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(mapStorageErrors(Effect.fail(error("", "Connection terminated unexpectedly"))))
      assert.strictEqual(failure.message, "The store cannot be reached.")
    }),
  )

  it.effect("is a bug for every other error", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(mapStorageErrors(Effect.fail(error("42601"))))
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
    }),
  )
})
