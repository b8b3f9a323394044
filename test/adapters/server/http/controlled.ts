import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as LogLevel from "effect/LogLevel"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Schema from "effect/Schema"
import * as Secrets from "../../../../adapters/runtime/node/secrets.ts"
import { ready } from "../../../../adapters/server/http/health.ts"
import * as Route from "../../../../adapters/server/http/route.ts"
import * as HttpServer from "../../../../adapters/server/http/server.ts"
import * as Mcp from "../../../../adapters/server/mcp/http.ts"
import type { Bounds } from "../../../../adapters/server/mcp/sse.ts"
import * as Web from "../../../../adapters/web/layer.ts"
import * as ApiKey from "../../../../core/account/ApiKey.ts"
import { Keyring } from "../../../../core/account/Keyring.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { BaseUrl } from "../../../../core/call/BaseUrl.ts"
import type { Answer } from "../../../../core/endpoint/Answer.ts"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import type * as Lane from "../../../../core/endpoint/Lane.ts"
import { LaneSets } from "../../../../core/endpoint/LaneSets.ts"
import * as Param from "../../../../core/endpoint/Param.ts"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { Gateway } from "../../../../core/gateway/Gateway.ts"
import { makeLane } from "../../../support/lane.ts"

const results = Schema.Struct({ word: Schema.String })
const shape = { kind: "Data", results, summary: "Whatever the test says", example: {} } as const

const endpoints = {
  paid: Endpoint.declare({
    ...shape,
    path: "/v1/controlled/paid",
    priceMicros: 1_000,
    auth: "key",
    params: Schema.Struct({ n: Param.optional(Param.integer(0, 1_000, "Tells calls apart.")) }),
  }),
  open: Endpoint.declare({
    ...shape,
    path: "/v1/controlled/open",
    priceMicros: 0,
    auth: "none",
    params: Schema.Struct({}),
  }),
}

interface ControlledMethods extends Lane.Methods<typeof endpoints> {}
class Controlled extends Context.Tag("test/Controlled")<Controlled, ControlledMethods>() {
  static readonly lane = makeLane("controlled", endpoints, Controlled, "A lane of this test.")
}

const absentEndpoints = {
  paid: Endpoint.declare({
    ...shape,
    path: "/v1/absent/paid",
    priceMicros: 1_000,
    auth: "key",
    params: Schema.Struct({}),
  }),
  open: Endpoint.declare({
    ...shape,
    path: "/v1/absent/open",
    priceMicros: 0,
    auth: "none",
    params: Schema.Struct({}),
  }),
}

interface AbsentMethods extends Lane.Methods<typeof absentEndpoints> {}
class Absent extends Context.Tag("test/Absent")<Absent, AbsentMethods>() {
  static readonly lane = makeLane("absent", absentEndpoints, Absent, "A lane of this test.")
}

const absent = Effect.fail(fail("data_provider_unavailable"))

export const catalogue = Catalogue.make(Controlled.lane, Absent.lane)

export type Word = Answer<{ readonly word: string }>

export const word: Word = {
  results: { word: "said" },
  reasoning: ["Said a word."],
  citations: [{ step: 1, source: "test", locator: "controlled" }],
  confidence: { score: 1, label: "settlement", factors: [] },
  links: [],
  freshness: "mock",
}

export interface Behaviour {
  readonly paid?: (n: number | undefined) => Effect.Effect<Word, Failure>
  readonly ledger?: Layer.Layer<Ledger>
  readonly balance?: number
  /** The server's clock; default the machine's. */
  readonly clock?: Clock.Clock
  /** The server's log level. */
  readonly level?: LogLevel.LogLevel
}

const site = "https://api.example"

/** A server over two lanes: one with test-defined answers, one without a provider. Nothing is stored. */
export const start = async (
  behaviour: Behaviour = {},
  options: Partial<Web.Options> = {},
  streams: Partial<Bounds> = {},
) => {
  const token = ApiKey.fromBytes("live", new Uint8Array(32).fill(7))
  const caller = { accountId: "acct", keyId: "key", livemode: true, perMinute: 6_000 }
  const said = behaviour.paid ?? (() => Effect.succeed(word))
  const lanes = Layer.merge(
    Layer.succeed(Controlled, { paid: ({ n }) => said(n), open: () => Effect.succeed(word) }),
    Layer.succeed(Absent, { paid: () => absent, open: () => absent }),
  )
  const log: Array<string> = []
  const logger = Logger.map(Logger.logfmtLogger, (line) => void log.push(line))
  const runtime = ManagedRuntime.make(
    Layer.unwrapScoped(
      Effect.map(Mcp.make(catalogue, { baseUrl: site, streams, ...options.limits }), (mount) =>
        Web.layer(catalogue, { host: "127.0.0.1", port: 0, ready, routes: Route.fromMount(mount), ...options }),
      ),
    ).pipe(
      Layer.provide(Gateway.layer(catalogue)),
      Layer.provide([
        Keyring.layerMemory([[token, caller]]),
        LaneSets.layer(catalogue, { test: lanes, live: lanes }),
        BaseUrl.layer(site),
      ]),
      Layer.provideMerge(behaviour.ledger ?? Ledger.layerMemory([["acct", behaviour.balance ?? 10_000]])),
      Layer.provide(Gateway.layerDefaults),
      Layer.provide([
        Secrets.layer,
        Logger.replace(Logger.defaultLogger, logger),
        behaviour.clock === undefined ? Layer.empty : Layer.setClock(behaviour.clock),
        behaviour.level === undefined ? Layer.empty : Logger.minimumLogLevel(behaviour.level),
      ]),
    ),
  )
  const { url } = await runtime.runPromise(HttpServer.HttpAddress)
  const ledger = await runtime.runPromise(Ledger)
  return {
    url,
    /** The server's log. */
    log,
    /** `Authorization` with the only key. */
    authorization: `Bearer ${token}`,
    get: (path: string, init: RequestInit = {}) =>
      fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } }),
    balance: (): Promise<number> => Effect.runPromise(ledger.balance("acct")),
    stop: () => runtime.dispose(),
  }
}
