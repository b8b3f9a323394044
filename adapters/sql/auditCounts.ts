import type { Audit } from "../../core/account/Ledger.ts"
import { day, minute } from "../../core/time.ts"

/** Counts that are open at a time; beyond them all are written, whatever their minute. */
const mostOpen = 5_000
const mostKeys = 100_000

/**
 * Rows of their own that a key's uncharged calls get in a UTC day. A row takes some 90 bytes, 130 for a key of an agent, so
 * that refusals and their counts stay below a megabyte a day.
 */
export const rowsADay = { refused: 5_000, answered: 10_000 } as const

/** Refused before its parameters were read: by the rate limit or before it, so nothing limits how many there are. */
const isAtTheDoor = ({ status, paramsHash }: Audit): boolean => (status === 429 || status === 403) && paramsHash === ""

interface Day {
  readonly begins: number
  refused: number
  answered: number
}

/**
 * Which uncharged calls get an audit row of their own and which are counted: one row for those of a key that ended alike
 * within a minute. What was charged is never counted.
 */
export const make = (isLow: () => boolean) => {
  const open = new Map<string, Audit & { readonly calls: number }>()
  const days = new Map<string, Day>()

  const dayOf = ({ keyId, at }: Audit): Day => {
    const begins = at - (at % day)
    const before = days.get(keyId)
    if (before !== undefined && begins <= before.begins) return before
    if (days.size >= mostKeys) days.clear()
    const made = { begins, refused: 0, answered: 0 }
    days.set(keyId, made)
    return made
  }

  const hasRow = (line: Audit): boolean => {
    if (isAtTheDoor(line) || isLow()) return false
    const kind = line.status >= 400 ? "refused" : "answered"
    const today = dayOf(line)
    today[kind]++
    return today[kind] <= rowsADay[kind]
  }

  return {
    /** True: the line was counted and comes with its minute's row. False: it gets one of its own. */
    take: (line: Audit): boolean => {
      if (line.charged > 0 || hasRow(line)) return false
      const name = `${line.keyId} ${line.at - (line.at % minute)} ${line.status} ${line.code}`
      const before = open.get(name)
      const { paramsHash: _, ...rest } = line
      open.set(
        name,
        before === undefined
          ? { ...rest, paramsHash: "", calls: 1 }
          : {
              ...before,
              requestId: line.requestId,
              endpoint: before.endpoint === line.endpoint ? line.endpoint : "*",
              latencyMs: Math.max(before.latencyMs, line.latencyMs),
              calls: before.calls + 1,
            },
      )
      return true
    },
    isEmpty: (): boolean => open.size === 0,
    isFull: (): boolean => open.size >= mostOpen,
    /** Takes out the counts of minutes that are over at `now`; all of them where it is left out. */
    over: (now = Number.POSITIVE_INFINITY): ReadonlyArray<Audit> => {
      const lines: Array<Audit> = []
      for (const [name, line] of open) {
        if (now - (line.at - (line.at % minute)) < minute) continue
        open.delete(name)
        lines.push(line)
      }
      return lines
    },
  }
}
