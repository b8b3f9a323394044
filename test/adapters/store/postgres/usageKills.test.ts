import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as usage from "../../../../adapters/store/audit/Usage.ts"
import { killing } from "../../../support/killing.ts"
import { database } from "../../../support/postgres.ts"
import { node } from "../../../support/postgresNode.ts"
import * as processes from "../../../support/processes.ts"
import { isQuiet, mortal } from "../../../support/quiet.ts"
import { spender } from "../../../support/spender.ts"
import { usageEqualsJournal } from "../../../support/usageBooks.ts"

const kills = Number(process.env["PG_KILLS"] ?? 4)

describe("two nodes that fold the audit trail at the same time, and are killed", () => {
  it.scopedLive(
    `count every call once, ${kills} times`,
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const operator = yield* node(url)
        const who = yield* Effect.provide(spender("bot", {}, 1_000_000_000_000), operator)
        const { all } = yield* Effect.promise(() =>
          killing({ nodes: 2, kills, lines: 5 }, (number) =>
            processes.start("test/support/storeProcess.ts", [
              ...["fold", mortal(url), who.accountId, who.keyId, `req_${number}`],
            ]),
          ),
        )
        const folded = yield* Effect.zipRight(isQuiet, usageEqualsJournal).pipe(
          Effect.provide(usage.layer),
          Effect.provide(operator),
        )
        const said = all.flatMap(({ lines }) => lines.slice(1)).map((line) => Number(line.split(" ")[1]))
        assert.isAtLeast(said.length, kills * 5)
        assert.isAtLeast(
          folded,
          said.reduce((one, other) => one + other, 0),
        )
      }),
    60_000 + kills * 5_000,
  )
})
