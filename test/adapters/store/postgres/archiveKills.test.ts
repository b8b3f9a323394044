import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { MayOpenMoved } from "../../../../adapters/store/engine/movedStore.ts"
import type { Place } from "../../../../adapters/store/engine/opening.ts"
import { exportStore, importStore } from "../../../../adapters/store/upkeep/archive/archive.ts"
import { counts, filledIn, isEmpty, newDatabase, run, sqliteIn, urlOf, using } from "../../../support/archives.ts"
import * as processes from "../../../support/processes.ts"
import { folder } from "../../../support/store.ts"

const kills = Number(process.env["ARCHIVE_KILLS"] ?? 4)

const start = (place: Place, ...line: ReadonlyArray<string>) =>
  processes.start("services/cli.ts", ["store", ...line], {
    DATABASE_URL: urlOf(place),
    RECORD_KEY_FILE: "none",
    SECRETS_KEY_FILE: "none",
  })

/** Kills a program somewhere in its time. Returns whether it had ended before. */
const killed = (child: processes.Child, share: number, duration: number) =>
  Effect.gen(function* () {
    yield* Effect.raceFirst(
      Effect.sleep(share * duration),
      Effect.promise(() => child.ended),
    )
    child.process.kill("SIGKILL")
    return (yield* Effect.promise(() => child.ended)) === 0
  })

/** A statement of a killed program may go on for a while. */
const gone = (place: Place) =>
  Effect.repeat(
    Effect.delay(
      run(
        place,
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name IN ('market-signals export', 'market-signals import')",
      ),
      20,
    ),
    { until: ({ length }) => length === 0 },
  ).pipe(Effect.provideService(MayOpenMoved, true))

describe.each(["sqlite", "postgres"] as const)("on %s", (engine) => {
  it.scopedLive(
    `a killed export leaves no file or a whole one, and no store that is moved without it; a killed import an empty store or a whole one, ${kills} times`,
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const good = join(path, "good.gz")
        const filled = yield* filledIn(path)
        const { tables } = yield* exportStore(filled, good, false)
        const whole = yield* using(filled, counts)
        const fresh = (name: string): Effect.Effect<Place, never, Scope.Scope> =>
          engine === "sqlite" ? Effect.succeed(sqliteIn(path, name)) : newDatabase
        const imported = (name: string) =>
          Effect.flatMap(fresh(name), (place) => Effect.as(importStore(place, good), place))
        const file = join(path, "killed.gz")
        const timed = (child: processes.Child) =>
          Effect.map(Effect.timed(Effect.promise(() => child.ended)), ([duration, code]) => {
            assert.strictEqual(code, 0, child.stderr())
            return Duration.toMillis(duration)
          })
        const exportMs = yield* timed(start(yield* imported("source"), "export", "--out", file))
        rmSync(file)
        const importMs = yield* timed(start(yield* fresh("first"), "import", "--from", good))
        let cut = 0
        for (let round = 0; round < kills; round++) {
          const share = (round + 0.5) / kills
          const source = yield* imported(`from ${round}`)
          cut += (yield* killed(start(source, "export", "--out", file, "--move"), share, exportMs)) ? 0 : 1
          if (engine === "postgres") yield* gone(source)
          const isMoved = (yield* Effect.either(using(source, Effect.void)))._tag === "Left"
          if (existsSync(file)) yield* importStore(yield* fresh(`of ${round}`), file)
          else assert.isFalse(isMoved)
          rmSync(file, { force: true })
          assert.deepStrictEqual((yield* exportStore(source, file, false)).tables, tables)
          rmSync(file)
          const target = yield* fresh(`to ${round}`)
          cut += (yield* killed(start(target, "import", "--from", good), share, importMs)) ? 0 : 1
          if (engine === "postgres") yield* gone(target)
          if (yield* isEmpty(target)) assert.deepStrictEqual((yield* importStore(target, good)).tables, tables)
          else assert.deepStrictEqual(yield* using(target, counts), whole)
        }
        assert.isAbove(cut, 0)
      }),
    60_000 + kills * 20_000,
  )
})
