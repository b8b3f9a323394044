import type * as ConfigError from "effect/ConfigError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AdminOperation } from "../../adapters/admin/AdminOperation.ts"
import type { PrintLine } from "../../adapters/lanes/LaneCommand.ts"
import type { StoreError } from "../../adapters/store/engine/opening.ts"
import { type OtherOwner, type Owned, OwnerLost, take } from "../../adapters/store/engine/sqlite/owner.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as Release from "../../core/release.ts"
import { configuredPlace } from "../config/store.ts"
import { decodeExit, encodeRequest, type Line, type Paths, readLines } from "../messages.ts"
import type { StoreTask, StoreTasks } from "../storeTasks.ts"

/** Takes the configured store, or finds the server that owns it; undefined on PostgreSQL, whose stores have no owner. */
export const takeStore = (role: string, prepare?: Effect.Effect<unknown>) =>
  Effect.flatMap(
    configuredPlace,
    (place): Effect.Effect<Owned | OtherOwner | undefined, StoreError, Scope.Scope> =>
      place._tag === "Postgres"
        ? Effect.succeed(undefined)
        : take(place.file, { role, version: Release.version }, prepare),
  )

interface Options {
  /** True: it writes nothing, so that it may be repeated. */
  readonly reads?: boolean
  readonly say?: PrintLine
  /** The parameters that are paths: a server receives the content of their files. */
  readonly paths?: Paths
}

const unsure = (cause: unknown) => {
  const why = cause instanceof Error ? ` (${cause.message})` : ""
  return new OwnerLost({ message: `The server ended before it answered${why}. Check whether it was done.`, cause })
}

const askServer = (server: OtherOwner, name: string, params: object, { say = Console.log, paths = {} }: Options) =>
  Effect.gen(function* () {
    if (server.version !== Release.version) {
      const message = `The server is ${server.version}, this program ${Release.version}: use the same.`
      return yield* Effect.fail(new Error(message))
    }
    const body = yield* Effect.try({ try: () => encodeRequest(params, paths), catch: (error) => error as Error })
    const answer = yield* Effect.tryPromise({ try: () => server.post(`/work/${name}`, body), catch: unsure })
    let end: Effect.Effect<unknown, Error> = unsure(undefined)
    yield* Stream.runForEach(Stream.fromAsyncIterable(readLines(answer), unsure), (text) => {
      const line = JSON.parse(text) as Line
      end = decodeExit(line) ?? end
      return "text" in line ? say(line.text) : Effect.void
    })
    return yield* end
  })

type Answer<Result> = Effect.Effect<Result, Error | ConfigError.ConfigError>

export interface Ask {
  /** The address of the server that has answered; undefined if none has. */
  readonly url: () => string | undefined
  readonly verb: <Params extends Endpoint.AnyStruct, Results extends Schema.Schema.AnyNoContext>(
    verb: AdminOperation<Params, Results>,
    params: Schema.Schema.Encoded<Params>,
  ) => Answer<Schema.Schema.Encoded<Results>>
  readonly work: <Name extends keyof StoreTasks>(
    name: Name,
    params: Parameters<StoreTasks[Name]["run"]>[0],
    options?: Options,
  ) => Answer<Effect.Effect.Success<ReturnType<StoreTasks[Name]["run"]>>>
}

/**
 * Asks the server that owns the store to run tasks. If there is none, this program owns the store until the scope closes and
 * runs them itself, as it does on PostgreSQL, whose stores have no owner.
 *
 * @param role the name of this program in messages to others that want the store
 * @param load loads the tasks that it runs itself
 */
export const makeAsk = (
  role: string,
  load: () => Promise<Readonly<Record<string, StoreTask>>> = async () => (await import("../storeTasks.ts")).storeTasks,
): Effect.Effect<Ask, never, Scope.Scope> =>
  Effect.map(Effect.zip(Effect.scope, Layer.makeMemoMap), ([scope, memo]) => {
    const loaded = Effect.promise(load)
    let isHere = false
    let url: string | undefined
    const once = (name: string, params: object, options: Options) =>
      Effect.gen(function* () {
        if (!isHere) {
          const child = yield* Scope.fork(scope, scope.strategy)
          const taken = yield* Scope.extend(takeStore(role, loaded), child)
          if (taken?._tag === "Asked") {
            url = taken.url
            return yield* Effect.ensuring(askServer(taken, name, params, options), Scope.close(child, Exit.void))
          }
          isHere = true
        }
        const { layer, run } = (yield* loaded)[name]!
        const context = yield* Layer.buildWithMemoMap(layer, memo, scope)
        return yield* Effect.provide(run(params as never, options.say ?? Console.log), context)
      })
    const ask = (name: string, params: object, options: Options = {}) =>
      Effect.retry(once(name, params, options), {
        while: (error) => options.reads === true && error instanceof OwnerLost,
        times: 5,
      }) as Answer<never>
    return {
      url: () => url,
      verb: (verb, params) => ask(verb.id, params as object, { reads: Endpoint.methodOf(verb) === "GET" }),
      work: (name, params, options) => ask(name, params as object, options),
    }
  })
