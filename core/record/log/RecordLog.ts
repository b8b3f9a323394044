import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import type { Signed } from "./checkpoint.ts"
import { type Leaf, toText } from "./leaf.ts"
import * as merkle from "./merkle.ts"
import { SyncSha256 } from "./SyncSha256.ts"

/** A leaf in the log. */
export interface Entry {
  /** From 0, without gaps. */
  readonly position: number
  readonly id: string
  /** SHA-256 of 0x00 and the UTF-8 bytes of `text`. */
  readonly hash: Uint8Array
  readonly text: string
  /** Epoch milliseconds until which only the buyer may read the text. */
  readonly sealedUntil?: number
}

/** Whether the text of a leaf is not public yet. */
export const isSealed = ({ sealedUntil }: Pick<Entry, "sealedUntil">, now: number): boolean =>
  sealedUntil !== undefined && now < sealedUntil

/** The defect of appending another text under an id that is in the log. */
export const leafConflict = (id: string): Error => new Error(`Leaf ${id} is already in the log with different content.`)

/** A hex SHA-256: a leaf can be named by its hash instead of its id. */
const digest = /^[0-9a-f]{64}$/
export const isDigest = (name: string): boolean => digest.test(name)

/** The record: one append-only log, the leaves of a Merkle tree (RFC 6962). `proofs.ts` computes the proofs. */
export class RecordLog extends Context.Tag("market-signals/core/record/RecordLog")<
  RecordLog,
  {
    /**
     * Appends all leaves or none. A leaf whose id exists already keeps its position.
     *
     * @returns the position of each leaf
     */
    readonly append: (leaves: ReadonlyArray<Leaf>) => Effect.Effect<ReadonlyArray<number>, Failure>
    readonly size: Effect.Effect<number, Failure>
    /** Hashes of complete subtrees, which must exist. */
    readonly hashes: (nodes: ReadonlyArray<merkle.Node>) => Effect.Effect<ReadonlyArray<Uint8Array>, Failure>
    readonly leafAt: (position: number) => Effect.Effect<Entry | undefined, Failure>
    /** The leaf with an id, or with a hash in lower-case hex. */
    readonly leafOf: (name: string) => Effect.Effect<Entry | undefined, Failure>
    /** The leaves from `from` up to `to`, excluded, as far as they exist. */
    readonly range: (from: number, to: number) => Effect.Effect<ReadonlyArray<Entry>, Failure>
    /** Stores a checkpoint, unless one of the same or a larger size, or a later one, is stored: another signer was faster. */
    readonly keep: (checkpoint: Signed) => Effect.Effect<void, Failure>
    /** The newest checkpoint, or the one with a size. */
    readonly checkpoint: (size?: number) => Effect.Effect<Signed | undefined, Failure>
    /** The checkpoints with sizes above `after` and up to `to`, in order. */
    readonly checkpoints: (after: number, to: number) => Effect.Effect<ReadonlyArray<Signed>, Failure>
  }
>() {
  /** For embedders and tests. */
  static readonly layerMemory: Layer.Layer<RecordLog, never, SyncSha256> = Layer.effect(
    RecordLog,
    Effect.map(SyncSha256, ({ sha256 }) => {
      const entries: Array<Entry> = []
      const entriesById = new Map<string, Entry>()
      const completed: Array<ReadonlyArray<Uint8Array>> = []
      const peaks: Array<Uint8Array> = []
      const signed = new Map<number, Signed>()
      const encoder = new TextEncoder()

      const put = (id: string, text: string, sealedUntil: number | undefined): number => {
        const previous = entriesById.get(id)
        if (previous !== undefined) return previous.position
        const position = entries.length
        const hash = merkle.leafHash(sha256, encoder.encode(text))
        const entry = { position, id, hash, text, ...ifDefined("sealedUntil", sealedUntil) }
        completed.push(merkle.grow(sha256, peaks, position, hash))
        entries.push(entry)
        // A joined string is flat; one that is concatenated is kept as its 64 pieces.
        entriesById.set(id, entry).set(Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join(""), entry)
        return position
      }

      const sizes = () => [...signed.keys()].sort((a, b) => a - b)
      return {
        append: (leaves) =>
          Effect.sync(() => {
            const texts = leaves.map((leaf) => [leaf.id, toText(leaf), leaf.seal?.until] as const)
            const seen = new Map(texts.map(([id, text]) => [id, text]))
            for (const [id, text] of texts) {
              if ((entriesById.get(id)?.text ?? seen.get(id)) !== text) throw leafConflict(id)
            }
            return texts.map((written) => put(...written))
          }),
        size: Effect.sync(() => entries.length),
        hashes: (nodes) =>
          Effect.sync(() =>
            nodes.map(({ level, index }) =>
              level === 0 ? entries[index]!.hash : completed[(index + 1) * 2 ** level - 1]![level - 1]!,
            ),
          ),
        leafAt: (position) => Effect.sync(() => entries[position]),
        leafOf: (name) => Effect.sync(() => entriesById.get(name)),
        range: (from, to) => Effect.sync(() => entries.slice(from, to)),
        keep: (checkpoint) =>
          Effect.sync(() => {
            const last = signed.get(sizes().at(-1) ?? -1)
            if (last === undefined || (last.size < checkpoint.size && last.at <= checkpoint.at)) {
              signed.set(checkpoint.size, checkpoint)
            }
          }),
        checkpoint: (size) => Effect.sync(() => signed.get(size ?? sizes().at(-1) ?? -1)),
        checkpoints: (after, to) =>
          Effect.sync(() => sizes().flatMap((size) => (size > after && size <= to ? [signed.get(size)!] : []))),
      }
    }),
  )
}

/** Finds a leaf by its position, its hash in hex or its id. */
export const find = (name: string): Effect.Effect<Entry | undefined, Failure, RecordLog> =>
  Effect.flatMap(RecordLog, (log) =>
    /^\d{1,15}$/.test(name)
      ? log.leafAt(Number(name))
      : log.leafOf(isDigest(name.toLowerCase()) ? name.toLowerCase() : name),
  )
