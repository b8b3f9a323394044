import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/** The service's public URL, the base of links in answers. */
export class Site extends Context.Tag("core/gateway/Site")<Site, { readonly baseUrl: string }>() {
  static layer(baseUrl: string): Layer.Layer<Site> {
    return Layer.succeed(Site, { baseUrl: baseUrl.replace(/\/+$/, "") })
  }
}
