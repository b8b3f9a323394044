import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { perform } from "../../../../adapters/admin/AdminOperation.ts"
import { peopleVerbs } from "../../../../adapters/admin/peopleVerbs.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import type { Running } from "../../../support/running.ts"

/** What a browser sends with a form of our own page. */
export const ours = { "sec-fetch-site": "same-origin" }

/** Headers of the sign-in form, whose page has set a cookie. */
export const entering = { ...ours, cookie: "cookies=on" }

/** A browser without script: it keeps the session's cookie and does not follow redirects. */
export interface Visitor {
  readonly cookie: string
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Seen>
  /** Opens a page and sends one of its forms, found by its action, with other values. */
  readonly send: (
    path: string,
    action: string,
    values?: Record<string, string | ReadonlyArray<string>>,
    headers?: Record<string, string>,
  ) => Promise<Seen>
  /** Sends a body as it is. */
  readonly post: (path: string, values: URLSearchParams, headers?: Record<string, string>) => Promise<Seen>
}

export interface Seen {
  readonly status: number
  readonly headers: Headers
  readonly html: string
}

const seen = async (response: Response): Promise<Seen> => ({
  status: response.status,
  headers: response.headers,
  html: await response.text(),
})

/** The hidden values of a form. */
export const hidden = (html: string, action: string): URLSearchParams => {
  const form = [...html.matchAll(/<form[\s\S]*?<\/form>/g)]
    .map(([text]) => text)
    .find((text) => text.includes(`name="action" value="${action}"`))
  if (form === undefined) throw new Error(`There is no form for ${action}.`)
  return new URLSearchParams(
    [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  )
}

/** What a form of a page would send, where the page does not show it. */
export const unseen = (
  html: string,
  action: string,
  values: Readonly<Record<string, string>> = {},
): URLSearchParams => {
  const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)![1]!
  return new URLSearchParams({ form_token: valueOf("form_token"), form_id: valueOf("form_id"), action, ...values })
}

export const enter = async (url: string, code: string, headers: Record<string, string> = ours): Promise<Seen> =>
  seen(
    await fetch(`${url}/dashboard/enter`, {
      method: "POST",
      body: new URLSearchParams({ code }),
      headers: { cookie: "cookies=on", ...headers },
      redirect: "manual",
    }),
  )

/** The code of a new link. */
export const linkOf = (
  { run }: Running,
  guest: Parameters<
    typeof perform<typeof peopleVerbs.dashboardLink.params, typeof peopleVerbs.dashboardLink.results>
  >[1],
) => run(Effect.map(perform(peopleVerbs.dashboardLink, guest), ({ path }) => path.split("#")[1]!))

/** Somebody with the session of a cookie. */
export const visitorOf = (url: string, cookie: string): Visitor => {
  const get: Visitor["get"] = async (path, headers = {}) =>
    seen(await fetch(url + path, { headers: { cookie, ...headers }, redirect: "manual" }))
  const post: Visitor["post"] = async (path, body, headers = ours) =>
    seen(await fetch(url + path, { method: "POST", body, headers: { cookie, ...headers }, redirect: "manual" }))
  return {
    cookie,
    get,
    post,
    send: async (path, action, values = {}, headers) => {
      const body = hidden((await get(path)).html, action)
      for (const [name, value] of Object.entries(values)) {
        body.delete(name)
        for (const each of typeof value === "string" ? [value] : value) body.append(name, each)
      }
      return post(path, body, headers)
    },
  }
}

/** Signs somebody in by a link. */
export const signIn = async (running: Running, guest: Parameters<typeof linkOf>[1]): Promise<Visitor> => {
  const { headers } = await enter(running.url, await linkOf(running, guest))
  const cookie = headers.get("set-cookie")?.split(";")[0]
  if (cookie === undefined) throw new Error("No session began.")
  return visitorOf(running.url, cookie)
}

/** A further account with a key, for what one account must not see of another. */
export const otherAccount = ({ run }: Running, name: string) =>
  run(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { id } = yield* accounts.create(name)
      const { key, plaintext } = yield* accounts.issueKey({ account: id, environment: "live", tier: "indie" })
      return { id, key: key.id, token: Redacted.value(plaintext) }
    }),
  )
