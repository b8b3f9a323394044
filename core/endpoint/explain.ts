import type { Answer, Citation } from "./Answer.ts"

/** Where a source is looked up. */
export interface Source {
  readonly source: string
  readonly locator: string
}

/** A step of an answer with its sources; plain text has none. */
export type Sentence = string | { readonly text: string; readonly sources: ReadonlyArray<Source> }

/** The steps of an answer, and its citations with the numbers of their steps. */
export type Explained = Pick<Answer<unknown>, "reasoning" | "citations">

export const cite = (source: string, locator: string): Source => ({ source, locator })

export const step = (text: string, ...sources: ReadonlyArray<Source>): Sentence => ({ text, sources })

/** A step about a value, if there is one. */
export const when = <A>(value: A | undefined | false, about: (value: A) => Sentence): Sentence | undefined =>
  value === undefined || value === false ? undefined : about(value)

/**
 * Explains an answer: numbers the steps that are there, and their citations with them.
 *
 * @example
 * ```ts
 * import { cite, explain, step, when } from "./explain.ts"
 *
 * const rated = step("Rated both.", cite("results", "2025"))
 * explain(when(false, () => "Posted: 3."), "Read the game.", rated).citations[0]?.step // 2
 * ```
 */
export const explain = (...sentences: ReadonlyArray<Sentence | undefined>): Explained => {
  const reasoning: Array<string> = []
  const citations: Array<Citation> = []
  for (const sentence of sentences) {
    if (sentence === undefined) continue
    if (typeof sentence === "string") reasoning.push(sentence)
    else {
      reasoning.push(sentence.text)
      for (const { source, locator } of sentence.sources) citations.push({ step: reasoning.length, source, locator })
    }
  }
  return { reasoning, citations }
}
