import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Signer, SignerError } from "../../core/record/log/Signer.ts"
import * as keyFile from "./keyFile.ts"

interface Key {
  readonly name: string
  readonly secret: KeyObject
}

/** Where a key comes from. */
interface Source {
  readonly existing: () => Key | undefined
  readonly create: () => Key
  readonly mayReplace: boolean
}

/** The last 32 bytes of Ed25519's SPKI. */
const publicOf = (secret: KeyObject): Uint8Array =>
  createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(-32)

const error = (message: string, cause?: unknown): SignerError => new SignerError({ message, cause })

const generate = (name: string): Key => ({ name, secret: generateKeyPairSync("ed25519").privateKey })

/** A line with the name, then the key as PEM (PKCS #8), which other programs read too. */
const written = ({ name, secret }: Key): string => `${name}\n${secret.export({ format: "pem", type: "pkcs8" })}`

const read = (file: string): Key | undefined => {
  const text = keyFile.read(file)
  if (text === undefined) return undefined
  const [, name, pem] = /^(\S+)\r?\n([\s\S]+)$/.exec(text) ?? []
  try {
    const secret = createPrivateKey(pem ?? "")
    if (name !== undefined && !name.includes("+") && secret.asymmetricKeyType === "ed25519") return { name, secret }
  } catch {
    // What the parser says might quote the key.
  }
  throw error(`${file} does not hold a record key. Put the right file in its place, or name it with RECORD_KEY_FILE.`)
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
  const found = () => {
    known ??= existing()
    return known
  }
  const key = attempt(() => {
    known = found() ?? create()
    return known
  })
  const verifier = ({ name, secret }: Key) => ({ name, publicKey: publicOf(secret) })
  return {
    key: Effect.map(key, verifier),
    existing: Effect.map(attempt(found), (one) => (one === undefined ? undefined : verifier(one))),
    sign: (message) => Effect.map(key, ({ secret }) => sign(null, message, secret)),
    mayReplace,
  }
}

/**
 * A key in a file that only its owner can read. The first use makes it, whichever process that is; after that the file
 * decides, the name included.
 *
 * @param name the log's origin: a URL without its scheme
 * @param mayReplace whether a record that was signed with another key may be signed with this one
 */
export const layerFile = (file: string, name: string, mayReplace = false): Layer.Layer<Signer> =>
  Layer.sync(Signer, () =>
    make({
      existing: () => read(file),
      create: () => {
        keyFile.createOnce(file, written(generate(name)))
        const made = read(file)
        if (made === undefined) throw error(`${file} was removed as soon as it was made.`)
        return made
      },
      mayReplace,
    }),
  )

/** A key that ends with the process, as a store in memory does. */
export const layerMemory = (name: string): Layer.Layer<Signer> =>
  Layer.sync(Signer, () => make({ existing: () => undefined, create: () => generate(name), mayReplace: true }))
