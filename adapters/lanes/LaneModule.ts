import type * as HttpClient from "@effect/platform/HttpClient"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"
import type { ContractPricing } from "../../core/contracts/ContractPricing.ts"
import type { Freshness } from "../../core/endpoint/Answer.ts"
import type * as Lane from "../../core/endpoint/Lane.ts"
import { type Failure, fail } from "../../core/Failure.ts"
import type { Feeds } from "../../core/feeds/Feeds.ts"
import type { Job } from "../../core/jobs/Job.ts"
import type { Definition } from "../../core/lanes/Lane.ts"
import type { SyncSha256 } from "../../core/record/log/SyncSha256.ts"
import { type Shadowed, ports as shadowPorts } from "../runtime/shadow/shadow.ts"
import type * as Upstreams from "../runtime/upstream/Definition.ts"
import type { DiskSpace } from "../store/engine/diskGuard.ts"
import type { Transactions } from "../store/engine/Transactions.ts"
import * as shadowLog from "../store/record/ShadowLog.ts"
import type { LaneFeed } from "./feeds.ts"
import type { IngestCommand } from "./LaneCommand.ts"

/** A lane's data: mock, live, or mock with a live comparison in the background (shadow). */
export type Mode = Freshness

export type Base =
  | DiskSpace
  | Feeds
  | SyncSha256
  | HttpClient.HttpClient
  | PlatformCrypto
  | SqlClient.SqlClient
  | Transactions

/** The configuration of a module: upstream addresses, of which those that are off are empty, and our user agent. */
export type Settings<Upstream extends string> = { readonly [Name in Upstream]: string } & { readonly userAgent: string }

export type AnySettings = Settings<never>

/** The configuration around a lane's jobs and feeds, and the mode of every lane. */
export interface JobContext<Upstream extends string> {
  readonly mode: Mode
  readonly settings: Settings<Upstream>
  readonly modes: Readonly<Record<string, Mode>>
}

/**
 * A lane outside of `core`: its upstreams, ports by mode, stores and jobs. Environment names derive from it:
 * `DATA_FRESHNESS_<LANE>` and `<UPSTREAM>_URL`.
 */
export interface LaneModule<
  L extends Lane.Any,
  Ports,
  Stores = never,
  Clients = never,
  Upstream extends string = never,
  Needs = never,
  Below = never,
> {
  readonly definition: Definition<L, Feeds | Ports | Stores | PlatformCrypto, unknown, unknown>
  readonly upstreams: Readonly<Record<Upstream, Upstreams.Definition>>
  /** Clients of upstreams, each with its limit on requests. */
  readonly clients: (settings: Settings<Upstream>) => Layer.Layer<Clients, never, Base>
  /** Repositories that jobs and ingest write to, in every mode. */
  readonly stores: Layer.Layer<Stores, never, Base>
  /** Built over the generated lanes listed before it, if it needs them. */
  readonly mock: Layer.Layer<Ports, never, Below>
  /** Left out of the type of a lane in development: it is generated whatever the mode. */
  readonly live?: (
    settings: Settings<Upstream>,
    modes: Readonly<Record<string, Mode>>,
  ) => Layer.Layer<NoInfer<Ports>, never, Base | NoInfer<Clients> | NoInfer<Stores>>
  /** The ports compared in shadow mode; the others are the mock's. */
  readonly shadowed: ReadonlyArray<Shadowed<Ports>>
  readonly jobs: (context: JobContext<Upstream>) => Effect.Effect<ReadonlyArray<Job>, never, Needs>
  /** The data that the lane's sources are due to deliver, in any mode but mock. */
  readonly feeds: (context: JobContext<Upstream>) => Effect.Effect<ReadonlyArray<LaneFeed>, never, Transactions>
  /** Operators' command that fills the stores from files or from an archive of the past. */
  readonly ingest?: IngestCommand<NoInfer<Stores> | NoInfer<Clients>>
}

type Optional = "upstreams" | "clients" | "stores" | "jobs" | "feeds"

/** The ports that are compared, of those that `mock` gives: nothing is inferred from here. */
type Compared<Ports> = [Ports] extends [infer P] ? ReadonlyArray<Shadowed<P>> : never

/** A lane outside of `core`; leave out what a lane does not have. */
export const define = <
  L extends Lane.Any,
  Ports,
  Stores = never,
  Clients = never,
  Upstream extends string = never,
  Needs = never,
  Below = never,
