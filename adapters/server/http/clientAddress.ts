import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import ipaddr from "ipaddr.js"
import { getOrMake } from "../../../core/getOrMake.ts"

/** Whether an address is one of our own proxies, whose `X-Forwarded-For` is trusted. */
export type Trusts = (address: string) => boolean

/** No proxy: the peer is the client. */
export const trustsNobody: Trusts = () => false

type Parsed = ipaddr.IPv4 | ipaddr.IPv6

/** Parses an address; IPv4-mapped IPv6 becomes IPv4. Undefined if it is not an address. */
const parseAddress = (text: string): Parsed | undefined => {
  const bare = text.replace(/%.*$/, "")
  // The library also accepts old forms such as 0x7f.1, which no proxy writes.
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined
  return ipaddr.process(bare)
}

/** Parses an entry of `X-Forwarded-For`, to which some proxies append the port. */
const parseForwarded = (text: string): Parsed | undefined => {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(text) ?? []
  return parseAddress(bracketed ?? dotted ?? text)
}

type Range = readonly [Parsed, number]

const isWithin = (address: Parsed, [range, bits]: Range): boolean =>
  address.kind() === range.kind() && address.match(range as never, bits)

const parseRange = (entry: string): Range | undefined => {
  const [, text = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const address = parseAddress(text)
  if (address === undefined) return undefined
  // ::ffff:10.0.0.0/104 for 10.0.0.0/8 is not supported: its prefix length counts IPv6 bits.
  if (bits !== undefined && address.kind() === "ipv4" && text.includes(":")) return undefined
  const longestPrefix = address.kind() === "ipv4" ? 32 : 128
  const length = bits === undefined ? longestPrefix : Number(bits)
  return length > longestPrefix ? undefined : [address, length]
}

/**
 * Parses the list of trusted proxies.
 *
 * @param entries such as `10.0.0.0/8`, `192.0.2.7` or `2001:db8::/32`
 * @returns the first invalid entry, if there is one
 */
export const parseTrustedProxies = (entries: ReadonlyArray<string>): Trusts | string => {
  const ranges: Array<Range> = []
  for (const entry of entries) {
    const range = parseRange(entry)
    if (range === undefined) return entry
    ranges.push(range)
  }
  return (text) => {
    const address = parseAddress(text)
    return address !== undefined && ranges.some((range) => isWithin(address, range))
  }
}

export const isLoopback = (text: string): boolean => parseAddress(text)?.range() === "loopback"

/** One client: an IPv4 address, or an IPv6 /64, the smallest block that a provider assigns. Its /48 is limited too. */
const toClientGroup = (address: Parsed): string =>
  address.kind() === "ipv4"
    ? address.toString()
    : `${new ipaddr.IPv6([...(address as ipaddr.IPv6).parts.slice(0, 4), 0, 0, 0, 0]).toRFC5952String()}/64`

/** The client of a socket's address, as rate limits name it. */
export const clientGroup = (text: string): string => {
  const address = parseAddress(text)
  return address === undefined ? text : toClientGroup(address)
}

/** The peers of open sockets: an address is parsed once per connection. */
const peers = new WeakMap<Socket, string>()

const clientGroupOfPeer = (socket: Socket, text: string): string => getOrMake(peers, socket, () => clientGroup(text))

/**
 * The client of a request, as rate limits name it: the socket's peer or, where that is a trusted proxy, the nearest
 * untrusted address before it in `X-Forwarded-For`. Entries further left and all other headers are ignored, since the
 * client can forge them. Undefined for a peer without an address: one that has gone.
 */
export const of = ({ socket, headers }: IncomingMessage, trusts: Trusts): string | undefined => {
  const peer = socket.remoteAddress
  if (peer === undefined) return undefined
  const forwarded = headers["x-forwarded-for"]
  if (forwarded === undefined || !trusts(peer)) return clientGroupOfPeer(socket, peer)
  let nearest = peer
  for (const text of String(forwarded).split(",").reverse()) {
    const address = parseForwarded(text.trim())
    // An entry that is not an address: the proxy that forwarded it counts as the client.
    if (address === undefined) break
    nearest = address.toString()
    if (!trusts(nearest)) break
  }
  return clientGroup(nearest)
}
