/**
 * A second program on a store, for tests that need one:
 *
 * - `lock <file>`: owns the store as a server does;
 * - `hold <file>`: holds the write lock of the store as a stranger's program does, until a line comes in;
 * - `charge <file or URL> <account> <key> <prefix> <agent>`: says `ready`, waits for a line, then charges the wallet as
 *   fast as it can and writes the request id of every charge that has returned; the agent may be absent;
 * - `keys <URL> <hash>`: says `ready`, waits for a line, then asks for a key again and again and writes when it asked and
 *   what it was told;
 * - `record <file or URL> <prefix> <key file> <pause>`: says `ready`, waits for a line, then appends to the record, alone
 *   and together, signs it now and then, and writes the position of every leaf that is there; the last two may be absent;
 * - `fold <file> <account> <key> <prefix>`: says `ready`, waits for a line, then charges the wallet and folds at the same
 *   time, and says each fold that took rows;
 * - `calls <URL> <prefix> <payers>`: says `ready`, waits for a line, then calls for each of the payers, and writes what each
 *   caller was answered;
 * - `rounds <file> <account> <key> <rounds> <each>`: charges the wallet in rounds of so many at once, and says each round.
 */
import { once } from "node:events"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as signer from "../../adapters/runtime/node/signer.ts"
import { open } from "../../adapters/store/engine/sqlite/driver.ts"
import { server, takeAlone } from "../../adapters/store/engine/sqlite/owner.ts"
import { FoldRows, folds } from "../../adapters/store/money/folds.ts"
import * as stores from "../../adapters/store/open.ts"
import { Keyring } from "../../core/account/Keyring.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../core/record/log/signCheckpoint.ts"
import { calling } from "./calling.ts"
import { storeAt } from "./place.ts"
import { leaf, origin, recordOver } from "./record.ts"
import { say } from "./say.ts"
import { isRemembered, charge as settle } from "./settlement.ts"
import { foldedRows } from "./usageBooks.ts"

/** Charges are folded all the time, so that kills find a fold at each of its steps. */
const foldsOften = Layer.succeed(FoldRows, 40) as Layer.Layer<never>

const ledgerOf = (place: string) => stores.ledger.pipe(Layer.provide([hasher.layer, storeAt(place), foldsOften]))

const lock = (file: string) =>
  takeAlone(file, { role: server, version: "1" }).pipe(
    Effect.zipRight(Effect.sync(() => say("locked"))),
    Effect.zipRight(Effect.never),
    Effect.scoped,
  )

const hold = async (file: string): Promise<void> => {
  const db = open(file)
  db.exec("BEGIN IMMEDIATE")
  say("held")
  await once(process.stdin, "data")
  db.close()
  process.stdin.destroy()
}

/** @param refused "goes-on": a call that is refused while its account is locked is followed by the next one */
const charge = (place: string, accountId: string, keyId: string, prefix: string, agentId?: string, refused?: string) =>
  Effect.gen(function* () {
    let count = 0
    const one = Effect.suspend(() => {
      const requestId = `${prefix}_${count++}`
      const asked = { accountId, keyId, requestId, micros: 1_000, at: count, ...ifDefined("agentId", agentId) }
      const remember = { key: requestId, requestHash: "hash", stored: requestId.repeat(count % 300) }
      return settle(isRemembered(requestId) ? { ...asked, remember } : asked).pipe(
        Effect.map((paid) => {
          if (paid) say(requestId)
          return paid
        }),
        Effect.catchIf(
          ({ code }) => refused === "goes-on" && code === "storage_unavailable",
          () => Effect.succeed(true),
        ),
      )
    })
    yield* Effect.all(
      Array.from({ length: 4 }, () => Effect.repeat(one, { while: (paid) => paid })),
      {
        concurrency: "unbounded",
      },
    )
  }).pipe(Effect.provide(ledgerOf(place)))

