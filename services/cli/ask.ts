import { createReadStream, readdirSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { Readable } from "node:stream"
import type * as ConfigError from "effect/ConfigError"
import * as Console from "effect/Console"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AdminOperation } from "../../adapters/admin/AdminOperation.ts"
import type { Say } from "../../adapters/lanes/LaneCommand.ts"
import type { StoreError } from "../../adapters/store/engine/opening.ts"
import { type Asked, type Owned, take, Unsure } from "../../adapters/store/engine/sqlite/owner.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { fail } from "../../core/Failure.ts"
import { advance } from "../../core/Progress.ts"
import * as Release from "../../core/release.ts"
import { config as environment, placeOf } from "../Config.ts"
import { UsageError } from "../exit.ts"
import type { Line, Needs, Part, Work, Works } from "../works.ts"

/** This program, as it takes the configured store or finds its server; undefined on PostgreSQL, which has no owner. */
export const takeStore = (role: string, prepare?: Effect.Effect<unknown>) =>
  Effect.flatMap(environment, (settings): Effect.Effect<Owned | Asked | undefined, StoreError, Scope.Scope> => {
    const place = placeOf(settings)
    const program = { role, version: Release.version }
    return place._tag === "Postgres" ? Effect.succeed(undefined) : take(place.file, program, prepare)
  })

/** What is asked beside a name and parameters. */
interface Beside {
  /** Whether it may be asked again, because it writes nothing. */
  readonly reads?: boolean
  readonly say?: Say
  /** The parameters that are paths: the owner gets the bytes of their files. */
  readonly paths?: Readonly<Record<string, ReadonlyArray<string>>>
  /** The work of a lane that the list of works does not have. */
  readonly here?: () => Promise<Work<never, unknown, Needs>>
}

/** The files that options name, and those in folders that they name. Throws where there is none. */
const listFiles = (paths: NonNullable<Beside["paths"]>) =>
  Object.entries(paths).flatMap(([option, values]) =>
    values.flatMap((path, index) => {
      const place = { option, index, name: basename(path) }
      if (!statSync(path).isDirectory()) return [{ place, path }]
      const within = readdirSync(path).map((file) => ({ place: { ...place, file }, path: join(path, file) }))
      return within.filter(({ path }) => statSync(path).isFile())
    }),
  )

/** The lines of a request: the parameters, then the parts of the files. */
async function* requestLines(params: object, files: ReturnType<typeof listFiles>): AsyncGenerator<string> {
  const part = ({ place }: (typeof files)[number], bytes: Buffer): string =>
    `${JSON.stringify({ ...place, base64: bytes.toString("base64") } satisfies Part)}\n`
  yield `${JSON.stringify(params)}\n`
  for (const file of files) {
    yield part(file, Buffer.alloc(0))
    for await (const bytes of createReadStream(file.path, { highWaterMark: 786_432 })) yield part(file, bytes as Buffer)
  }
}

const unsure = (cause: unknown) => {
  const why = cause instanceof Error ? ` (${cause.message})` : ""
  return new Unsure({ message: `The server ended before it answered${why}. Look whether it was done.`, cause })
}

const askServer = (owner: Asked, name: string, params: object, { say = Console.log, paths = {} }: Beside) =>
  Effect.gen(function* () {
    if (owner.version !== Release.version) {
      const message = `The server is ${owner.version}, this program ${Release.version}: use the same.`
      return yield* Effect.fail(new Error(message))
    }
    const files = yield* Effect.try({ try: () => listFiles(paths), catch: (error) => error as Error })
    const values = { ...params, ...Object.fromEntries(Object.keys(paths).map((option) => [option, []])) }
    const body = Readable.toWeb(Readable.from(requestLines(values, files))) as ReadableStream
    const answer = yield* Effect.tryPromise({
      try: () => owner.ask(`http://localhost/work/${name}`, { method: "POST", body }),
      catch: unsure,
    })
    let last: Line = { failure: undefined }
    yield* Stream.fromReadableStream(() => answer.body!, unsure).pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.runForEach((text) => {
        last = JSON.parse(text) as Line
        return "line" in last ? say(last.line) : "progress" in last ? advance(...last.progress) : Effect.void
      }),
    )
    const end = last as Exclude<Line, { readonly line: string }>
    if ("done" in end) return end.done
    const { code, message, isUsage, ...rest } = ("failure" in end && end.failure) || { message: undefined }
    if (message === undefined) return yield* unsure(undefined)
    if (code !== undefined) return yield* fail(code, { detail: message, ...rest })
    return yield* Effect.fail(isUsage ? new UsageError(message) : new Error(message))
  })

type Answer<Result> = Effect.Effect<Result, Error | StoreError | Unsure | ConfigError.ConfigError>

export interface Ask {
  /** Where the server that has answered serves; undefined: none has. */
  readonly url: () => string | undefined
  readonly verb: <Params extends Endpoint.AnyStruct, Results extends Schema.Schema.AnyNoContext>(
    verb: AdminOperation<Params, Results>,
    params: Schema.Schema.Encoded<Params>,
  ) => Answer<Schema.Schema.Encoded<Results>>
  readonly work: <Name extends keyof Works>(
    name: Name,
    params: Parameters<Works[Name]["run"]>[0],
    beside?: Beside,
  ) => Answer<Effect.Effect.Success<ReturnType<Works[Name]["run"]>>>
}

/**
 * Asks the server that owns the store. Where none does, this program becomes the owner until the scope closes, and does what
 * it would have asked; on PostgreSQL, which has no owner, too.
 *
 * @param role how this program is named to others that want the store
 */
export const makeAsk = (role: string): Effect.Effect<Ask, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    /** What works need here, built once; there is something as soon as the store is this program's. */
    const built = new Map<unknown, Context.Context<Needs>>()
    let url: string | undefined
    const once = (name: string, params: object, beside: Beside) =>
      Effect.gen(function* () {
        const work = Effect.promise(beside.here ?? (async () => (await import("../works.ts")).works[name]!))
        if (built.size === 0) {
          const child = yield* Scope.fork(scope, scope.strategy)
          const taken = yield* Scope.extend(takeStore(role, work), child)
          if (taken?._tag === "Asked") {
            url = taken.url
            return yield* Effect.ensuring(askServer(taken, name, params, beside), Scope.close(child, Exit.void))
          }
        }
        const { layer, run } = yield* work
        const context = built.get(layer) ?? (yield* Layer.buildWithScope(layer(yield* environment), scope))
        built.set(layer, context)
        return yield* Effect.provide(run(params as never, { say: beside.say ?? Console.log }), context)
      })
    const ask = (name: string, params: object, beside: Beside = {}) =>
      Effect.retry(once(name, params, beside), {
        while: (error) => beside.reads === true && error instanceof Unsure,
        times: 5,
      }) as Answer<never>
    return {
      url: () => url,
      verb: (verb, params) => ask(verb.id, params as object, { reads: Endpoint.methodOf(verb) === "GET" }),
      work: (name, params, beside) => ask(name as string, params as object, beside),
    }
  })
