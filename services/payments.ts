import type * as SqlClient from "@effect/sql/SqlClient"
import * as Layer from "effect/Layer"
import * as orders from "../adapters/sql/Orders.ts"
import type { PlatformCrypto } from "../core/account/PlatformCrypto.ts"
import { BaseUrl } from "../core/gateway/BaseUrl.ts"
import type { OrderStore } from "../core/payment/OrderStore.ts"
import { Payments } from "../core/payment/Payments.ts"
import { baseUrl, type Settings } from "./Config.ts"

/** Payments over the configured providers. */
export const payments = (
  config: Settings,
): Layer.Layer<OrderStore | Payments, never, PlatformCrypto | SqlClient.SqlClient> =>
  Payments.layer.pipe(Layer.provide(BaseUrl.layer(baseUrl(config))), Layer.provideMerge(orders.layer))
