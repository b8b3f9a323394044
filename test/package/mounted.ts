// A service for every host of `hosts.mjs`: a lane, MCP, alerts and pages, whose clock stands still and whose ids repeat, so
// that two answers to one call are equal.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import {
  AlertStore,
  ApiKey,
  BaseUrl,
  Catalogue,
  Event,
  Gateway,
  Keyring,
  LaneSets,
  Ledger,
  PlatformCrypto,
} from "market-signals"
import { fromMount, HttpAddress, layerServer, makeAlertEvents, makeHandler, makeListener } from "market-signals/http"
import { Weather } from "market-signals/lanes/weather"
import { makeHttp } from "market-signals/mcp"
import { layerPlatformCrypto } from "market-signals/node"
import { mock } from "market-signals/providers/weather/mock"

const now = Date.UTC(2026, 6, 9, 12)
const clock: Clock.Clock = {
  ...Clock.make(),
  unsafeCurrentTimeMillis: () => now,
  unsafeCurrentTimeNanos: () => BigInt(now) * 1_000_000n,
  currentTimeMillis: Effect.succeed(now),
  currentTimeNanos: Effect.succeed(BigInt(now) * 1_000_000n),
  sleep: (duration) => Clock.make().sleep(duration),
}
const repeating = Layer.effect(
  PlatformCrypto,
  Effect.map(PlatformCrypto, (own) => ({ ...own, randomBytes: (length) => Effect.succeed(new Uint8Array(length)) })),
).pipe(Layer.provide(layerPlatformCrypto))

const fired = [1, 2].map((n) =>
  Event.makeTestEvent("alert.fired", `00000000-0000-4000-8000-00000000000${n}`, now - 10_000 + n),
)
const alerts = Layer.succeed(
  AlertStore,
  AlertStore.of({
    insert: () => Effect.succeed(false),
    find: () => Effect.succeed(undefined),
    ofAccount: () => Effect.succeed([]),
    active: Effect.succeed([]),
    remember: () => Effect.succeed(false),
    fire: () => Effect.succeed(false),
    setStatus: () => Effect.void,
    remove: () => Effect.void,
    fired: (_account, since) => Effect.succeed(fired.filter(({ at }) => at >= since)),
  }),
)

const baseUrl = "http://127.0.0.1"
const catalogue = Catalogue.make(Weather.lane)
const lanes = Weather.layer.pipe(Layer.provide(mock))
const key = (fill: number) => ApiKey.fromBytes("live", new Uint8Array(32).fill(fill))
const caller = (accountId: string) => ({ accountId, keyId: accountId, livemode: true, perMinute: 600 })
const service = Gateway.layer(catalogue).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      LaneSets.layer(catalogue, { test: lanes, live: lanes }),
      Keyring.layerMemory([
        [key(1), caller("rich")],
        [key(2), caller("poor")],
      ]),
      Ledger.layerMemory([["rich", 1_000_000]]),
      BaseUrl.layer(baseUrl),
      alerts,
    ),
  ),
  Layer.provideMerge(Gateway.layerDefaults),
  Layer.provideMerge(repeating),
  Layer.provide(Layer.setClock(clock)),
)
const runtime = ManagedRuntime.make(Layer.provideMerge(Layer.scope, service))

const options = Effect.map(
  Effect.all([makeHttp(catalogue, { baseUrl }), makeAlertEvents(catalogue)]),
  ([mcp, events]) => ({ routes: [...fromMount(mcp), ...events], discovery: { baseUrl } }),
)

/** The keys of an account with money, and of one without. */
export const keys = [key(1), key(2)] as const
export const listener = () => runtime.runPromise(Effect.flatMap(options, (given) => makeListener(catalogue, given)))
export const handler = () => runtime.runPromise(Effect.flatMap(options, (given) => makeHandler(catalogue, given)))
/** The server of the package itself. */
export const own = (port: number) =>
  runtime.runPromise(
    Effect.flatMap(options, (given) => Layer.build(layerServer(catalogue, { host: "127.0.0.1", port, ...given }))).pipe(
      Effect.flatMap((context) => Effect.provide(HttpAddress, context)),
    ),
  )
/** Ends streams and services. */
export const stop = () => runtime.dispose()
