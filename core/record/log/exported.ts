import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import type { Failure } from "../../Failure.ts"
import { iso } from "../../time.ts"
import type { Signed } from "./checkpoint.ts"
import { type Entry, isSealed, RecordLog } from "./RecordLog.ts"

/**
 * The line of a leaf: its exact text and its hash, so that a changed line is noticed. The line of a sealed leaf has
 * `sealed_until` instead of the text.
 */
const leafLine = (entry: Entry, now: number): string => {
  const { position, id, hash, text, sealedUntil } = entry
  const known = { position, id, hash: Encoding.encodeHex(hash) }
  return JSON.stringify(isSealed(entry, now) ? { ...known, sealed_until: iso(sealedUntil!) } : { ...known, leaf: text })
}

/** An instant at which all leaves are public, for the operator's export. */
export const afterEveryClose: number = Number.POSITIVE_INFINITY

const checkpointLine = ({ size, at, key, note }: Signed): string =>
  JSON.stringify({ checkpoint: size, signed_at: iso(at), key, note })

/**
 * The lines of an export for the leaves from `from` up to `to`, excluded: each leaf, followed by the checkpoint that ends with
 * it, if any. The lines of adjoining ranges add up to those of the whole range.
 *
 * @param now epoch milliseconds, which decide which leaves are sealed; `afterEveryClose` for all texts
 */
export const lines = (
  from: number,
  to: number,
  now: number,
): Effect.Effect<ReadonlyArray<string>, Failure, RecordLog> =>
  Effect.gen(function* () {
    const log = yield* RecordLog
    const leaves = yield* log.range(from, to)
    // An export from 0 includes the checkpoint of the empty log.
    const signed = yield* log.checkpoints(from === 0 ? -1 : from, from + leaves.length)
    const bySize = new Map(signed.map((each) => [each.size, checkpointLine(each)]))
    const behind = (size: number): ReadonlyArray<string> => {
      const line = bySize.get(size)
      return line === undefined ? [] : [line]
    }
    return [...behind(from), ...leaves.flatMap((leaf) => [leafLine(leaf, now), ...behind(leaf.position + 1)])]
  })
