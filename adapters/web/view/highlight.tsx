/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"

/** Languages whose parts are coloured. */
export type Language = "json" | "sh" | "ts" | "py"

/** Kinds of parts, by the class in the style sheet: comment, property, string, number, word of the language. */
const kinds = ["hc", "hp", "hs", "hn", "hk"] as const

const text = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`
const numeral = String.raw`(?<![\w.$])-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])`
const never = "(?!)"

const grammar = (comment: string, property: string, words: string): RegExp =>
  new RegExp([comment, property, text, numeral, words].map((part) => `(${part})`).join("|"), "gm")

const grammars: Readonly<Record<Language, RegExp>> = {
  json: grammar(never, String.raw`"(?:[^"\\\n]|\\.)*"(?=\s*:)`, String.raw`\b(?:true|false|null)\b`),
  sh: grammar(
    "^#.*$",
    String.raw`(?<=\s)--?\w[\w-]*`,
    String.raw`^(?:curl|npm|npx|claude|export|pip|market-signals)\b`,
  ),
  ts: grammar(
    String.raw`\/\/.*$`,
    String.raw`\b\w+(?=:)`,
    String.raw`\b(?:import|from|const|await|new|export|true|false|null)\b`,
  ),
  py: grammar("#.*$", String.raw`\b\w+(?==(?!=))`, String.raw`\b(?:import|from|as|True|False|None|for|in|print)\b`),
}

/** An address breaks at its marks, a key, with the quotation mark after it, only where a line of its own is too short. */
const toBreakable = (text: string): ReadonlyArray<ComponentChildren> =>
  text
    .split(/(svk_\w{20,}"?)|(?<=[^/:][/?&])(?=\w)/)
    .map((part, at) => (at % 2 === 0 ? part : part === undefined ? <wbr /> : <span class="key-text">{part}</span>))

/** A text with its parts in elements of their class, of the shortest name: a page has a thousand. Nothing of the text is changed. */
export const Highlighted = ({ text: code, lang }: { readonly text: string; readonly lang: Language }) => {
  const pieces: Array<ComponentChildren> = []
  let end = 0
  for (const match of code.matchAll(grammars[lang])) {
    const kind = kinds[match.slice(1).findIndex((part) => part !== undefined)]!
    pieces.push(code.slice(end, match.index), <i class={kind}>{toBreakable(match[0])}</i>)
    end = match.index + match[0].length
  }
  return (
    <>
      {pieces}
      {code.slice(end)}
    </>
  )
}
