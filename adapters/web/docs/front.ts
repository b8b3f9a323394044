import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Scope } from "effect/Scope"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import type { Failure } from "../../../core/Failure.ts"
import { warmUp } from "../../../core/WarmUp.ts"
import type { Board } from "../../describe/figures.ts"
import { type Document, rendered } from "../view/document.ts"
import { landing, type Today } from "./Landing.tsx"

/** A reader waits this long for the first value of a process, whose sums may take seconds; then the page comes without. */
const firstWait = "3 seconds"

/**
 * The last value read, at most once a minute, in a fiber of its own, so that no reader waits for a slow source. Undefined
 * after a failed read, also one that is a bug: the rest of the page needs none.
 *
 * @param name of the value, for the log
 */
export const latest = <A>(
  name: string,
  read: Effect.Effect<A | undefined, unknown>,
): Effect.Effect<Effect.Effect<A | undefined>> => {
  let shown: A | undefined
  const show = (value: A | undefined) =>
    Effect.sync(() => {
      shown = value
    })
  const reading = Effect.flatMap(read, show).pipe(
    Effect.catchAllCause((cause) =>
      Effect.zipRight(
        show(undefined),
        // A stop of the process interrupts the read, which is no failure.
        Effect.unless(Effect.logWarning(`${name} could not be read`, cause), () => Cause.isInterruptedOnly(cause)),
      ),
    ),
  )
  return Effect.map(Effect.cachedWithTTL(Effect.forkDaemon(reading), "1 minute"), (begun) =>
    Effect.gen(function* () {
      const fiber = yield* begun
      // A request may run uninterruptible, and a wait that cannot be interrupted has no time-out.
      if (shown === undefined) yield* Effect.timeoutOption(Effect.interruptible(Fiber.await(fiber)), firstWait)
      return shown
    }),
  )
}

export interface Options {
  readonly baseUrl: string
  /** The public scoreboard, read at most once a minute; undefined: there is none to show. */
  readonly board?: Effect.Effect<Board | undefined>
  /** The first answer, read at most once a minute. */
  readonly today?: Effect.Effect<Today, Failure>
}

/** The front page, rendered anew when what it shows has changed. */
export const frontPage = (
  catalogue: Catalogue.Any,
  { baseUrl, board, today }: Options,
): Effect.Effect<Document, never, Scope> =>
  Effect.gen(function* () {
    const nothing = Effect.succeed(undefined)
    const newestBoard = yield* latest("The scoreboard", board ?? nothing)
    const newest = Effect.all([newestBoard, yield* latest("The first page's answer", today ?? nothing)], {
      concurrency: "unbounded",
    })
    let last: readonly [Board | undefined, Today | undefined] | undefined
    let document: Document
    const shown: Document = Effect.flatMap(newest, (values) => {
      if (last === undefined || values.some((value, at) => value !== last![at])) {
        last = values
        const [shownBoard, shownToday] = values
        document = rendered((site) => landing({ catalogue, site, baseUrl, board: shownBoard, today: shownToday }))
      }
      return document
    })
    // The board takes longest; the answer is read in the time for which the first visitor waits.
    yield* warmUp(newestBoard)
    return shown
  })
