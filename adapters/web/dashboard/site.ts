import type { IncomingMessage } from "node:http"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { isLoopback } from "../../server/http/clientAddress.ts"

/** The address under which a browser sees the dashboard, and its cookie there. */
export interface Origin {
  readonly origin: string
  readonly cookie: { readonly name: string; readonly attributes: string }
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:(\d{1,5}))?$/

/**
 * The origin of a request; undefined where the dashboard is off, because a cookie could be read on its way: it is served
 * under the public URL, if that is https, and over http on loopback names. Anybody can send such a name: a request that is
 * not from this machine gets no cookie that browsers would send in the clear, and none at all under an https URL. It may
 * be from this machine even so, through the port of a container.
 *
 * @param baseUrl the public URL of the service
 * @param isLocal whether the peer is this machine itself and passes on nobody else's request
 */
export const acceptedOrigin = (
  { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">,
  baseUrl: string,
  isLocal: boolean,
): Origin | undefined => {
  const host = headers["host"]
  if (host === undefined) return undefined
  const site = new URL(baseUrl)
  if (site.protocol === "https:" && host === site.host) {
    return {
      origin: site.origin,
      cookie: { name: "__Host-session", attributes: "Path=/; HttpOnly; Secure; SameSite=Lax" },
    }
  }
  const local = loopback.exec(host)
  if (local === null || (!isLocal && site.protocol === "https:")) return undefined
  // Cookies know no ports: each server on this machine has a name of its own. Safari drops Secure cookies over http.
  return {
    origin: `http://${host}`,
    cookie: {
      name: `session-${local[3] ?? "80"}`,
      attributes: `Path=/; HttpOnly; ${isLocal ? "" : "Secure; "}SameSite=Lax`,
    },
  }
}

/** Headers by which a proxy says whose request it passes on. */
const forwarded = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"]

/** Whether a request is from this machine itself: a proxy on it passes on those of others. */
export const isLocal = ({ socket, headers }: IncomingMessage): boolean =>
  socket.remoteAddress !== undefined &&
  isLoopback(socket.remoteAddress) &&
  forwarded.every((name) => headers[name] === undefined)

/** The value of a cookie; undefined if it is absent or sent twice. */
export const cookieOf = (header: string | undefined, name: string): string | undefined => {
  const values = (header ?? "").split(";").flatMap((part) => {
    const equals = part.indexOf("=")
    return equals !== -1 && part.slice(0, equals).trim() === name ? [part.slice(equals + 1).trim()] : []
  })
  return values.length === 1 ? values[0] : undefined
}

export const setCookie = ({ cookie }: Origin, token: string): string =>
  `${cookie.name}=${token}; ${cookie.attributes}; Max-Age=604800`

/** A cookie that shows whether the browser keeps any. */
export const probe = ({ cookie }: Origin): string =>
  `${cookie.name.replace("session", "cookies")}=on; ${cookie.attributes}`

export const dropCookie = ({ cookie }: Origin): string => `${cookie.name}=; ${cookie.attributes}; Max-Age=0`

/**
 * Whether a browser says that a page of ours sent a request. SameSite cookies alone do not: they are also sent by other
 * ports of the same machine and by other hosts of the same domain.
 */
export const isOurs = (
  { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">,
  { origin }: Origin,
): boolean => {
  const from = headers["sec-fetch-site"]
  const stated = headers["origin"]
  if (stated !== undefined && stated !== origin) return false
  return from === undefined ? stated === origin : from === "same-origin"
}
