import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Signer, SignerError } from "../../core/record/Signer.ts"

interface Key {
  readonly name: string
  readonly secret: KeyObject
}

/** The last 32 bytes of Ed25519's SPKI. */
const publicOf = (secret: KeyObject): Uint8Array =>
  createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(-32)

const error = (message: string, cause?: unknown): SignerError => new SignerError({ message, cause })

const generate = (name: string): Key => ({ name, secret: generateKeyPairSync("ed25519").privateKey })

/** A line with the name, then the key as PEM (PKCS #8), which other programs read too. */
const written = ({ name, secret }: Key): string => `${name}\n${secret.export({ format: "pem", type: "pkcs8" })}`

const read = (file: string): Key => {
  if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
    throw error(`${file} can be read by others. Make it private: chmod 600 ${file}`)
  }
  const [, name, pem] = /^(\S+)\r?\n([\s\S]+)$/.exec(readFileSync(file, "utf8")) ?? []
  try {
    const secret = createPrivateKey(pem ?? "")
    if (name !== undefined && !name.includes("+") && secret.asymmetricKeyType === "ed25519") return { name, secret }
  } catch {
    // What the parser says might quote the key.
  }
  throw error(`${file} does not hold a record key. Put the right file in its place, or name it with RECORD_KEY_FILE.`)
}

const isCode = (cause: unknown, code: string): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && cause.code === code

/** Written whole under another name first: the file is there with its key or not at all, and never overwritten. */
const create = (file: string, key: Key): void => {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${randomBytes(6).toString("hex")}`
  const descriptor = openSync(draft, "wx", 0o600)
  try {
    writeSync(descriptor, written(key))
    fsyncSync(descriptor)
    linkSync(draft, file)
  } finally {
    closeSync(descriptor)
    unlinkSync(draft)
  }
}

const load = (file: string, name: string): Key => {
  try {
    return read(file)
  } catch (cause) {
    if (!isCode(cause, "ENOENT")) throw cause
  }
  try {
    create(file, generate(name))
  } catch (cause) {
    // Another process was faster; its key is everybody's.
    if (!isCode(cause, "EEXIST")) throw cause
  }
  return read(file)
}

const make = (load: () => Key): Signer["Type"] => {
  let known: Key | undefined
  const key = Effect.try({
    try: () => {
      known ??= load()
      return known
    },
    catch: (cause) =>
      cause instanceof SignerError
        ? cause
        : error(`The record key cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`, cause),
  })
  return {
    key: Effect.map(key, ({ name, secret }) => ({ name, publicKey: publicOf(secret) })),
    sign: (message) => Effect.map(key, ({ secret }) => sign(null, message, secret)),
  }
}

/**
 * A key in a file that only its owner can read. The first use makes it, whichever process that is; after that the file
 * decides, the name included.
 *
 * @param name the log's origin: a URL without its scheme
 */
export const layerFile = (file: string, name: string): Layer.Layer<Signer> =>
  Layer.sync(Signer, () => make(() => load(file, name)))

/** A key that ends with the process, as a store in memory does. */
export const layerMemory = (name: string): Layer.Layer<Signer> => Layer.sync(Signer, () => make(() => generate(name)))
