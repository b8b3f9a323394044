import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import type { Sha256 } from "./merkle.ts"
import type { VerifierKey } from "./Signer.ts"

/** The log at one size, which is the content of a signed note. */
export interface Checkpoint {
  readonly origin: string
  /** Number of leaves. */
  readonly size: number
  readonly root: Uint8Array
}

/** One signature line of a note. */
export interface Signature {
  readonly name: string
  /** 4 bytes. */
  readonly keyId: Uint8Array
  readonly signature: Uint8Array
}

/** A signed checkpoint: the note (c2sp.org/tlog-checkpoint), its time and its key. */
export interface Signed {
  readonly size: number
  /** Epoch milliseconds, of a whole second. */
  readonly at: number
  /** The verifier key of the signer, as `vkey` writes it. */
  readonly key: string
  readonly note: string
}

/**
 * Types of signatures. A note has two by the log's key: the plain one, which all readers of checkpoints support, and the
 * timestamped one (c2sp.org/tlog-cosignature).
 */
export const signatureTypes = { plain: 0x01, timestamped: 0x04 } as const
type SignatureType = (typeof signatureTypes)[keyof typeof signatureTypes]

const encoder = new TextEncoder()

const concat = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The text of a note: origin, size, root. */
export const textOf = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${Encoding.encodeBase64(root)}\n`

/** The message of a timestamped signature over a note's text. */
export const timestampedText = (text: string, seconds: number): string => `cosignature/v1\ntime ${seconds}\n${text}`

/** The key id of a signature line: the first four bytes of SHA-256(name || 0x0A || type || public key). */
export const keyIdOf = (sha256: Sha256, { name, publicKey }: VerifierKey, type: SignatureType): Uint8Array =>
  sha256(concat(encoder.encode(`${name}\n`), Uint8Array.of(type), publicKey)).slice(0, 4)

/** A verifier key: name, key id, type and public key in one word. */
export const vkey = (sha256: Sha256, key: VerifierKey): string => {
  const type = signatureTypes.plain
  const id = Encoding.encodeHex(keyIdOf(sha256, key, type))
  return `${key.name}+${id}+${Encoding.encodeBase64(concat(Uint8Array.of(type), key.publicKey))}`
}

const signatureLine = (name: string, ...parts: ReadonlyArray<Uint8Array>): string =>
  `— ${name} ${Encoding.encodeBase64(concat(...parts))}\n`

/**
 * A note with the two signatures of a key.
 *
 * @param plain over the note's text
 * @param timestamped over `timestampedText`
 */
export const noteOf = (
  sha256: Sha256,
  text: string,
  key: VerifierKey,
  plain: Uint8Array,
  seconds: number,
  timestamped: Uint8Array,
): string => {
  const time = new Uint8Array(8)
  new DataView(time.buffer).setBigUint64(0, BigInt(seconds))
  return [
    `${text}\n`,
    signatureLine(key.name, keyIdOf(sha256, key, signatureTypes.plain), plain),
    signatureLine(key.name, keyIdOf(sha256, key, signatureTypes.timestamped), time, timestamped),
  ].join("")
}

export interface Parsed extends Checkpoint {
  /** The signed text. */
  readonly text: string
  readonly signatures: ReadonlyArray<Signature>
}

const base64 = (text: string): Uint8Array | undefined => {
  const bytes = Either.getOrUndefined(Encoding.decodeBase64(text))
  // One text per value: spare bits and missing padding are errors.
  return bytes !== undefined && Encoding.encodeBase64(bytes) === text ? bytes : undefined
}

const parseSignature = (line: string): Signature | undefined => {
  const [, name, text] = /^— ([^\s+]+) (\S+)$/u.exec(line) ?? []
  const bytes = text === undefined ? undefined : base64(text)
  return name === undefined || bytes === undefined || bytes.length <= 4
    ? undefined
    : { name, keyId: bytes.slice(0, 4), signature: bytes.slice(4) }
}

/** Parses a note without checking signatures; Left: the reason in words. */
export const parse = (note: string): Either.Either<Parsed, string> => {
  const end = note.lastIndexOf("\n\n")
  if (end === -1 || !note.endsWith("\n")) return Either.left("A note is a text, an empty line and signature lines.")
  const text = note.slice(0, end + 1)
  const [origin = "", size = "", hash = "", ...extensions] = text.slice(0, -1).split("\n")
  const root = base64(hash)
  if (origin === "" || extensions.includes("")) return Either.left("The text of a checkpoint has no empty lines.")
  if (!/^(0|[1-9]\d{0,15})$/.test(size) || !Number.isSafeInteger(Number(size))) {
    return Either.left("The second line of a checkpoint is its size.")
  }
  if (root?.length !== 32) return Either.left("The third line of a checkpoint is the base64 of 32 bytes.")
  const lines = note.slice(end + 2, -1).split("\n")
  const signatures = lines.flatMap((line) => parseSignature(line) ?? [])
  if (signatures.length !== lines.length) return Either.left("A line after the empty line is not a signature.")
  return Either.right({ origin, size: Number(size), root, text, signatures })
}
