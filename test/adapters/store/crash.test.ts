import { join } from "node:path"
import { setImmediate, setTimeout } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { Accounts } from "../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import * as processes from "../../support/processes.ts"
import { isRemembered } from "../../support/settlement.ts"
import { accountsOver, makeFolder, removeFolder } from "../../support/store.ts"

const price = 1_000
/** Charges in flight in the other program. */
const underWay = 4
const kills = Number(process.env["CRASH_KILLS"] ?? 20)

/** Opens the store as a restarted service would, does something and closes it. */
const reopened = async <A>(
  file: string,
  effect: Effect.Effect<A, unknown, Accounts | SqlClient.SqlClient>,
): Promise<A> => Effect.runPromise(Effect.provide(effect, accountsOver(file)))

/** A wallet that outlasts every charge of a test, with a key. */
const wallet = Effect.gen(function* () {
  const accounts = yield* Accounts
  const { id } = yield* accounts.create("one")
  yield* accounts.credit(id, MicroUsd(1_000_000_000_000))
  const { key } = yield* accounts.issueKey({ account: id, environment: "live", tier: "pro" })
  return { id, keyId: key.id }
})

interface Books {
  readonly charges: ReadonlySet<string>
  readonly credits: number
}

/** Every posting of the wallet, after the store has been checked for what must always be true of it. */
const audited = (accountId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { balance } = yield* (yield* Accounts).balance(accountId)
    assert.deepStrictEqual(yield* sql`PRAGMA integrity_check`, [{ integrity_check: "ok" }])
    assert.deepStrictEqual(yield* sql`PRAGMA foreign_key_check`, [])
    const postings = yield* sql<{
      id: string
      kind: string
      debit: string
      credit: string
      micros: number
    }>`SELECT id, kind, debit, credit, micros FROM postings`
    const ledgers = new Map<string, number>()
    for (const { debit, credit, micros } of postings) {
      ledgers.set(debit, (ledgers.get(debit) ?? 0) - micros)
      ledgers.set(credit, (ledgers.get(credit) ?? 0) + micros)
    }
    const charges = postings.filter(({ kind }) => kind === "charge").map(({ id }) => id)
    const credits = postings.filter(({ kind }) => kind === "credit")
    const credited = credits.reduce((sum, { micros }) => sum + micros, 0)
    assert.strictEqual(new Set(charges).size, charges.length)
    assert.strictEqual(balance, credited - charges.length * price)
    assert.deepStrictEqual(
      ledgers,
      new Map([
        ["cash", 0 - credited],
        [`wallet:${accountId}`, balance],
        ...(charges.length === 0 ? [] : [["revenue", charges.length * price] as const]),
      ]),
    )
    // A batch writes the sum of each key with its charges.
    assert.deepStrictEqual(yield* sql`SELECT coalesce(SUM(micros), 0) AS micros FROM key_spend`, [
      { micros: charges.length * price },
    ])
    // A charge and its stored reply are there together, and counted once.
    const replies = yield* sql<{ id: string; size: number }>`
      SELECT idempotency_key AS id, 256 + length(stored) AS size FROM idempotency`
    assert.deepStrictEqual(replies.map(({ id }) => id).sort(), charges.filter(isRemembered).sort())
    assert.deepStrictEqual(yield* sql`SELECT coalesce(SUM(charged), 0) AS bytes FROM reply_bytes`, [
      { bytes: replies.reduce((sum, { size }) => sum + size, 0) },
    ])
    return { charges: new Set(charges), credits: credits.length } satisfies Books
  })

const service = (file: string, { id, keyId }: { readonly id: string; readonly keyId: string }, prefix: string) => {
  const child = processes.start("test/support/storeProcess.ts", ["charge", file, id, keyId, prefix])
  return {
    ...child,
    /** Lets it open the store and charge, once it is loaded. */
    go: async () => {
      await child.linesUntil(1)
      child.process.stdin.write("go\n")
    },
    acknowledged: () => child.lines.slice(1),
    /** Resolves when that many charges are acknowledged. */
    acknowledgedUntil: (count: number) => child.linesUntil(1 + count),
  }
}

describe("a service that is killed while it charges", () => {
  it(`loses no charge it has acknowledged and makes none twice, ${kills} times`, {
    timeout: 20_000 + kills * 3_000,
  }, async () => {
    const path = makeFolder()
    const file = join(path, "store.db")
    const acknowledged = new Set<string>()
    try {
      const owner = await reopened(file, wallet)
      let before = 0
      let next = service(file, owner, "req_1")
      for (let round = 1; round <= kills; round++) {
        const killed = next
        try {
          await killed.go()
          // The next process loads meanwhile, but opens the store only on `go`.
          if (round < kills) next = service(file, owner, `req_${round + 1}`)
          await killed.acknowledgedUntil(20)
          // A random moment, not one at which a charge has just returned.
          await setTimeout(Math.random() * 30)
        } finally {
          killed.process.kill("SIGKILL")
        }
        assert.isNull(await killed.ended, killed.stderr())
        for (const requestId of killed.acknowledged()) acknowledged.add(requestId)
        const { charges } = await reopened(file, audited(owner.id))
        assert.deepStrictEqual(
          [...acknowledged].filter((requestId) => !charges.has(requestId)),
          [],
          `lost in round ${round}`,
        )
        const unacknowledged = charges.size - before - killed.acknowledged().length
        assert.isAtMost(unacknowledged, underWay, `committed but never acknowledged in round ${round}`)
        before = charges.size
      }
      assert.isAtLeast(acknowledged.size, kills * 20)
    } finally {
      removeFolder(path)
    }
  })
})

describe("a second program that writes", () => {
  it("credits a wallet while the service charges it: nothing fails, nothing is lost", { timeout: 30_000 }, async () => {
    const path = makeFolder()
    const file = join(path, "store.db")
    try {
      const owner = await reopened(file, wallet)
      const charging = service(file, owner, "req")
      const runtime = ManagedRuntime.make(accountsOver(file))
      try {
        await charging.go()
        await charging.acknowledgedUntil(20)
        const before = charging.acknowledged().length
        for (let n = 0; n < 50; n++) {
          await runtime.runPromise(
            Effect.flatMap(Accounts, (accounts) => accounts.credit(owner.id, MicroUsd(1_000_000 + n))),
          )
          // Lets this process read the other one's output.
          await setImmediate()
        }
        await charging.acknowledgedUntil(charging.acknowledged().length + 20)
        assert.isAbove(charging.acknowledged().length, before + 20, "both have written at the same time")
      } finally {
        charging.process.kill("SIGKILL")
        await runtime.dispose()
      }
      assert.isNull(await charging.ended, charging.stderr())
      const { charges, credits } = await reopened(file, audited(owner.id))
      assert.strictEqual(credits, 51)
      assert.deepStrictEqual(
        charging.acknowledged().filter((requestId) => !charges.has(requestId)),
        [],
      )
    } finally {
      removeFolder(path)
    }
  })
})
