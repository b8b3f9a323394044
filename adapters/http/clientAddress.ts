import type { IncomingMessage } from "node:http"
import ipaddr from "ipaddr.js"

/** Whether an address is one of our own proxies', so that what it says of the client behind it is believed. */
export type Trusts = (address: string) => boolean

/** No proxy: whoever connects is the client. */
export const trustsNobody: Trusts = () => false

type Parsed = ipaddr.IPv4 | ipaddr.IPv6

/** An address as it stands on a socket or in a header; IPv4 within IPv6 is IPv4. Undefined where it is none. */
const read = (text: string): Parsed | undefined => {
  const bare = text.replace(/%.*$/, "")
  // The library reads old forms such as 0x7f.1, which no proxy writes.
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined
  return ipaddr.process(bare)
}

/** What stands in `X-Forwarded-For`: an address, of which some proxies write the port as well. */
const readForwarded = (text: string): Parsed | undefined => {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(text) ?? []
  return read(bracketed ?? dotted ?? text)
}

type Range = readonly [Parsed, number]

const within = (address: Parsed, [range, bits]: Range): boolean =>
  address.kind() === range.kind() && address.match(range as never, bits)

const readRange = (entry: string): Range | undefined => {
  const [, text = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const address = read(text)
  if (address === undefined) return undefined
  // 10.0.0.0/8 written as ::ffff:10.0.0.0/104 would need other arithmetic, and nobody writes it.
  if (bits !== undefined && address.kind() === "ipv4" && text.includes(":")) return undefined
  const most = address.kind() === "ipv4" ? 32 : 128
  const length = bits === undefined ? most : Number(bits)
  return length > most ? undefined : [address, length]
}

/**
 * The proxies that a list of addresses and ranges names.
 *
 * @param entries such as `10.0.0.0/8`, `192.0.2.7` or `2001:db8::/32`
 * @returns the first entry that is neither, as a text, where there is one
 */
export const trusting = (entries: ReadonlyArray<string>): Trusts | string => {
  const ranges: Array<Range> = []
  for (const entry of entries) {
    const range = readRange(entry)
    if (range === undefined) return entry
    ranges.push(range)
  }
  return (text) => {
    const address = read(text)
    return address !== undefined && ranges.some((range) => within(address, range))
  }
}

/** This machine itself. */
export const isLoopback = (text: string): boolean => read(text)?.range() === "loopback"

/** What one client has: an IPv4 address, or the /64 that every IPv6 line is given at least. */
const groupOf = (address: Parsed): string =>
  address.kind() === "ipv4"
    ? address.toString()
    : `${new ipaddr.IPv6([...(address as ipaddr.IPv6).parts.slice(0, 4), 0, 0, 0, 0]).toRFC5952String()}/64`

/** The client that an address on a socket belongs to, in the form in which limits name it. */
export const groupOfAddress = (text: string): string => {
  const address = read(text)
  return address === undefined ? text : groupOf(address)
}

/**
 * Who sends a request, in the form in which limits name it: the peer of the socket or, where that is a proxy of ours,
 * the nearest address before it in `X-Forwarded-For` that is not. What stands further left is the client's own to
 * write, and no other header is believed. Undefined for a peer without an address, which a Unix socket has.
 */
export const of = ({ socket, headers }: IncomingMessage, trusts: Trusts): string | undefined => {
  const peer = socket.remoteAddress
  if (peer === undefined) return undefined
  const forwarded = headers["x-forwarded-for"]
  if (forwarded === undefined || !trusts(peer)) return groupOfAddress(peer)
  let nearest = peer
  for (const text of String(forwarded).split(",").reverse()) {
    const address = readForwarded(text.trim())
    // Who forwards what is no address answers for it.
    if (address === undefined) break
    nearest = address.toString()
    if (!trusts(nearest)) break
  }
  return groupOfAddress(nearest)
}