const keys = (place: string, hash: string) =>
  Effect.gen(function* () {
    const { find } = yield* Keyring
    const ask = Effect.gen(function* () {
      const asked = Date.now()
      const told = yield* Effect.match(find(hash), {
        onFailure: ({ code }) => code,
        onSuccess: (caller) => (caller === undefined ? "unknown" : caller.agent?.paused ? "paused" : "served"),
      })
      say(`${asked} ${told}`)
    })
    yield* Effect.forever(Effect.zipRight(ask, Effect.sleep("10 millis")))
  }).pipe(Effect.provide(stores.keyring.pipe(Layer.provide(storeAt(place)))))

const fold = (place: string, accountId: string, keyId: string, prefix: string) =>
  Effect.gen(function* () {
    let count = 0
    const pay = Effect.suspend(() => {
      const requestId = `${prefix}_${count++}`
      // Ten minutes apart: over hours, days and months.
      return settle({ accountId, keyId, requestId, micros: 1_000 + (count % 7), at: count * 600_000 })
    })
    const { all } = yield* folds
    let said = yield* foldedRows
    const add = Effect.gen(function* () {
      yield* all
      const rows = yield* foldedRows
      if (rows > said) say(`folded ${rows - said}`)
      said = rows
    })
    yield* Effect.all([...Array.from({ length: 4 }, () => Effect.forever(pay)), Effect.forever(add)], {
      concurrency: "unbounded",
    })
  }).pipe(Effect.provide(stores.ledger.pipe(Layer.provide([hasher.layer, foldsOften]))), Effect.provide(storeAt(place)))

const calls = (place: string, prefix: string, payers: string) =>
  Effect.provide(
    calling(JSON.parse(payers), {
      prefix,
      callers: 2,
      isOver: () => false,
      report: (outcome) => say(JSON.stringify(outcome)),
    }),
    ledgerOf(place),
  )

const rounds = (file: string, accountId: string, keyId: string, count: string, each: string) =>
  Effect.gen(function* () {
    for (let round = 0; round < Number(count); round++) {
      yield* Effect.forEach(
        Array.from({ length: Number(each) }, (_, at) => `req_${round}_${at}`),
        (requestId) => settle({ accountId, keyId, requestId, micros: 1_000, at: round }),
        { concurrency: "unbounded" },
      )
      say(`round ${round}`)
    }
  }).pipe(Effect.provide(stores.ledger.pipe(Layer.provide([hasher.layer, storeAt(file)]))))

const record = (place: string, prefix: string, keyFile = `${place}.key`, pauseMs = "0") =>
  Effect.gen(function* () {
    const rest = Effect.sleep(Number(pauseMs))
    const log = yield* RecordLog
    let count = 0
    const some = Effect.suspend(() => {
      const leaves = Array.from({ length: 1 + (count % 5) }, () => leaf(count, { id: `${prefix}_${count++}` }))
      return Effect.map(log.append(leaves), (positions) => {
        for (const [at, { id }] of leaves.entries()) say(`${positions[at]} ${id}`)
      })
    })
    const again = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.forever(Effect.zipRight(work, rest))
    yield* Effect.all([...Array.from({ length: 4 }, () => again(some)), again(signCheckpoint)], {
      concurrency: "unbounded",
    })
  }).pipe(Effect.provide(recordOver(storeAt(place), signer.layerFile(keyFile, origin))))

const [command, ...args] = process.argv.slice(2) as [string, string, string, string, string, string]
switch (command) {
  case "lock": {
    await Effect.runPromise(lock(args[0]))
    break
  }
  case "hold": {
    await hold(args[0])
    break
  }
  case "charge": {
    say("ready")
    await once(process.stdin, "data")
    await Effect.runPromise(charge(...args))
    break
  }
  case "keys": {
    say("ready")
    await once(process.stdin, "data")
    await Effect.runPromise(keys(args[0], args[1]))
    break
  }
  case "record": {
    say("ready")
    await once(process.stdin, "data")
    await Effect.runPromise(record(args[0], args[1], args[2], args[3]))
    break
  }
  case "fold": {
    say("ready")
    await once(process.stdin, "data")
    await Effect.runPromise(fold(args[0], args[1], args[2], args[3]))
    break
  }
  case "calls": {
    say("ready")
    await once(process.stdin, "data")
    await Effect.runPromise(calls(args[0], args[1], args[2]))
    break
  }
  case "rounds": {
    await Effect.runPromise(rounds(...args))
  }
}
