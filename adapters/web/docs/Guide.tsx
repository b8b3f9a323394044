/** @jsxRuntime automatic @jsxImportSource preact */
import { lexer, type MarkedToken, type Token, type Tokens } from "marked"
import type { ComponentChildren } from "preact"
import { ifDefined } from "../../../core/ifDefined.ts"
import type { Guide } from "../../describe/guides.ts"
import type { Site } from "../../server/http/Site.ts"
import type { Language } from "../view/highlight.tsx"
import { Code, Table } from "../view/parts.tsx"

const languages: Readonly<Record<string, Language>> = {
  ...{ json: "json", jsonc: "json", sh: "sh" },
  ...{ js: "ts", javascript: "ts", ts: "ts", py: "py", python: "py" },
}

/** The anchor of a heading, as in the repository. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .trim()
    .replaceAll(" ", "-")

/** The words of tokens, without their marks. */
const words = (tokens: ReadonlyArray<Token>): string =>
  (tokens as ReadonlyArray<Tokens.Generic>)
    .map(({ tokens, ["text"]: text }) => (tokens ? words(tokens) : text))
    .join("")

/** Text in a line. */
const Inline = ({ tokens, site }: { readonly tokens: ReadonlyArray<Token>; readonly site: Site }) => (
  <>
    {(tokens as ReadonlyArray<MarkedToken>).map((token): ComponentChildren => {
      switch (token.type) {
        case "text":
        case "escape":
          return token.text
        case "codespan":
          return <code>{token.text}</code>
        case "strong":
          return (
            <strong>
              <Inline tokens={token.tokens} site={site} />
            </strong>
          )
        case "link": {
          const inner = <Inline tokens={token.tokens} site={site} />
          const isHere = !token.href.startsWith("/") || site.served(token.href.split("#")[0]!)
          return isHere ? <a href={token.href}>{inner}</a> : inner
        }
        default:
          throw new Error(`A guide has ${token.type} in a line: ${token.raw}`)
      }
    })}
  </>
)

const List = ({ list, site }: { readonly list: Tokens.List; readonly site: Site }) => {
  const items = list.items.map((item) => (
    <li key={item.raw}>
      {item.tokens.map((token) =>
        token.type === "text" || token.type === "paragraph" ? (
          <Inline key={token.raw} tokens={token.tokens!} site={site} />
        ) : (
          <Block key={token.raw} token={token as MarkedToken} site={site} under={item.text} />
        ),
      )}
    </li>
  ))
  return list.ordered ? <ol>{items}</ol> : <ul>{items}</ul>
}

/** A part of a page; `under`: the heading above it. */
const Block = ({
  token,
  site,
  under,
}: {
  readonly token: MarkedToken
  readonly site: Site
  readonly under: string
}): preact.JSX.Element => {
  switch (token.type) {
    case "heading": {
      const Heading = token.depth === 2 ? "h2" : "h3"
      return (
        <Heading id={anchor(words(token.tokens))}>
          <Inline tokens={token.tokens} site={site} />
        </Heading>
      )
    }
    case "paragraph":
      return (
        <p>
          <Inline tokens={token.tokens} site={site} />
        </p>
      )
    case "code":
      return <Code text={token.text} {...ifDefined("lang", languages[token.lang ?? ""])} />
    case "list":
      return <List list={token} site={site} />
    case "table": {
      const cell = ({ tokens }: Tokens.TableCell) => <Inline tokens={tokens} site={site} />
      const columns = token.header.map(({ tokens }) => words(tokens))
      return <Table caption={under} columns={columns} rows={token.rows.map((row) => row.map(cell))} />
    }
    default:
      throw new Error(`A guide has ${token.type}: ${token.raw}`)
  }
}

/** A section of a guide: its heading, its anchor (none: the beginning), and its parts. */
export interface Section {
  readonly heading: string
  readonly anchor?: string
  readonly tokens: ReadonlyArray<MarkedToken>
}

export const sections = ({ title, text }: Guide): ReadonlyArray<Section> => {
  const all: Array<{ heading: string; anchor?: string; tokens: Array<MarkedToken> }> = [{ heading: title, tokens: [] }]
  for (const token of lexer(text) as ReadonlyArray<MarkedToken>) {
    if (token.type === "space" || (token.type === "heading" && token.depth === 1)) continue
    if (token.type === "heading" && token.depth === 2) {
      const heading = words(token.tokens)
      all.push({ heading, anchor: anchor(heading), tokens: [] })
    }
    all.at(-1)!.tokens.push(token)
  }
  return all
}

export const searched = ({ tokens }: Section): string => tokens.map(({ raw }) => raw.replace(/[`*|#]/g, " ")).join(" ")

/** A guide below its title. Headings stand for the captions of its tables. */
export const Body = ({ guide, site }: { readonly guide: Guide; readonly site: Site }) => (
  <div class="listing">
    {sections(guide).flatMap(({ heading, tokens }) =>
      tokens.map((token) => <Block key={token.raw} token={token} site={site} under={heading} />),
    )}
  </div>
)
