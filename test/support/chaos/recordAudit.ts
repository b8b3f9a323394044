import { deepStrictEqual, strictEqual } from "node:assert"
import * as Effect from "effect/Effect"
import { verify } from "../../../adapters/web/record/verifier.mjs"
import { afterEveryClose, lines } from "../../../core/record/log/exported.ts"
import * as merkle from "../../../core/record/log/merkle.ts"
import * as proofs from "../../../core/record/log/proofs.ts"
import { RecordLog } from "../../../core/record/log/RecordLog.ts"
import { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"

/** The ids of the log in order and the number of its checkpoints, after all that must always be true has been checked. */
export const audited = Effect.gen(function* () {
  const log = yield* RecordLog
  const { sha256 } = yield* SyncSha256
  const size = yield* log.size
  const peaks: Array<Uint8Array> = []
  const stored = yield* log.range(0, size)
  for (const [at, { position, text }] of stored.entries()) {
    strictEqual(position, at)
    merkle.grow(sha256, peaks, at, merkle.leafHash(sha256, Buffer.from(text)))
  }
  deepStrictEqual(Buffer.from(yield* proofs.root(size)), Buffer.from(merkle.join(sha256, peaks)))
  // Shares no code with the log, and looks at every checkpoint too.
  const written = yield* lines(0, size, afterEveryClose)
  const { problems, checkpoints } = yield* Effect.promise(() => verify(written.map((line) => Buffer.from(line))))
  deepStrictEqual(problems, [])
  return { ids: stored.map(({ id }) => id), checkpoints }
})
