import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as hasher from "../adapters/node/hasher.ts"
import * as boxes from "../adapters/node/secretBox.ts"
import * as signers from "../adapters/node/signer.ts"
import * as recordInputs from "../adapters/sql/RecordInputs.ts"
import * as recordLog from "../adapters/sql/RecordLog.ts"
import type { SecretBox } from "../core/account/SecretBox.ts"
import type { Signer } from "../core/record/log/Signer.ts"
import { baseUrl, type Settings } from "./Config.ts"

/** The record in a store, and the stored inputs of signals. */
export const record = Layer.merge(recordLog.layer, recordInputs.layer).pipe(Layer.provideMerge(hasher.layer))

/** The log's name in checkpoints, unless the key has one: our URL without scheme and plus signs. */
const origin = (config: Settings): string =>
  `${baseUrl(config)
    .replace(/^https?:\/\//, "")
    .replaceAll("+", "%2B")}/record`

const memory = ":memory:"

/** Encrypts the secrets in the store. Its key file is next to the store, unless configured otherwise. */
export const secretBox = ({ sqliteFile, secretsKeyFile, secretsKeyNew }: Settings): Layer.Layer<SecretBox> => {
  const file = Option.getOrElse(secretsKeyFile, () => (sqliteFile === memory ? undefined : `${sqliteFile}.secrets-key`))
  return file === undefined ? boxes.layerMemory : boxes.layerFile(file, secretsKeyNew)
}

/** The key that signs checkpoints. Its file is next to the store, unless configured otherwise. */
export const signer = (config: Settings): Layer.Layer<Signer> => {
  const defaultFile = config.sqliteFile === memory ? undefined : `${config.sqliteFile}.record-key`
  const file = Option.getOrElse(config.recordKeyFile, () => defaultFile)
  return file === undefined
    ? signers.layerMemory(origin(config))
    : signers.layerFile(file, origin(config), config.recordKeyNew)
}
