/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { findCall } from "../../../../core/account/Calls.ts"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import { isKeyless } from "../../../../core/endpoint/Endpoint.ts"
import { playgroundOf } from "../../view/addresses.ts"
import { Find } from "../../view/filters.tsx"
import { type Entry, questionIn, searchIn } from "../../view/search.ts"
import { keyName } from "../names.ts"
import { ofAccount, type Page } from "../Page.ts"
import { isFor } from "../rights.ts"

export const searchPath = "/dashboard/search"

/** Things of a kind that are listed. */
const maxFound = 10

/** A search result. */
interface Hit {
  readonly href: string
  readonly label: string
}

interface Kind {
  readonly name: string
  readonly hits: ReadonlyArray<Hit>
}

/** Agents, keys and the call of an account that a text names. */
const search = (accountId: string, text: string) =>
  Effect.gen(function* () {
    const part = { text, limit: maxFound + 1 }
    const agents = yield* (yield* Agents).page(accountId, part)
    const keys = yield* (yield* Accounts).keyPage(accountId, { ...part, internal: false })
    const call = yield* findCall(accountId, text)
    return [
      {
        name: "Agents",
        hits: agents.map(({ agent }) => ({ href: `/dashboard/agents/${agent.id}`, label: agent.name })),
      },
      { name: "Keys", hits: keys.map((key) => ({ href: `/dashboard/keys/${key.id}`, label: keyName(key) })) },
      {
        name: "Calls",
        hits: call === undefined ? [] : [{ href: `/dashboard/calls/${call.requestId}`, label: call.requestId }],
      },
    ] satisfies ReadonlyArray<Kind>
  })

const Hits = ({ name, hits }: Kind) => (
  <section>
    <h2>{name}</h2>
    <ul>
      {hits.slice(0, maxFound).map(({ href, label }) => (
        <li key={href}>
          <a href={href}>{label}</a>
        </li>
      ))}
    </ul>
    {hits.length > maxFound && <p class="soft">There are more. Write more of the name.</p>}
  </section>
)

/**
 * Finds pages, endpoints, agents and keys by name, and a call by its request id.
 *
 * @param pages of the side bar
 */
export const searchPage = (catalogue: Catalogue.Any, pages: ReadonlyArray<Page>): Page => {
  const endpoints = Catalogue.live(catalogue).flatMap(
    ({ endpoint }): ReadonlyArray<Entry> =>
      isKeyless(endpoint)
        ? []
        : [
            {
              kind: "endpoint",
              name: endpoint.summary,
              words: `${endpoint.id} ${endpoint.path}`,
              path: playgroundOf(endpoint.id),
            },
          ],
  )
  return ofAccount({
    path: searchPath,
    view: ({ account, query, actor }) =>
      Effect.gen(function* () {
        const text = questionIn(query) ?? ""
        const visible = pages.filter((page) => isFor(page, { account, actor }))
        const find = searchIn([
          ...visible.flatMap(
            ({ path, label }): ReadonlyArray<Entry> =>
              label === undefined ? [] : [{ kind: "page", name: label, words: "", path }],
          ),
          ...endpoints,
        ])
        const places = find(text).map(({ path, name }) => ({ href: path, label: name }))
        const kinds: ReadonlyArray<Kind> =
          text === "" ? [] : [...(yield* search(account.id, text)), { name: "Pages and endpoints", hits: places }]
        const kindsWithHits = kinds.filter(({ hits }) => hits.length > 0)
        return {
          title: "Search",
          body: (
            <>
              <Find label="Page, key, agent, endpoint or request id" path={searchPath} query={query} />
              {kindsWithHits.map((kind) => (
                <Hits key={kind.name} {...kind} />
              ))}
              {text !== "" && kindsWithHits.length === 0 && (
                <p>
                  Nothing is called {text}. <a href="/dashboard/calls">Calls</a> can be filtered by endpoint, status and
                  day, and <a href={`/docs/search?${new URLSearchParams({ q: text })}`}>the documentation</a> can be
                  searched.
                </p>
              )}
            </>
          ),
        }
      }),
  })
}
