import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Finds } from "./Findable.ts"

/** A text to be found by its name, by other words and by `text`, which count in this order. */
export interface Text {
  readonly name: string
  readonly words: string
  readonly text?: string
  /** Factor of its score. */
  readonly weight: number
}

/** A page of the documentation. */
export interface Page {
  readonly path: string
  readonly name: string
  readonly words: string
}

/** Port: the things that can be found, and their index. */
export class Finder extends Context.Tag("market-signals/core/find/Finder")<
  Finder,
  {
    readonly finds: ReadonlyArray<Finds>
    /** Read when an index is made. */
    readonly pages: () => ReadonlyArray<Page>
    /** Makes an index that gives the positions of the texts that a question finds, best first. */
    readonly index: (texts: ReadonlyArray<Text>) => Effect.Effect<(question: string) => ReadonlyArray<number>>
  }
>() {
  static readonly layerNone: Layer.Layer<Finder> = Layer.succeed(Finder, {
    finds: [],
    pages: () => [],
    index: () => Effect.succeed(() => []),
  })
}
