import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import type { Failure } from "../../../core/Failure.ts"
import { warmUp } from "../../../core/WarmUp.ts"
import type { Board } from "../../describe/figures.ts"
import { type Document, rendered } from "../view/document.ts"
import { latest } from "../view/latest.ts"
import { landing, type Today } from "./Landing.tsx"

export interface Options {
  readonly baseUrl: string
  /** The public scoreboard, read at most once a minute; undefined: there is none to show. */
  readonly board?: Effect.Effect<Board | undefined>
  /** The first answer, read at most once a minute. */
  readonly today?: Effect.Effect<Today, Failure>
}

/** The front page, rendered again when its content has changed. */
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
        document = rendered((site) =>
          landing({ catalogue, site, baseUrl, board: shownBoard, today: shownToday, hasToday: today !== undefined }),
        )
      }
      return document
    })
    // The board takes longest; the answer is read in the time for which the first visitor waits.
    yield* warmUp(newestBoard)
    return shown
  })
