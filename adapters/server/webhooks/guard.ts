import { Resolver, lookup as systemLookup } from "node:dns/promises"
import { isIP, type LookupFunction } from "node:net"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import ipaddr from "ipaddr.js"
import { Destinations } from "../../../core/events/Destinations.ts"
import { invalid } from "../../../core/Failure.ts"

/** A URL or an address that must not be called, or connected to; the message is for the user. */
export class BlockedUrl extends Error {
  override readonly name = "Refused"
}

/** The host does not resolve. */
export class UnresolvedHost extends Error {
  override readonly name = "Unresolved"
}

/** Every address of a host; none, or a rejection, if it has none. */
export type Resolve = (host: string) => Promise<ReadonlyArray<string>>

export interface Options {
  /** Hosts for development, with or without a port: any address and plain http are allowed. */
  readonly allowHosts?: ReadonlyArray<string>
  readonly resolve?: Resolve
}

/** A URL that passed the checks of its text; its host is not looked up yet. */
export interface Target {
  readonly url: URL
  /** Whether its host is in `allowHosts`, so that its addresses are not checked. */
  readonly isAllowedHost: boolean
}

const notPublicMessage = (host: string): string => `url must lead to the public internet; ${host} does not.`

/** 443 and its usual alternative. Other ports may be other or internal services. */
const allowedPorts = ["", "443", "8443"]

const maxUrlLength = 2_048

/** Names that may resolve to the operator's own network. A public name has a dot. */
const localNamePattern = /^[^.]+$|(^|\.)(localhost|local|internal|intranet|home\.arpa|home|corp|lan)$/

/** Azure's WireServer: the address looks public, and leads to the host of a virtual machine. */
const wireServer = "168.63.129.16"

/** Public IPv6 addresses are in 2000::/3. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** Whether an address is public: not of this machine, its network or a special-purpose range. */
export const isPublic = (address: string): boolean => {
  const bare = address.replace(/%.*$/, "")
  if (isIP(bare) === 0) return false
  const parsed = ipaddr.parse(bare)
  if (parsed.range() !== "unicast" || parsed.toString() === wireServer) return false
  return parsed.kind() === "ipv4" || parsed.match(globalUnicast)
}

/** DNS only: uses neither the hosts file nor the thread pool of other look-ups. */
const resolveByDns: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return answers.flatMap((each) => (each.status === "fulfilled" ? each.value : []))
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, "")

/** A host, with or without a port, in URL form; undefined if it is invalid. */
export const normaliseHost = (entry: string): string | undefined => {
  const [, host = "", port] = /^(\[[^\]]+\]|[^:]+|[^\]]*::[^\]]*?)(:[1-9]\d{0,4})?$/.exec(entry.toLowerCase()) ?? []
  const written = host.includes("::") && !host.startsWith("[") ? `[${host}]` : host
  if (!URL.canParse(`http://${written}`) || new URL(`http://${written}`).hostname !== written) return undefined
  return written + (port ?? "")
}

const parse = (text: string, allowedHosts: ReadonlySet<string>): Either.Either<Target, BlockedUrl> => {
  const blocked = (message: string) => Either.left(new BlockedUrl(message))
  if (text.length > maxUrlLength) return blocked(`url must have at most ${maxUrlLength} characters.`)
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes("\\")) {
    return blocked("url must be printable ASCII without spaces or backslashes; write other letters percent-encoded.")
  }
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1]
  if (authority === undefined || !URL.canParse(text)) return blocked("url must be an absolute https URL.")
  if (authority.includes("@")) return blocked("url must not contain a user name or password.")
  const url = new URL(text)
  // A URL parser also accepts forms such as 0x7f.1 and %31. Only the normal form is allowed, so parsers cannot differ.
  if (authority.replace(/:\d*$/, "").toLowerCase() !== url.hostname || url.hostname.endsWith(".")) {
    return blocked(`url must have its host in normal form: ${url.hostname.replace(/\.$/, "")}.`)
  }
  if (
    allowedHosts.has(url.hostname) ||
    allowedHosts.has(`${url.hostname}:${url.port || (url.protocol === "http:" ? 80 : 443)}`)
  )
    return Either.right({ url, isAllowedHost: true })
  if (url.protocol !== "https:")
    return blocked("Use an https:// address; plain http needs the host in the operator's WEBHOOK_ALLOW_HOSTS.")
  if (!allowedPorts.includes(url.port)) return blocked("url must use the port 443 or 8443.")
  const host = bare(url.hostname)
  if (isIP(host) !== 0 ? !isPublic(host) : localNamePattern.test(host)) return blocked(notPublicMessage(url.hostname))
  return Either.right({ url, isAllowedHost: false })
}

