import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { PlatformCrypto } from "./PlatformCrypto.ts"

export const environments = ["test", "live"] as const
export type Environment = (typeof environments)[number]

export const prefixes: Readonly<Record<Environment, string>> = { test: "svk_test_", live: "svk_live_" }

/** The short form of a key, for lists: the plaintext is not stored. */
export const abbreviateKey = ({
  environment,
  lastFour,
}: {
  readonly environment: Environment
  readonly lastFour: string
}) => `${prefixes[environment]}…${lastFour}`

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
/** 62^43 > 2^256: the fixed width of 32 bytes. */
const bodyLength = 43
/** 62^6 > 2^32: the fixed width of a CRC-32. */
const checksumLength = 6

const base62 = (value: bigint, width: number): string => {
  let rest = value
  let text = ""
  while (rest > 0n) {
    text = alphabet[Number(rest % 62n)]! + text
    rest /= 62n
  }
  return text.padStart(width, "0")
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let word = index
  for (let bit = 0; bit < 8; bit++) word = word & 1 ? (word >>> 1) ^ 0xed_b8_83_20 : word >>> 1
  return word
})

/** CRC-32 (IEEE 802.3) of ASCII text. It detects every error burst up to 32 bits, so every single mistyped character. */
const crc32 = (text: string): number => {
  let crc = 0xff_ff_ff_ff
  for (let index = 0; index < text.length; index++) crc = crcTable[(crc ^ text.charCodeAt(index)) & 0xff]! ^ (crc >>> 8)
  return (crc ^ 0xff_ff_ff_ff) >>> 0
}

const keyPattern = /^svk_(test|live)_[0-9A-Za-z]{49}$/

/** The environment of a well-formed key; undefined for a wrong prefix, alphabet, length or checksum. No store access. */
export const parseEnvironment = (token: string): Environment | undefined => {
  const match = keyPattern.exec(token)
  if (match === null) return undefined
  const body = token.slice(0, -checksumLength)
  return base62(BigInt(crc32(body)), checksumLength) === token.slice(-checksumLength)
    ? (match[1] as Environment)
    : undefined
}

/** The key of 32 random bytes: prefix, body in base62, checksum. */
export const fromBytes = (environment: Environment, bytes: Uint8Array): string => {
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const body = prefixes[environment] + base62(value, bodyLength)
  return body + base62(BigInt(crc32(body)), checksumLength)
}

/**
 * The public demo key: test calls by anybody, without an account, limited by the client's address. The documents contain
 * it, so that every example can be run unchanged.
 */
export const demoKey = fromBytes("test", new Uint8Array(32).fill(0xde))

/** A new key: the plaintext is shown once, only its hash and last four characters are stored. */
export interface Issued {
  readonly plaintext: Redacted.Redacted
  readonly hash: string
  readonly lastFour: string
}

export const generate = (environment: Environment): Effect.Effect<Issued, never, PlatformCrypto> =>
  Effect.gen(function* () {
    const secrets = yield* PlatformCrypto
    const plaintext = fromBytes(environment, yield* secrets.randomBytes(32))
    return {
      plaintext: Redacted.make(plaintext),
      hash: yield* secrets.sha256(plaintext),
      lastFour: plaintext.slice(-4),
    }
  })
