import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

export const token = "an-operator's-token-of-32-characters"
export const admin = { token: Option.some(Redacted.make(token)), listen: Option.some({ host: "127.0.0.1", port: 0 }) }

/** Asks the admin API at `url`; a path without a slash is one of its own. */
export const send = async (
  url: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => {
  const response = await fetch(`${url}${path.startsWith("/") ? path : `/admin/v1/${path}`}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire brought
  const json = (text === "" ? undefined : JSON.parse(text)) as any
  return { status: response.status, headers: response.headers, text, json }
}
