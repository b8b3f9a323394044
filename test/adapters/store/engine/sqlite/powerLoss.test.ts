import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { begin } from "../../../../support/chaos/chaos.ts"
import { booked, underWay, wallet } from "../../../../support/chaos/charges.ts"
import { Disk, type Loss, losses } from "../../../../support/disk.ts"
import type { Spender } from "../../../../support/spender.ts"
import { makeFolder, removeFolder } from "../../../../support/store.ts"
import { canTrace, type Syscall, syscalls, tracer, untraced } from "../../../../support/syscalls.ts"

const images = Number(process.env["POWER_LOSSES"] ?? 200)
/** Enough for the log of the database to be copied into it several times. */
const charges = 3_000

describe.skipIf(!canTrace)(`a machine that loses its power while a service charges${untraced}`, () => {
  const folder = makeFolder()
  const file = join(folder, "store.db")
  let who: Spender
  let before: Buffer
  let calls: ReadonlyArray<Syscall>
  /** Where in `calls` each charge was acknowledged. */
  const acknowledged: Array<readonly [at: number, requestId: string]> = []

  beforeAll(async () => {
    who = await Effect.runPromise(wallet(file))
    before = readFileSync(file)
    const trace = join(folder, "trace")
    const child = await begin("charges", file, { who }, tracer(trace))
    await child.linesUntil(1 + charges)
    child.process.kill("SIGKILL")
    await child.ended
    calls = await syscalls(trace)
    for (const [at, call] of calls.entries()) {
      if (call.call !== "write" || call.at !== undefined) continue
      for (const [requestId] of call.bytes.toString().matchAll(/^req_\d+_\d+(?=\n)/gm))
        acknowledged.push([at, requestId])
    }
  }, 120_000)
  afterAll(() => removeFolder(folder))

  const disk = () => new Disk({ [file]: before, [`${file}-wal`]: Buffer.alloc(0) })

  /** The charges of the store that is left. */
  const left = (name: string, disk: Disk, loss: Loss): Promise<ReadonlySet<string>> => {
    const place = join(folder, name)
    mkdirSync(place)
    for (const [path, bytes] of disk.after(loss, Math.random)) {
      writeFileSync(join(place, path.slice(folder.length)), bytes, { mode: 0o600 })
    }
    return Effect.runPromise(booked(join(place, "store.db"), who)).finally(() => removeFolder(place))
  }

  it(`loses no acknowledged charge and makes none twice, at ${images} instants`, {
    timeout: 60_000 + images * 2_000,
  }, async () => {
    assert.isAtLeast(acknowledged.length, charges)
    const copied = calls.filter(({ call, file: name }) => call === "sync" && name === file).length
    assert.isAtLeast(copied, 1, "the log was copied into the database")
    const first = acknowledged[0]![0]
    const instants = Array.from({ length: images }, () => first + Math.floor(Math.random() * (calls.length - first)))
    const torn = disk()
    let taken = 0
    for (const [n, at] of instants.sort((a, b) => a - b).entries()) {
      for (; taken < at; taken++) torn.take(calls[taken]!)
      const loss = losses[n % losses.length]!
      const made = await left(`image ${n}`, torn, loss)
      const said = acknowledged.filter(([when]) => when < at).map(([, requestId]) => requestId)
      const lost = said.filter((requestId) => !made.has(requestId))
      assert.deepStrictEqual(lost, [], `${loss} is lost at call ${at} of ${calls.length}`)
      assert.isAtMost(made.size - said.length, underWay, `${loss} is lost at call ${at}`)
    }
  })

  it("loses charges on a disk that says it has synced and has not", { timeout: 60_000 }, async () => {
    const lying = disk()
    for (const call of calls) if (call.call !== "sync") lying.take(call)
    const made = await left("lying", lying, "everything")
    assert.isBelow(made.size, acknowledged.length)
  })
})
