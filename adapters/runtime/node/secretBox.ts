import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { isSealed, SecretBox, SecretBoxError, sealedPrefix } from "../../../core/account/SecretBox.ts"
import * as keyFile from "./keyFile.ts"

const algorithm = "aes-256-gcm"
const keyLength = 32
/** 96 bits, GCM's standard. Random: with a few thousand secrets a repetition is practically impossible. */
const nonceLength = 12
const tagLength = 16

interface Source {
  readonly existing: () => Buffer | undefined
  readonly create: () => Buffer
  readonly mayReplace: boolean
  /** For error messages. */
  readonly file: string
}

const firstLine = "market-signals secrets key"

const toText = (key: Buffer): string => `${firstLine}\n${key.toString("base64")}\n`

const read = (file: string): Buffer | undefined => {
  const text = keyFile.read(file)
  if (text === undefined) return undefined
  const [first, base64 = ""] = text.split(/\r?\n/)
  const key = Buffer.from(base64, "base64")
  if (first === firstLine && key.length === keyLength) return key
  throw new keyFile.KeyFileError(
    `${file} does not contain a secrets key. Restore the right file, or set its path in SECRETS_KEY_FILE.`,
  )
}

const error = (reason: SecretBoxError["reason"], message: string) => new SecretBoxError({ reason, message })

/** A short name of a key, stored with each sealed text to detect a wrong key. */
const toKeyName = (one: Buffer): string => createHash("sha256").update(one).digest("hex").slice(0, 8)

const make = ({ existing, create, mayReplace, file }: Source): SecretBox["Type"] => {
  let known: Buffer | undefined

  const attempt = <A>(work: () => A): Either.Either<A, SecretBoxError> =>
    Either.try({
      try: work,
      catch: (cause) => {
        if (cause instanceof SecretBoxError) return cause
        const why = cause instanceof Error ? cause.message : String(cause)
        return error(
          "unusable",
          cause instanceof keyFile.KeyFileError ? why : `The secrets key ${file} cannot be used: ${why}.`,
        )
      },
    })

  const readFile = (): Buffer | undefined => {
    known ??= existing()
    return known
  }

  const key = (): Buffer => {
    const one = readFile()
    if (one !== undefined) return one
    throw error(
      "missing",
      `The key of the store's secrets is not at ${file}. Restore its file (SECRETS_KEY_FILE), or start once with SECRETS_KEY_NEW=yes and rotate the secret of every webhook.`,
    )
  }

  return {
    mayReplace,
    ready: (sealedBefore) =>
      attempt(() => {
        if (sealedBefore && !mayReplace) key()
        known = readFile() ?? create()
      }),
    seal: (place, secret) =>
      attempt(() => {
        const one = key()
        const nonce = randomBytes(nonceLength)
        const cipher = createCipheriv(algorithm, one, nonce, { authTagLength: tagLength }).setAAD(Buffer.from(place))
        const body = Buffer.concat([nonce, cipher.update(Redacted.value(secret), "utf8"), cipher.final()])
        return `${sealedPrefix}${toKeyName(one)}.${Buffer.concat([body, cipher.getAuthTag()]).toString("base64url")}`
      }),
    open: (place, sealed) =>
      attempt(() => {
        const one = key()
        const [name, text = ""] = sealed.slice(sealedPrefix.length).split(".")
        const bytes = Buffer.from(text, "base64url")
        try {
          if (!isSealed(sealed) || name !== toKeyName(one)) throw new Error("another key")
          const decipher = createDecipheriv(algorithm, one, bytes.subarray(0, nonceLength), {
            authTagLength: tagLength,
          })
          decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagLength))
          const plain = [decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]
          return Redacted.make(Buffer.concat(plain).toString("utf8"))
        } catch {
          throw error(
            "other_key",
            `The secret of ${place} was sealed with another key than the one at ${file}, or is damaged. Restore the right file (SECRETS_KEY_FILE), or rotate this secret.`,
          )
        }
      }),
  }
}

const generate = (): Buffer => randomBytes(keyLength)

/**
 * AES-256-GCM under a key in a file that only its owner can read. The first use in any process creates it, but it never
 * replaces a missing key that has sealed something.
 *
 * @param mayReplace whether a new key may replace a missing one that has sealed something
 */
export const layerFile = (file: string, mayReplace = false): Layer.Layer<SecretBox> =>
  Layer.sync(SecretBox, () =>
    make({
      existing: () => read(file),
      create: () => keyFile.createAndRead(file, toText(generate()), read),
      mayReplace,
      file,
    }),
  )

/** A key in memory, for a store in memory. */
export const layerMemory: Layer.Layer<SecretBox> = Layer.sync(SecretBox, () => {
  const key = generate()
  return make({ existing: () => key, create: () => key, mayReplace: true, file: "memory" })
})