>(
  definition: Definition<L, Feeds | NoInfer<Ports> | NoInfer<Stores> | PlatformCrypto, unknown, unknown>,
  {
    upstreams = {} as Readonly<Record<Upstream, Upstreams.Definition>>,
    clients = () => Layer.empty as Layer.Layer<never> as Layer.Layer<Clients>,
    stores = Layer.empty as Layer.Layer<never> as Layer.Layer<Stores>,
    shadowed,
    jobs = () => Effect.succeed([]),
    feeds = () => Effect.succeed([]),
    ...rest
  }: Omit<LaneModule<L, Ports, Stores, Clients, Upstream, Needs, Below>, "definition" | "shadowed" | Optional> & {
    readonly shadowed?: Compared<Ports>
  } & Partial<Pick<LaneModule<L, Ports, Stores, Clients, Upstream, Needs, Below>, Optional>>,
): LaneModule<L, Ports, Stores, Clients, Upstream, Needs, Below> => ({
  definition,
  upstreams,
  clients,
  stores,
  shadowed: (shadowed ?? []) as ReadonlyArray<Shadowed<Ports>>,
  jobs,
  feeds,
  ...rest,
})

export interface Any {
  // biome-ignore-start lint/suspicious/noExplicitAny: variance, never a value
  readonly definition: Definition<Lane.Any, any, any, any>
  readonly upstreams: Readonly<Record<string, Upstreams.Definition>>
  readonly clients: (settings: any) => Layer.Layer<never, never, any>
  readonly stores: Layer.Layer<never, never, any>
  readonly mock: Layer.Layer<never, never, any>
  readonly live?: (settings: any, modes: any) => Layer.Layer<never, never, any>
  readonly shadowed: ReadonlyArray<Shadowed<any>>
  readonly jobs: (context: any) => Effect.Effect<ReadonlyArray<Job>, never, any>
  readonly feeds: (context: any) => Effect.Effect<ReadonlyArray<LaneFeed>, never, Transactions>
  readonly ingest?: IngestCommand<any>
  // biome-ignore-end lint/suspicious/noExplicitAny: variance, never a value
}

export type LaneOf<M> = M extends { readonly definition: Definition<infer L, infer _R, infer _P, infer _S> } ? L : never
export type PortsOf<M> = M extends { readonly mock: Layer.Layer<infer Ports, never, infer _R> } ? Ports : never
export type StoresOf<M> = M extends { readonly stores: Layer.Layer<infer Stores, never, infer _R> } ? Stores : never
export type ClientsOf<M> = M extends {
  readonly clients: (settings: never) => Layer.Layer<infer Clients, never, infer _R>
}
  ? Clients
  : never
export type UpstreamsOf<M> = M extends {
  readonly upstreams: Readonly<Record<infer U extends string, Upstreams.Definition>>
}
  ? U
  : never

export type JobNeedsOf<M> = M extends {
  readonly jobs: (context: never) => Effect.Effect<ReadonlyArray<Job>, never, infer Needs>
}
  ? Needs
  : never

/** The services of a lane that a world provides: its lane, ports, stores and clients. */
export type Services<M> = Lane.Tags<LaneOf<M>> | PortsOf<M> | StoresOf<M> | ClientsOf<M>

export const servedMode = (module: Pick<Any, "live">, mode: Mode): Mode => (module.live === undefined ? "mock" : mode)

/** @param modes of the lanes beside it */
export const portsOf = <L extends Lane.Any, Ports, Stores, Clients, Upstream extends string, Needs, Below>(
  { mock, live, shadowed }: LaneModule<L, Ports, Stores, Clients, Upstream, Needs, Below>,
  mode: Mode,
  settings: Settings<Upstream>,
  modes: Readonly<Record<string, Mode>> = {},
): Layer.Layer<Ports, never, Base | Below | Clients | Stores> => {
  if (live === undefined || mode === "mock") return mock
  if (mode === "live") return live(settings, modes)
  return shadowPorts({ mock, live: live(settings, modes) }, shadowed).pipe(Layer.provide(shadowLog.layer()))
}

/** The sources with an address: the others are off. */
export const enabled = <Name extends string>(settings: Settings<Name>, ...names: ReadonlyArray<Name>) =>
  names.filter((name) => settings[name] !== "")

/** The failure of reading sources that are all off, without a request. */
export const termsNotAccepted = (...sources: ReadonlyArray<Upstreams.Definition>): Failure =>
  fail("data_provider_unavailable", {
    detail: `The operator has not accepted the terms of ${sources.map(({ title }) => title).join(" or ")} (TERMS_ACCEPTED).`,
  })

/** The pricings of the tracked domains: those of lanes in the markets' mode. */
export const followed = (
  pricings: ReadonlyArray<ContractPricing>,
  modes: Readonly<Record<string, Mode>>,
): ReadonlyArray<ContractPricing> =>
  pricings.filter(({ lane }) => modes["markets"] !== "mock" && modes[lane] === modes["markets"])
