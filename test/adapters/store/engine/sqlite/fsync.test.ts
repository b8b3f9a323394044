import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { begin } from "../../../../support/chaos/chaos.ts"
import { wallet } from "../../../../support/chaos/charges.ts"
import { makeFolder, removeFolder } from "../../../../support/store.ts"
import { canTrace, type Syscall, syscalls, tracer, untraced } from "../../../../support/syscalls.ts"

/** Syncs and the program's output, in order. */
const eventsOf = (calls: ReadonlyArray<Syscall>): ReadonlyArray<"sync" | "said"> =>
  calls.flatMap((call) => {
    if (call.call === "sync") return ["sync"]
    return call.call === "write" && call.bytes.toString().startsWith("round ") ? ["said"] : []
  })

describe.skipIf(!canTrace)(`what reaches the disk${untraced}`, () => {
  for (const { name, rounds, each } of [
    { name: "a lone charge", rounds: 100, each: 1 },
    { name: "a batch of charges", rounds: 20, each: 50 },
  ]) {
    it(`${name} is synced before it is acknowledged, every time`, { timeout: 60_000 }, async () => {
      const folder = makeFolder()
      try {
        const [file, log] = [join(folder, "store.db"), join(folder, "trace")]
        const who = await Effect.runPromise(wallet(file))
        const child = await begin("rounds", file, { who, count: rounds, each }, tracer(log))
        assert.strictEqual(await child.ended, 0, child.stderr())
        const events = eventsOf(await syscalls(log))
        const said = events.flatMap((event, at) => (event === "said" ? [at] : []))
        assert.strictEqual(said.length, rounds)
        const unsynced = said.filter(
          (at, round) => !events.slice(round === 0 ? 0 : said[round - 1]! + 1, at).includes("sync"),
        )
        assert.deepStrictEqual(unsynced, [], "acknowledged without a sync since the acknowledgement before")
        // Charges that arrive together commit together: far fewer syncs than charges.
        if (each > 1) assert.isBelow(events.filter((event) => event === "sync").length, (rounds * each) / 5)
      } finally {
        removeFolder(folder)
      }
    })
  }
})
