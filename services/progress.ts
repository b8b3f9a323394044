import * as Effect from "effect/Effect"
import { Progress } from "../core/Progress.ts"
import { count } from "../core/text.ts"

/** The properties of a terminal that a line of progress depends on. */
export interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write: (text: string) => boolean
}

export interface Streams {
  readonly stdout: Terminal
  readonly stderr: Terminal
}

/** One line on a terminal that shows the progress of long work. */
export interface Line {
  readonly tell: (what: string, at: number, of?: number) => void
  /** Removes the line; another step shows it again. */
  readonly end: () => void
}

const width = 24
const interval = 100
const silent: Line = { tell: () => {}, end: () => {} }

/** The text of the line. */
const progressText = (what: string, at: number, of: number | undefined): string => {
  if (of === undefined) return `${count(at)} ${what}`
  const done = of === 0 ? width : Math.min(width, Math.floor((width * at) / of))
  return `[${"#".repeat(done)}${".".repeat(width - done)}] ${count(at)}/${count(of)} ${what}`
}

/**
 * A progress line at the end of standard error, if that is a terminal. It is redrawn in place at most ten times a second; other
 * output appears above it.
 *
 * @param isPlain whether control sequences are switched off
 * @param now milliseconds
 */
export const make = ({ stdout, stderr }: Streams, isPlain: boolean, now: () => number): Line => {
  if (stderr.isTTY !== true) return silent
  const writers = [stdout, stderr]
    .filter(({ isTTY }) => isTTY === true)
    .map((stream) => ({ stream, own: stream.write }))
  const draw = (text: string) => void writers.at(-1)!.own.call(stderr, text)
  let [length, last, isWatching] = [0, Number.NEGATIVE_INFINITY, false]
  const erase = (): void => {
    if (length === 0) return
    draw(isPlain ? `\r${" ".repeat(length)}\r` : "\r\u001b[K")
    length = 0
    // The next step redraws it at once.
    last = Number.NEGATIVE_INFINITY
  }
  const watch = (): void => {
    isWatching = true
    for (const { stream, own } of writers) {
      stream.write = function (this: unknown, ...args: Parameters<Terminal["write"]>) {
        erase()
        return own.apply(stream, args)
      }
    }
  }
  return {
    tell: (what, at, of) => {
      const time = now()
      if (time - last < interval && at !== of) return
      if (!isWatching) watch()
      last = time
      // Some terminals report no width, or 0.
      const text = progressText(what, at, of).slice(0, (stderr.columns || 80) - 1)
      const rest = Math.max(0, length - text.length)
      draw(`\r${text}${isPlain ? " ".repeat(rest) : "\u001b[K"}`)
      length = Math.max(text.length, isPlain ? length : 0)
    },
    end: () => {
      erase()
      if (isWatching) for (const { stream, own } of writers) stream.write = own
      isWatching = false
    },
  }
}

/** The line of this process. */
export const makeProcessLine = (): Line =>
  make(process, (process.env["NO_COLOR"] ?? "") !== "" || process.env["TERM"] === "dumb", () => performance.now())

/** Shows the progress of the work on a terminal. */
export const showProgress = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(makeProcessLine),
    ({ tell }) => Effect.provideService(work, Progress, (what, at, of) => Effect.sync(() => tell(what, at, of))),
    ({ end }) => Effect.sync(end),
  )
