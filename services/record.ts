import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as hasher from "../adapters/runtime/node/hasher.ts"
import * as boxes from "../adapters/runtime/node/secretBox.ts"
import * as signers from "../adapters/runtime/node/signer.ts"
import * as recordInputs from "../adapters/store/record/RecordInputs.ts"
import * as recordLog from "../adapters/store/record/RecordLog.ts"
import type { SecretBox } from "../core/account/SecretBox.ts"
import type { Signer } from "../core/record/log/Signer.ts"
import { baseUrl, type Settings } from "./Config.ts"

/** The record in a store, and the stored inputs of signals. */
export const record = Layer.merge(recordLog.layer, recordInputs.layer).pipe(Layer.provideMerge(hasher.layer))

/** The log's name in checkpoints, unless the key has one: our URL without scheme and plus signs. */
export const origin = (config: Settings): string =>
  `${baseUrl(config)
    .replace(/^https?:\/\//, "")
    .replaceAll("+", "%2B")}/record`

const memory = ":memory:"

/** The key files by the variables that name them: next to a SQLite store, unless configured otherwise. */
export const readKeyFiles = ({
  sqliteFile,
  recordKeyFile,
  secretsKeyFile,
}: Settings): { readonly [Name in "RECORD_KEY_FILE" | "SECRETS_KEY_FILE"]?: string } => {
  const files = [
    ["RECORD_KEY_FILE", recordKeyFile, "record-key"],
    ["SECRETS_KEY_FILE", secretsKeyFile, "secrets-key"],
  ] as const
  return Object.fromEntries(
    files.flatMap(([name, given, suffix]) => {
      const file = Option.getOrElse(given, () => (sqliteFile === memory ? undefined : `${sqliteFile}.${suffix}`))
      return file === undefined ? [] : [[name, file]]
    }),
  )
}

export const secretBox = (config: Settings): Layer.Layer<SecretBox> => {
  const file = readKeyFiles(config).SECRETS_KEY_FILE
  return file === undefined ? boxes.layerMemory : boxes.layerFile(file, config.secretsKeyNew)
}

/** The key that signs checkpoints. */
export const signer = (config: Settings): Layer.Layer<Signer> => {
  const file = readKeyFiles(config).RECORD_KEY_FILE
  return file === undefined
    ? signers.layerMemory(origin(config))
    : signers.layerFile(file, origin(config), config.recordKeyNew)
}
