/**
 * A second program on a store, for tests that need one:
 *
 * - `open`: opens each store whose name comes in on a line, and says how that went;
 * - `lock <file>`: takes the server lock and holds it;
 * - `agents <file>`: does with an agent what each line says (`pause bot`), and says when it is done;
 * - `hold <file>`: holds the write lock of the store until a line comes in;
 * - `charge <file> <account> <key> <prefix>`: says `ready`, waits for a line, then charges the wallet as fast as it can
 *   and writes the request id of every charge that has returned;
 * - `record <file> <prefix>`: says `ready`, waits for a line, then appends to the record, alone and together, signs it now
 *   and then, and writes the position of every leaf that is there;
 * - `rounds <file> <account> <key> <rounds> <each>`: charges the wallet in rounds of so many at once, and says each round.
 */
import { once } from "node:events"
import { writeSync } from "node:fs"
import { createInterface } from "node:readline"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as hasher from "../../adapters/node/hasher.ts"
import * as signer from "../../adapters/node/signer.ts"
import { Sqlite } from "../../adapters/sql/client.sqlite.ts"
import * as ledger from "../../adapters/sql/Ledger.ts"
import * as sqlite from "../../adapters/sql/sqlite.ts"
import { Agents } from "../../core/account/Agents.ts"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../core/record/log/signCheckpoint.ts"
import { inStore, leaf } from "./record.ts"
import { charge as settle } from "./settlement.ts"
import { accountsOver } from "./store.ts"

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Written before it returns: what a killed process has said it has done. Waits while the reader is behind. */
const say = (line: string): void => {
  let rest = Buffer.from(`${line}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error
      Atomics.wait(pause, 0, 0, 1)
    }
  }
}

const open = async (): Promise<void> => {
  say("ready")
  for await (const file of createInterface({ input: process.stdin })) {
    const read = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT id FROM journal`).pipe(
      Effect.provide(sqlite.layer(file)),
    )
    say(await Effect.runPromise(Effect.match(read, { onFailure: String, onSuccess: () => "open" })))
  }
}

const lock = (file: string) =>
  Effect.provide(
    Effect.suspend(() => {
      say("locked")
      return Effect.never
    }),
    sqlite.serverLock(file),
  )

const agents = async (file: string): Promise<void> => {
  const runtime = ManagedRuntime.make(accountsOver(file))
  const operator = await runtime.runPromise(Agents)
  say("ready")
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, agent] = line.split(" ") as ["pause" | "resume" | "revoke", string]
    await runtime.runPromise(operator[verb](agent))
    say(line)
  }
  await runtime.dispose()
}

const hold = (file: string) =>
  Effect.gen(function* () {
    const { db } = yield* Sqlite
    db.exec("BEGIN IMMEDIATE")
    say("held")
    yield* Effect.promise(() => once(process.stdin, "data"))
    db.exec("ROLLBACK")
    say("released")
    process.stdin.destroy()
  }).pipe(Effect.provide(sqlite.layer(file)))

const charge = (file: string, accountId: string, keyId: string, prefix: string) =>
  Effect.gen(function* () {
    let count = 0
    const one = Effect.suspend(() => {
      const requestId = `${prefix}_${count++}`
      return Effect.map(settle({ accountId, keyId, requestId, micros: 1_000, at: count }), (paid) => {
        if (paid) say(requestId)
        return paid
      })
    })
    yield* Effect.all(
      Array.from({ length: 4 }, () => Effect.repeat(one, { while: (paid) => paid })),
      {
        concurrency: "unbounded",
      },
    )
  }).pipe(Effect.provide(ledger.layer.pipe(Layer.provide([hasher.layer, sqlite.layer(file)]))))

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
  }).pipe(Effect.provide(ledger.layer.pipe(Layer.provide([hasher.layer, sqlite.layer(file)]))))

const record = (file: string, prefix: string) =>
  Effect.gen(function* () {
    const log = yield* RecordLog
    let count = 0
    const some = Effect.suspend(() => {
      const leaves = Array.from({ length: 1 + (count % 5) }, () => leaf(count, { id: `${prefix}_${count++}` }))
      return Effect.map(log.append(leaves), (positions) => {
        for (const [at, { id }] of leaves.entries()) say(`${positions[at]} ${id}`)
      })
    })
    const appending = Array.from({ length: 4 }, () => Effect.forever(some))
    yield* Effect.all([...appending, Effect.forever(signCheckpoint)], { concurrency: "unbounded" })
  }).pipe(Effect.provide(inStore(file, signer.layerFile(`${file}.key`, "record.example/log"))))

const [command, ...args] = process.argv.slice(2) as [string, string, string, string, string, string]
switch (command) {
  case "open": {
    await open()
    break
  }
  case "lock": {
    await Effect.runPromise(lock(args[0]))
    break
  }
  case "agents": {
    await agents(args[0])
    break
  }
  case "hold": {
    await Effect.runPromise(hold(args[0]))
    break
  }
  case "charge": {
    say("ready")
    await once(process.stdin, "data")
    await Effect.runPromise(charge(args[0], args[1], args[2], args[3]))
    break
  }
  case "record": {
    say("ready")
    await once(process.stdin, "data")
    await Effect.runPromise(record(args[0], args[1]))
    break
  }
  case "rounds": {
    await Effect.runPromise(rounds(...args))
  }
}
