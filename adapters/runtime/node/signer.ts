import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Signer, SignerError } from "../../../core/record/log/Signer.ts"
import * as keyFile from "./keyFile.ts"

interface Key {
  readonly name: string
  readonly secret: KeyObject
}

interface Source {
  readonly existing: () => Key | undefined
  readonly create: () => Key
  readonly mayReplace: boolean
}

/** The last 32 bytes of Ed25519's SPKI. */
const derivePublicKey = (secret: KeyObject): Uint8Array =>
  createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(-32)

const error = (message: string, cause?: unknown): SignerError => new SignerError({ message, cause })

const generate = (name: string): Key => ({ name, secret: generateKeyPairSync("ed25519").privateKey })

/** The key file: a line with the name, then the key as PEM (PKCS #8). */
const toText = ({ name, secret }: Key): string => `${name}\n${secret.export({ format: "pem", type: "pkcs8" })}`

const read = (file: string): Key | undefined => {
  const text = keyFile.read(file)
  if (text === undefined) return undefined
  const [, name, pem] = /^(\S+)\r?\n([\s\S]+)$/.exec(text) ?? []
  try {
    const secret = createPrivateKey(pem ?? "")
    if (name !== undefined && !name.includes("+") && secret.asymmetricKeyType === "ed25519") return { name, secret }
  } catch {
    // The parser's message is not used: it might quote the key.
  }
  throw error(`${file} does not contain a record key. Restore the right file, or set its path in RECORD_KEY_FILE.`)
}

const attempt = <A>(work: () => A): Effect.Effect<A, SignerError> =>
  Effect.try({
    try: work,
    catch: (cause) => {
      if (cause instanceof SignerError) return cause
      if (cause instanceof keyFile.KeyFileError) return error(cause.message)
      return error(`The record key cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`, cause)
    },
  })

const make = ({ existing, create, mayReplace }: Source): Signer["Type"] => {
  let known: Key | undefined
  const readFile = () => {
    known ??= existing()
    return known
  }
  const key = attempt(() => {
    known = readFile() ?? create()
    return known
  })
  const verifier = ({ name, secret }: Key) => ({ name, publicKey: derivePublicKey(secret) })
  return {
    key: Effect.map(key, verifier),
    existing: Effect.map(attempt(readFile), (one) => (one === undefined ? undefined : verifier(one))),
    sign: (message) => Effect.map(key, ({ secret }) => sign(null, message, secret)),
    mayReplace,
  }
}

/**
 * A key in a file that only its owner can read. The first use in any process creates it; after that the file defines both
 * key and name.
 *
 * @param name the log's origin: a URL without its scheme
 * @param mayReplace whether this key may continue a record that another key signed
 */
export const layerFile = (file: string, name: string, mayReplace = false): Layer.Layer<Signer> =>
  Layer.sync(Signer, () =>
    make({
      existing: () => read(file),
      create: () => keyFile.createAndRead(file, toText(generate(name)), read),
      mayReplace,
    }),
  )

/** A key in memory, for a store in memory. */
export const layerMemory = (name: string): Layer.Layer<Signer> =>
  Layer.sync(Signer, () => make({ existing: () => undefined, create: () => generate(name), mayReplace: true }))

/** PKCS #8 around the 32 bytes of an Ed25519 key. */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex")

/** The key of a seed of 32 bytes, for demonstrations: anybody who knows the seed can sign. */
export const layerSeed = (name: string, seed: Uint8Array): Layer.Layer<Signer> =>
  Layer.sync(Signer, () => {
    const key = (): Key => ({
      name,
      secret: createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" }),
    })
    return make({ existing: key, create: key, mayReplace: false })
  })
