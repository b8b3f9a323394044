import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { Audit } from "../../../core/account/Ledger.ts"
import { BoundedMap } from "../../../core/BoundedMap.ts"
import * as Step from "../../../core/Step.ts"
import { day, minute } from "../../../core/time.ts"

/** Maximum open counts; when reached, all are written before their minute ends. */
const maxOpenCounts = 5_000
const maxKeys = 100_000

/**
 * How many of a key's uncharged calls get their own rows in a UTC day. A row takes about 90 bytes, 130 for a key of an agent,
 * so that failed calls and their counts stay below 1 MB a day.
 */
export const maxRowsPerDay = { refused: 5_000, answered: 10_000 } as const

/** Whether a call was refused before its parameters were read. Such calls are never rows, since their number is not limited. */
const isRefusedEarly = ({ status, paramsHash }: Audit): boolean =>
  (status === 429 || status === 403) && paramsHash === ""

interface Day {
  readonly begins: number
  refused: number
  answered: number
}

/**
 * Decides which uncharged calls get an audit row of their own and which are counted: one row for calls of a key with the
 * same result within a minute. A charged call always gets its own row.
 */
const makeCounts = (isLow: () => boolean) => {
  const open = new Map<string, Audit & { readonly calls: number }>()
  const days = new BoundedMap<string, Day>(maxKeys)

  const openDay = ({ keyId, at }: Audit): Day => {
    const begins = at - (at % day)
    const current = days.get(keyId)
    if (current !== undefined && begins <= current.begins) return current
    const made = { begins, refused: 0, answered: 0 }
    days.set(keyId, made)
    return made
  }

  const hasRow = (line: Audit): boolean => {
    if (isRefusedEarly(line) || isLow()) return false
    const kind = line.status >= 400 ? "refused" : "answered"
    const today = openDay(line)
    today[kind]++
    return today[kind] <= maxRowsPerDay[kind]
  }

  return {
    /** Counts a call in its minute's row. False: it gets its own row instead. */
    take: (line: Audit): boolean => {
      if (line.charged > 0 || hasRow(line)) return false
      const name = `${line.keyId} ${line.at - (line.at % minute)} ${line.status} ${line.code}`
      const current = open.get(name)
      const { paramsHash: _, fields: __, ...rest } = line
      open.set(
        name,
        current === undefined
          ? { ...rest, paramsHash: "", calls: 1 }
          : {
              ...current,
              requestId: line.requestId,
              endpoint: current.endpoint === line.endpoint ? line.endpoint : "*",
              latencyMs: Math.max(current.latencyMs, line.latencyMs),
              calls: current.calls + 1,
            },
      )
      return true
    },
    isEmpty: (): boolean => open.size === 0,
    isFull: (): boolean => open.size >= maxOpenCounts,
    /** Removes and returns the counts of minutes that are over at `now`; all counts by default. */
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

/**
 * Writes the audit rows of calls without a settlement: at once, or counted, at the end of their minute or of the scope.
 *
 * @param append its second parameter logs the row as lost
 */
export const make = (
  isLow: () => boolean,
  append: (line: Audit, lost: (cause: unknown) => void) => void,
): Effect.Effect<(line: Audit) => Effect.Effect<void>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const counts = makeCounts(isLow)
    const scope = yield* Effect.scope
    const log = Runtime.runFork(yield* Effect.runtime<never>())
    const post = (line: Audit): void =>
      append(line, (cause) => {
        log(Effect.annotateLogs(Effect.logError("Audit row lost", cause), "request_id", line.requestId))
      })
    yield* Effect.addFinalizer(() => Effect.sync(() => counts.over().forEach(post)))
    let waiting = false
    const writeLater: Effect.Effect<void> = Effect.suspend(() => {
      if (waiting || counts.isEmpty()) return Effect.void
      waiting = true
      return Clock.currentTimeMillis.pipe(
        Effect.flatMap((now) => Effect.sleep(minute - (now % minute) + 1)),
        Effect.zipRight(Clock.currentTimeMillis),
        Effect.flatMap((now) => {
          waiting = false
          counts.over(now).forEach(post)
          return writeLater
        }),
        // A call's end is uninterruptible, but the scope must not wait for the end of the minute.
        Effect.interruptible,
        Effect.forkIn(scope),
      )
    })
    return Step.methodFrom((line) => {
      if (!counts.take(line)) {
        post(line)
        return Exit.void
      }
      if (counts.isFull()) counts.over().forEach(post)
      return waiting ? Exit.void : writeLater
    })
  })
