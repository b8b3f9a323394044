import { Resolver, lookup as systemLookup } from "node:dns/promises"
import { isIP, type LookupFunction } from "node:net"
import * as Either from "effect/Either"
import ipaddr from "ipaddr.js"

/** Why a URL or an address may not be called; the message is for whoever gave it. */
export class Refused extends Error {
  override readonly name = "Refused"
}

/** The host has no address, or nobody says which. */
export class Unresolved extends Error {
  override readonly name = "Unresolved"
}

/** Every address of a host; rejects where it has none. */
export type Resolve = (host: string) => Promise<ReadonlyArray<string>>

export interface Options {
  /** Hosts of a developer, each with or without a port: they may be anywhere and answer plain http. */
  readonly allowHosts?: ReadonlyArray<string>
  readonly resolve?: Resolve
}

/** A URL that may be called, so far as one can say without looking up its host. */
export interface Target {
  readonly url: URL
  /** Named by `allowHosts`: its addresses are not looked at. */
  readonly exempt: boolean
}

const elsewhere = (host: string): string => `url must lead to the public internet, and ${host} does not.`

/** 443 and its usual stand-in. Everything else is some other service, or somebody's internal one. */
const ports = ["", "443", "8443"]

const longest = 2_048

/** Names that a resolver may answer from the operator's own network. A public name has a dot. */
const localName = /^[^.]+$|(^|\.)(localhost|local|internal|intranet|home\.arpa|home|corp|lan)$/

/** Unicast, and yet not the public internet: the host of a virtual machine at one cloud. */
const wireServer = "168.63.129.16"

/** Public IPv6 is what has been given out for it: 2000::/3. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** Whether an address belongs to the public internet: not to this machine, its network or any special purpose. */
export const isPublic = (address: string): boolean => {
  const bare = address.replace(/%.*$/, "")
  if (isIP(bare) === 0) return false
  const parsed = ipaddr.parse(bare)
  if (parsed.range() !== "unicast" || parsed.toString() === wireServer) return false
  return parsed.kind() === "ipv4" || parsed.match(globalUnicast)
}

/** DNS alone: neither this machine's hosts file nor the thread pool that other look-ups wait for. */
const dns: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((each) => (each.status === "fulfilled" ? each.value : []))
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, "")

/** A host, with or without a port, as a URL would write it; undefined where it is neither. */
export const hostForm = (entry: string): string | undefined => {
  const [, host = "", port] = /^(\[[^\]]+\]|[^:]+|[^\]]*::[^\]]*?)(:[1-9]\d{0,4})?$/.exec(entry.toLowerCase()) ?? []
  const written = host.includes("::") && !host.startsWith("[") ? `[${host}]` : host
  if (!URL.canParse(`http://${written}`) || new URL(`http://${written}`).hostname !== written) return undefined
  return written + (port ?? "")
}

/**
 * The one gate for URLs that a user gives us: which of them may be called, and which addresses may be dialled for them.
 * `check` is for the moment when one is saved, `read` and `lookup` for every call, because names change their addresses.
 */
export const make = ({ allowHosts = [], resolve = dns }: Options = {}) => {
  const exempt = new Set(allowHosts)

  const read = (text: string): Either.Either<Target, Refused> => {
    const refuse = (message: string) => Either.left(new Refused(message))
    if (text.length > longest) return refuse(`url must have at most ${longest} characters.`)
    if (!/^[\x21-\x7e]+$/.test(text) || text.includes("\\")) {
      return refuse("url must be printable ASCII without spaces or backslashes; write other letters percent-encoded.")
    }
    const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1]
    if (authority === undefined || !URL.canParse(text)) return refuse("url must be an absolute https URL.")
    if (authority.includes("@")) return refuse("url must hold no user name or password.")
    const url = new URL(text)
    // A parser reads 0x7f.1 and %31 as well. What is written in one way only cannot be read in two.
    if (authority.replace(/:\d*$/, "").toLowerCase() !== url.hostname || url.hostname.endsWith(".")) {
      return refuse(`url must write its host plainly: ${url.hostname.replace(/\.$/, "")}.`)
    }
    if (exempt.has(url.hostname) || exempt.has(`${url.hostname}:${url.port || (url.protocol === "http:" ? 80 : 443)}`))
      return Either.right({ url, exempt: true })
    if (url.protocol !== "https:")
      return refuse("url must begin with https://; only hosts of WEBHOOK_ALLOW_HOSTS get plain http.")
    if (!ports.includes(url.port)) return refuse("url must use the port 443 or 8443.")
    const host = bare(url.hostname)
    if (isIP(host) !== 0 ? !isPublic(host) : localName.test(host)) return refuse(elsewhere(url.hostname))
    return Either.right({ url, exempt: false })
  }

  /** Every address of a target that may be dialled. One that may not is enough to refuse all. */
  const addresses = async ({ url, exempt: anywhere }: Target): Promise<ReadonlyArray<string>> => {
    const host = bare(url.hostname)
    if (isIP(host) !== 0) return [host]
    const found = anywhere
      ? (await systemLookup(host, { all: true }).catch(() => [])).map(({ address }) => address)
      : await resolve(host).catch(() => [])
    if (found.length === 0) throw new Unresolved(`${host} has no address.`)
    if (!anywhere && !found.every(isPublic)) throw new Refused(elsewhere(host))
    return found
  }

  return {
    read,
    /** Reads a URL and looks its host up. `Unresolved` says nothing against it: names come and go. */
    check: async (text: string): Promise<Either.Either<Target, Refused | Unresolved>> => {
      const target = read(text)
      if (Either.isLeft(target) || target.right.exempt) return target
      return addresses(target.right).then(
        () => target,
        (error: Refused | Unresolved) => Either.left(error),
      )
    },
    /** For `http.request`: gives only what may be dialled, so that there is no moment between look and leap. */
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
    /** Whether a connection may be used that has reached `address`. */
    mayReach: ({ exempt: anywhere }: Target, address: string | undefined): boolean =>
      anywhere || (address !== undefined && isPublic(address)),
  }
}

export type Guard = ReturnType<typeof make>
