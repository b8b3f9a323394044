/** @jsxRuntime automatic @jsxImportSource preact */
import { codeNames, codes } from "../../../../core/Failure.ts"
import { type Entry, find, heading, longest, most } from "./browser/search.js"
import { findCommon, listRows } from "./Fields.tsx"
import { type Operation, object, type Reference } from "./operations.ts"

const entry = (kind: Entry["kind"], name: string, words: string, path: string): Entry => ({ kind, name, words, path })

/** Everything that the reference can be searched for. */
export const listEntries = (reference: Reference, index: string): ReadonlyArray<Entry> => {
  const common = findCommon(reference)
  const all = reference.groups.flatMap(({ name, operations }) =>
    operations.map((operation) => ({ operation, path: `${index}/${name}#${operation.id}` })),
  )
  const calls = ({ method, path }: Operation) => `${method} ${path}`
  const wordsOf = (value: unknown, where: string) =>
    [value === undefined ? [] : String(value).replaceAll("`", ""), where].flat().join(" · ")
  return [
    ...all.map(({ operation, path }) =>
      entry("endpoint", calls(operation), `${operation.summary} · ${operation.id}`, path),
    ),
    ...reference.shared.map(({ name, description }) =>
      entry("parameter", name, wordsOf(description, "many operations"), `${index}/common#common`),
    ),
    ...all.flatMap(({ operation, path }) =>
      operation.own.map(({ name, description }) =>
        entry("parameter", name, wordsOf(description, calls(operation)), path),
      ),
    ),
    ...[...common.fields.values()].map(({ path, schema }) =>
      entry("field", path, wordsOf(schema["description"], "many answers"), `${index}/common#fields`),
    ),
    ...all.flatMap(({ operation, path }) =>
      listRows(reference.schemas, object(operation.answers[0]?.schema), "", [])
        .filter((row) => !common.isField(row))
        .map(({ path: name, schema }) => entry("field", name, wordsOf(schema["description"], calls(operation)), path)),
    ),
    ...codeNames.map((name) => entry("error", name, codes[name].message.replaceAll("`", ""), `/errors/${name}`)),
  ]
}

/** The field, and what a question finds. The script of the page fills the same place. */
export const Search = ({
  entries,
  index,
  question,
}: {
  readonly entries: ReadonlyArray<Entry>
  readonly index: string
  readonly question: string
}) => {
  const found = find(entries, question)
  return (
    <search>
      <Ask index={index} question={question} />
      <div id="results" aria-live="polite">
        {question !== "" && <h2>{heading(found)}</h2>}
        {found.length > 0 && (
          <ul>
            {found.slice(0, most).map(({ kind, name, words, path }) => (
              <li key={`${kind} ${name} ${path}`}>
                <a href={path}>
                  <code>{name}</code>
                </a>{" "}
                <span class="badge">{kind}</span> <span>{words}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </search>
  )
}

/** The question of a query, of bounded length; undefined: there is none. */
export const questionIn = (query: URLSearchParams): string | undefined =>
  (query.get("q") ?? "").trim().slice(0, longest) || undefined

/** The field of the search, which leads to the page that answers it. */
export const Ask = ({ index, question }: { readonly index: string; readonly question: string }) => (
  <form class="ask" method="get" action={index}>
    <label for="q">Search endpoints, parameters, fields and errors</label>
    <span>
      <input id="q" type="search" name="q" value={question} maxLength={longest} autocomplete="off" spellcheck={false} />
      <button type="submit">Search</button>
    </span>
  </form>
)

/** The question of a search, in the OpenAPI document. */
export const parameter = {
  name: "q",
  in: "query",
  description: "Words that endpoints, parameters, fields or errors must have.",
  schema: { type: "string", maxLength: longest },
  example: "settlement",
}
