import type { Syscall } from "./syscalls.ts"

/** The losses of a disk without power: what was written and not synced may be there, in part, or not. */
export const losses = ["nothing", "everything", "the end", "some sectors", "the contents"] as const
export type Loss = (typeof losses)[number]

const sector = 512

type Change = Exclude<Syscall, { readonly call: "sync" }>

/** Bytes of a file that changes in place. */
class Content {
  private bytes: Buffer
  private size: number

  constructor(bytes: Buffer) {
    this.bytes = Buffer.from(bytes)
    this.size = bytes.length
  }

  all(): Buffer {
    return this.bytes.subarray(0, this.size)
  }

  apply(change: Change): void {
    const at = change.call === "write" ? (change.at ?? this.size) : change.size
    const end = change.call === "write" ? at + change.bytes.length : at
    if (end > this.bytes.length) {
      const grown = Buffer.alloc(end * 2)
      this.bytes.copy(grown, 0, 0, this.size)
      this.bytes = grown
    }
    // Holes, and what a later change may show again, are zeros.
    this.bytes.fill(0, this.size, end)
    if (change.call === "write") change.bytes.copy(this.bytes, at)
    this.size = change.call === "write" ? Math.max(this.size, end) : end
  }
}

/** Writes in pieces that a disk writes whole. */
const sectorsOf = (change: Change): ReadonlyArray<Change> =>
  change.call === "truncate" || change.at === undefined
    ? [change]
    : Array.from({ length: Math.ceil(change.bytes.length / sector) }, (_, n) => ({
        ...change,
        at: change.at! + n * sector,
        bytes: change.bytes.subarray(n * sector, (n + 1) * sector),
      }))

const kept = (pending: ReadonlyArray<Change>, loss: Loss, random: () => number): ReadonlyArray<Change> => {
  switch (loss) {
    case "nothing":
      return pending
    case "everything":
      return []
    case "the end": {
      const pieces = pending.flatMap(sectorsOf)
      return pieces.slice(0, Math.floor(random() * pieces.length))
    }
    case "some sectors":
      return pending.flatMap(sectorsOf).filter(() => random() < 0.5)
    // The file has grown, its new sectors are empty.
    case "the contents":
      return pending.map((change) =>
        change.call === "write" ? { ...change, bytes: Buffer.alloc(change.bytes.length) } : change,
      )
  }
}

/** Files of a disk, with the changes since the last sync of each. */
export class Disk {
  private readonly files: ReadonlyMap<string, { readonly synced: Content; readonly pending: Array<Change> }>

  constructor(files: Readonly<Record<string, Buffer>>) {
    this.files = new Map(
      Object.entries(files).map(([name, bytes]) => [name, { synced: new Content(bytes), pending: [] }]),
    )
  }

  take(call: Syscall): void {
    const file = this.files.get(call.file)
    if (file === undefined) return
    if (call.call === "sync") for (const change of file.pending.splice(0)) file.synced.apply(change)
    else file.pending.push(call)
  }

  /**
   * The files after a loss of power.
   *
   * @param random in [0, 1)
   */
  after(loss: Loss, random: () => number): ReadonlyArray<readonly [file: string, bytes: Buffer]> {
    return [...this.files].map(([name, { synced, pending }]) => {
      const left = new Content(synced.all())
      for (const change of kept(pending, loss, random)) left.apply(change)
      return [name, left.all()]
    })
  }
}
