import { ok, strictEqual } from "node:assert"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as signer from "../../../adapters/runtime/node/signer.ts"
import { RecordLog } from "../../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../../core/record/log/signCheckpoint.ts"
import { storeAt } from "../place.ts"
import { leaf, origin, recordOver } from "../record.ts"
import { say } from "../say.ts"
import { folder } from "../store.ts"
import type { Workload } from "./chaos.ts"
import { audited } from "./recordAudit.ts"

interface Given {
  readonly keyFile: string
  readonly pauseMs: number
}

/** Appends to the record, alone and together, signs it now and then, and says the position of every leaf that is there. */
export const work = (place: string, { keyFile, pauseMs }: Given, number: number) =>
  Effect.gen(function* () {
    const log = yield* RecordLog
    let count = 0
    const some = Effect.suspend(() => {
      const leaves = Array.from({ length: 1 + (count % 5) }, () => leaf(count, { id: `leaf_${number}_${count++}` }))
      return Effect.map(log.append(leaves), (positions) => {
        for (const [at, { id }] of leaves.entries()) say(`${positions[at]} ${id}`)
      })
    })
    const again = <A, E, R>(one: Effect.Effect<A, E, R>) => Effect.forever(Effect.zipRight(one, Effect.sleep(pauseMs)))
    yield* Effect.all([...Array.from({ length: 4 }, () => again(some)), again(signCheckpoint)], {
      concurrency: "unbounded",
    })
  }).pipe(Effect.provide(recordOver(storeAt(place), signer.layerFile(keyFile, origin))))

/** The tree is that of its leaves, each of which was appended once. */
export const record: Workload = {
  name: "record",
  prepare: ({ place, nodes }) =>
    Effect.map(folder, (path) => ({
      given: { keyFile: join(path, "record.key"), pauseMs: nodes === 1 ? 0 : 20 },
      book: (said, isLast) =>
        Effect.gen(function* () {
          const { ids, checkpoints } = yield* audited
          strictEqual(new Set(ids).size, ids.length)
          for (const [position, id] of said.flat().map((line) => line.split(" "))) {
            strictEqual(ids[Number(position)], id, "lost or moved")
          }
          // One alone signs before it is killed.
          ok(checkpoints >= (nodes === 1 ? said.filter((lines) => lines.length >= 100).length : 2))
          if (isLast) {
            yield* Effect.logInfo(
              `${said.flat().length} leaves acknowledged, ${ids.length} appended, ${checkpoints} checkpoints`,
            )
          }
        }).pipe(Effect.provide(recordOver(storeAt(place)))),
    })),
}
