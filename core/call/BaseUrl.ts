import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/** The service's public URL, the base of links in answers. */
export class BaseUrl extends Context.Tag("market-signals/core/call/BaseUrl")<BaseUrl, { readonly baseUrl: string }>() {
  static layer(baseUrl: string): Layer.Layer<BaseUrl> {
    return Layer.succeed(BaseUrl, { baseUrl: baseUrl.replace(/\/+$/, "") })
  }
}
