import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { moduleModel } from "../adapters/runtime/bench/moduleModel.ts"
import { type CryptoModel, served } from "../core/lanes/crypto/bench.ts"
import { ServedModel } from "../core/lanes/crypto/distribution.ts"
import type { Settings } from "./Config.ts"

/** The operator's own models in place of ours. A module that cannot be loaded stops the start. */
export const models = ({ cryptoModel }: Pick<Settings, "cryptoModel">): Layer.Layer<never> =>
  Option.match(cryptoModel, {
    onNone: () => Layer.empty,
    onSome: (file) =>
      Layer.effect(
        ServedModel,
        Effect.tryPromise({
          try: async () => served((await moduleModel(resolve(file))) as CryptoModel),
          catch: (error) => new Error(`CRYPTO_MODEL: ${file}: ${error instanceof Error ? error.message : error}`),
        }).pipe(Effect.orDie),
      ),
  })
