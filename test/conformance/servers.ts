import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { ready } from "../../adapters/server/http/health.ts"
import * as Route from "../../adapters/server/http/route.ts"
import * as HttpServer from "../../adapters/server/http/server.ts"
import * as Mcp from "../../adapters/server/mcp/http.ts"
import * as Web from "../../adapters/web/layer.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { catalogue } from "../../core/lanes/all.ts"
import * as App from "../../services/app.ts"
import { settings } from "../support/running.ts"
import { makeServer } from "./everything.ts"

/** The real HTTP server with the fixture behind `/mcp` in place of the catalogue. */
export const startEverything = async () => {
  const config = settings()
  const runtime = ManagedRuntime.make(
    Layer.unwrapScoped(
      Effect.map(Mcp.serve(makeServer, { baseUrl: "http://localhost" }), (mount) =>
        Web.layer(catalogue, { host: "127.0.0.1", port: 0, ready, routes: Route.fromMount(mount) }),
      ),
    ).pipe(Layer.provide(App.gateway(config)), Layer.provideMerge(App.store(config))),
  )
  const { url } = await runtime.runPromise(HttpServer.HttpAddress)
  const { plaintext } = await runtime.runPromise(
    Effect.flatMap(Accounts, (accounts) =>
      Effect.flatMap(accounts.create("tester"), ({ id }) =>
        accounts.issueKey({ account: id, environment: "test", tier: "pro" }),
      ),
    ),
  )
  return { url, token: Redacted.value(plaintext), stop: () => runtime.dispose() }
}