/**
 * The guard of user-supplied URLs: decides which of them may be called, and at which addresses. `check` is for saving a
 * URL; `parse`, `lookup` and `mayReach` are for every call, since a name's addresses change.
 */
export const make = ({ allowHosts = [], resolve = resolveByDns }: Options = {}) => {
  const allowedHosts = new Set(allowHosts)

  /** The addresses of a target. Rejects if one is not public, unless the host is allowed. */
  const addresses = async ({ url, isAllowedHost: anywhere }: Target): Promise<ReadonlyArray<string>> => {
    const host = bare(url.hostname)
    if (isIP(host) !== 0) return [host]
    const found = anywhere
      ? (await systemLookup(host, { all: true }).catch(() => [])).map(({ address }) => address)
      : await resolve(host).catch(() => [])
    if (found.length === 0) throw new UnresolvedHost(`${host} does not resolve.`)
    if (!anywhere && !found.every(isPublic)) throw new BlockedUrl(notPublicMessage(host))
    return found
  }

  return {
    read: (text: string) => parse(text, allowedHosts),
    /** Parses a URL and looks up its host, unless it is allowed. `UnresolvedHost` is only a warning, since DNS may change. */
    check: async (text: string): Promise<Either.Either<Target, BlockedUrl | UnresolvedHost>> => {
      const target = parse(text, allowedHosts)
      if (Either.isLeft(target) || target.right.isAllowedHost) return target
      return addresses(target.right).then(
        () => target,
        (error: BlockedUrl | UnresolvedHost) => Either.left(error),
      )
    },
    /** For `http.request`: looks up and checks at once, so that no other address is used between check and connect. */
    lookup:
      (target: Target): LookupFunction =>
      (_host, { all }, callback) =>
        void addresses(target).then(
          (found) => {
            const each = found.map((address) => ({ address, family: isIP(address) }))
            if (all) callback(null, each)
            else callback(null, each[0]!.address, each[0]!.family)
          },
          (error) => callback(error, ""),
        ),
    /** Whether a connection to `address` may be used. */
    mayReach: ({ isAllowedHost: anywhere }: Target, address: string | undefined): boolean =>
      anywhere || (address !== undefined && isPublic(address)),
  }
}

export type Guard = ReturnType<typeof make>

/** An address in its plain form: without a name, quotes or comments. */
export const addressPattern = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?=.{1,190}$)[a-z\d-]+(\.[a-z\d-]+)*\.[a-z][a-z\d-]*$/i

const scheme = "mailto:"

/** The address in a webhook's `mailto:` URL; undefined for any other URL. */
export const parseMailto = (url: string): string | undefined => {
  if (!url.startsWith(scheme)) return undefined
  const address = url.slice(scheme.length)
  return addressPattern.test(address) ? address : undefined
}

const noMail = "This service sends no e-mail. Use an https:// address."

const checkAddress = (text: string) => {
  const url = text.trim().replace(/^mailto:/i, "mailto:")
  return parseMailto(url) === undefined
    ? Effect.fail(invalid("url", "Write mailto: and one e-mail address."))
    : Effect.succeed({ url })
}

/** Checks destinations when they are saved: URLs by the guard, `mailto:` by its form. */
export const layerDestinations = ({
  sendsMail = false,
  ...options
}: Options & { readonly sendsMail?: boolean } = {}): Layer.Layer<Destinations> =>
  Layer.sync(Destinations, () => {
    const guard = make(options)
    return {
      check: (text) => {
        if (/^mailto:/i.test(text)) return sendsMail ? checkAddress(text) : Effect.fail(invalid("url", noMail))
        return Effect.flatMap(
          Effect.promise(() => guard.check(text)),
          (checked) => {
            if (Either.isRight(checked)) return Effect.succeed({ url: checked.right.url.href })
            if (checked.left instanceof BlockedUrl) return Effect.fail(invalid("url", checked.left.message))
            return Effect.succeed({
              url: new URL(text).href,
              warning: `${checked.left.message} Deliveries are attempted anyway.`,
            })
          },
        )
      },
    }
  })
