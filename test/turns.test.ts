import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { playTurn, turns } from "./support/calendarTurn.ts"
import { serve } from "./support/hostileServer.ts"
import { library, movedTo } from "./support/movedClock.ts"
import { programs, start } from "./support/postgresServer.ts"
import { start as run } from "./support/processes.ts"
import { makeFolder, removeFolder } from "./support/store.ts"

/** Turns of each store. */
const count = Number(process.env["TURNS"] ?? 1)
/** From the start of a server to the turn: it starts and generates what its first answers show. */
const beforeMs = Number(process.env["TURN_BEFORE_MS"] ?? 25_000)

/** A server on a store whose clocks were moved, over a turn; then the check of the store by the command line. */
const play = async (turn: number, store: "SQLite" | "PostgreSQL"): Promise<void> => {
  const folder = makeFolder()
  const { byMs, environment } = movedTo(turn - beforeMs)
  const postgres = store === "SQLite" ? undefined : await start(["fsync=off"], undefined, undefined, environment)
  const url = store === "SQLite" ? `sqlite:${join(folder, "store.db")}` : postgres!.url
  const settings = {
    ...environment,
    DATABASE_URL: url,
    RECORD_KEY_FILE: join(folder, "record.key"),
    SECRETS_KEY_FILE: join(folder, "secrets.key"),
  }
  try {
    const server = await serve("", settings)
    try {
      await playTurn(server, turn, byMs)
      assert.strictEqual(await server.stop(), 0, server.log())
    } finally {
      server.child.process.kill("SIGKILL")
    }
    const failed = server
      .log()
      .split("\n")
      .filter((line) => /"level":"(warn|error)"/.test(line))
    assert.deepStrictEqual(failed, [])
    const check = run("services/cli.ts", ["store", "check"], settings)
    assert.strictEqual(await check.ended, 0, check.lines.join("\n"))
  } finally {
    await postgres?.stop()
    removeFolder(folder)
  }
}

describe.skipIf(library === undefined)("a server over a turn of the calendar: a call is booked where it ended", () => {
  for (const store of ["SQLite", "PostgreSQL"] as const) {
    for (const [name, turn] of Object.entries(turns).slice(0, count)) {
      const isMissing = store === "PostgreSQL" && programs() === undefined
      it.skipIf(isMissing)(`${store}, ${name}`, () => play(turn, store), beforeMs + 120_000)
    }
  }
})
