import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { CurrentCaller } from "../../account/CurrentCaller.ts"
import type { Caller } from "../../account/Keyring.ts"
import { display } from "../../account/Money.ts"
import type * as Catalogue from "../../endpoint/Catalogue.ts"
import * as decode from "../../endpoint/decode.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { Price } from "../../endpoint/EnvelopeSchema.ts"
import { cite, explain, step } from "../../endpoint/explain.ts"
import * as Field from "../../endpoint/Field.ts"
import { LaneSets } from "../../endpoint/LaneSets.ts"
import * as Param from "../../endpoint/Param.ts"
import * as Pricing from "../../endpoint/Pricing.ts"
import { fillTemplate, type QueryParams } from "../../endpoint/path.ts"
import { type Findable, type FindQuery, findableKinds } from "../../find/Findable.ts"
import { Finder } from "../../find/Finder.ts"
import * as Index from "../../find/Index.ts"
import * as Question from "../../find/question.ts"
import { getOrMake } from "../../getOrMake.ts"
import { ifDefined } from "../../ifDefined.ts"
import * as Rights from "../../rights/Rights.ts"
import { plural } from "../../text.ts"
import { dayOf } from "../../time.ts"
import { findZone, offsetAt } from "../../zones.ts"
import { recorded } from "../confidence.ts"
import { dataTerms } from "../fields.ts"
import { microsField } from "./accountAnswer.ts"
import { wallet } from "./endpoints.ts"

/** The longest question, in characters. */
const maxQuestionLength = 200
/** At most this many words of a question are looked for. */
const maxWords = 24
/** Words of a question are looked up as ids from this length on. */
const minIdLength = 5
/** At most this many contracts of one event are shown. */
const maxPerGroup = 2

/** All endpoints that a key may call, including those about the key itself. */
export class Callable extends Context.Tag("market-signals/core/lanes/account/Callable")<Callable, Catalogue.Any>() {}

/** The indexes for test keys and for live keys, made on first use and then at most once a minute. */
export class Indexes extends Context.Tag("market-signals/core/lanes/account/Indexes")<
  Indexes,
  { readonly of: (livemode: boolean) => Effect.Effect<Index.Index> }
>() {
  static readonly layer: Layer.Layer<Indexes, never, Callable | Finder | LaneSets> = Layer.effect(
    Indexes,
    Effect.gen(function* () {
      const [finder, catalogue, lanes] = [yield* Finder, yield* Callable, yield* LaneSets]
      const over = (set: (typeof lanes)["live"]) => {
        let before: Index.Index | undefined
        const read = Effect.flatMap(Effect.clock, (clock) =>
          Effect.map(
            Index.make(finder, catalogue, set, clock.unsafeCurrentTimeMillis(), before),
            (index) => (before = index),
          ),
        )
        return Effect.cachedWithTTL(Effect.uninterruptible(read), "1 minute")
      }
      const [live, test] = [yield* over(lanes.live), yield* over(lanes.test)]
      return { of: (livemode) => (livemode ? live : test) }
    }),
  )
}

const Arguments = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const Hit = Schema.Struct({
  kind: Schema.Literal(...findableKinds),
  name: Field.text(),
  ids: Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Field.integer()) }).annotations({
    description: "Ids as the calls' parameters take them.",
  }),
  day: Field.optional(Field.day("The day that the question names, in the time zone of the place or league.")),
  call: Schema.Struct({
    method: Schema.Literal("GET", "POST", "DELETE"),
    path: Field.text("With its parameters; a POST has them in its body, as in `arguments`."),
    tool: Field.optional(Field.text("The same call as a tool, with `arguments`.")),
    arguments: Arguments,
    price: Price,
    charged_micros: microsField("The charge to this key."),
  }).annotations({ identifier: "ReadyCall", description: "A call that can be made as it is." }),
}).annotations({ identifier: "FindHit" })
type Hit = typeof Hit.Encoded

/** The endpoints about the caller that are MCP tools. */
export const callerTools: ReadonlySet<string> = new Set([wallet.id, "find"])

interface Asker {
  readonly caller: Caller
  readonly catalogue: Catalogue.Any
  readonly now: number
}

/** A call with its parameters; undefined if the endpoint would refuse them. */
const makeCall = (
  endpoint: Endpoint.Any,
  params: Readonly<Record<string, unknown>>,
  { caller, catalogue, now }: Asker,
): Hit["call"] | undefined => {
  if (Either.isLeft(decode.compile(endpoint)({ _tag: "Json", value: params }, now, false))) return undefined
  const { price, charged_micros } = Pricing.quote(endpoint, caller.livemode)
  const inPath = Endpoint.pathParamNames(endpoint)
  // If the parameters are in the body, only those that the path names are in the address.
  const inAddress = Object.entries(params).filter(([name]) => inPath.has(name) || !Endpoint.hasBody(endpoint))
  const isTool = catalogue.byId.get(endpoint.id)!.lane.about !== "caller" || callerTools.has(endpoint.id)
  return {
    method: Endpoint.methodOf(endpoint),
    path: fillTemplate(endpoint.path, Object.fromEntries(inAddress) as QueryParams),
    ...(isTool ? { tool: endpoint.id } : {}),
    arguments: params,
    price,
    charged_micros,
  }
}

const makePageCall = (path: string): Hit["call"] => ({
  method: "GET",
  path,
  arguments: {},
  price: { display: display(0), micros: 0 },
  charged_micros: 0,
})

/** A question about a thing, with days in the thing's zone. */
const resolveDay = ({ zone = "UTC" }: Findable, question: Question.Question, now: number): FindQuery => {
  const today = dayOf(now + offsetAt(findZone(zone)!, now))
  return { ...question, today, day: question.day?.(today) }
}

/** A subject with its best call for the requested day or, failing that, for any day. */
const makeHit = (
  { kind, name, ids, calls }: Findable,
  ranked: ReadonlyArray<number>,
  asked: FindQuery,
  asker: Asker,
): Hit | undefined => {
  if (calls.length === 0) return { kind, name, ids, call: makePageCall(String(ids["path"])) }
  const inOrder = [...new Set([...ranked, ...calls.keys()])].map((place) => calls[place]!)
  for (const { day } of [asked, { day: undefined }]) {
    for (const { endpoint, params } of inOrder) {
      const given = params({ ...asked, day })
      const call = given && makeCall(endpoint, given, asker)
      if (call !== undefined)
        return { kind, name, ids, ...ifDefined("day", kind === "endpoint" ? undefined : day), call }
    }
  }
  return undefined
}

/** Reorders the contracts of each event among their places: those with the question's figures come first. */
const sortContracts = (
  { findables }: Index.Index,
  places: ReadonlyArray<number>,
  { numbers }: Question.Question,
): ReadonlyArray<number> => {
  if (numbers.length === 0) return places
  const isAsked = (place: number): boolean => {
    const [figures] = Question.readNumbers(findables[place]!.name)
    return numbers.every((each) => figures.includes(each))
  }
  const byGroup = new Map<string, Array<number>>()
  for (const place of places) {
    const { group } = findables[place]!
    if (group !== undefined) getOrMake(byGroup, group, () => []).push(place)
  }
  for (const [group, all] of byGroup) {
    byGroup.set(group, [...all.filter(isAsked), ...all.filter((place) => !isAsked(place))])
  }
  return places.map((place) => byGroup.get(findables[place]!.group ?? "")?.shift() ?? place)
}

/** The hits of a question, best first; what it names by an id comes before the others. */
const findHits = (index: Index.Index, text: string, limit: number, asker: Asker) => {
  const { caller, catalogue, now } = asker
  const question = Question.read(text)
  const words = question.words.split(" ").slice(0, maxWords)
  // A short id may also be a word: `NO` is New Orleans.
  const long = text.split(/[\s,;?!"'`]+/).filter(({ length }) => length >= minIdLength)
  const named = [text.trim(), ...long].flatMap((each) => index.named(each))
  const ranking = new Map([...named.map((place) => [place, []] as const), ...index.search(words.join(" "))])
  const rights = Rights.ofKey(caller)
  const groups = new Map<string, number>()
  const hits: Array<Hit> = []
  let barred = 0
  const isElsewhere = index.isElsewhere(question.words)
  for (const place of sortContracts(index, [...ranking.keys()], question)) {
    if (hits.length === limit) break
    const findable = index.findables[place]!
    if (isElsewhere(findable)) continue
    const { day, group } = findable
    const asked = resolveDay(findable, question, now)
    const isOther = day !== undefined && asked.day !== undefined && day !== asked.day
    if (isOther || (group !== undefined && (groups.get(group) ?? 0) >= maxPerGroup)) continue
    const hit = makeHit(findable, ranking.get(place)!, asked, asker)
    if (hit === undefined) continue
    const entry = catalogue.byId.get(hit.call.tool ?? "")
    if (entry?.endpoint.auth === "key" && rights.call(entry.lane) !== undefined) barred++
    else {
      if (group !== undefined) groups.set(group, (groups.get(group) ?? 0) + 1)
      hits.push(hit)
    }
  }
  return { hits, barred, words }
}

const makeHint = (barred: number, nearest: ReadonlyArray<string>): string =>
  barred > 0
    ? "Everything that was found belongs to lanes outside this key's scopes: use a key whose scopes include them."
    : nearest.length > 0
      ? "Nothing has these names. Similar names are in nearest."
      : "Nothing has these names. Name a city, a team, a game, BTC or ETH, a venue's ticker, or what the answer should be, such as `temperature` or `injuries`."

export const find = Endpoint.make("/v1/find", {
  ...dataTerms(0),
  summary: "Find in plain words: cities, teams, games, assets, contracts and endpoints, each with its ready call",
  use: "Where to begin: ids and the call with its arguments and price, of a question such as `NYC high tomorrow`.",
  example: { q: "NYC high tomorrow" },
  params: Schema.Struct({
    q: Param.text(maxQuestionLength, "What is looked for, in words; a day too, such as `tomorrow` or `29 Nov`."),
    limit: Param.withDefault(Param.integer(1, 20, "Most hits."), 5),
  }),
  check: ({ q }) =>
    q?.trim() === "" ? [{ field: "q", action: "change", suggestion: "Name what is looked for, such as Chicago." }] : [],
  results: Schema.Struct({
    query: Field.text(),
    count: Field.integer(),
    hits: Schema.Array(Hit).annotations({ description: "Best first." }),
    hint: Field.optional(Field.text("What to do if nothing is found.")),
    nearest: Field.optional(Schema.Array(Schema.String).annotations({ description: "Names with a similar spelling." })),
  }).annotations({ identifier: "Find" }),
  ports: { indexes: Indexes, catalogue: Callable },
  answer: function* ({ q, limit }, { indexes, catalogue }, give) {
    const { caller, startedAt: now } = yield* CurrentCaller
    const index = yield* indexes.of(caller.livemode)
    const { hits, barred, words } = findHits(index, q, limit, { caller, catalogue, now })
    const nearest = hits.length > 0 ? [] : [...new Set(words.flatMap((word) => index.nearest(word) ?? []))]
    return give({
      results: {
        query: q,
        count: hits.length,
        hits,
        ...(hits.length > 0 ? {} : { hint: makeHint(barred, nearest) }),
        ...(nearest.length > 0 ? { nearest } : {}),
      },
      explained: explain(
        step(
          `Searched ${plural(index.findables.length, "name")} of places, teams, games, assets, contracts, endpoints and pages.`,
          cite("catalogue and open contracts", "/v1/find"),
        ),
        barred > 0 ? `Left out ${plural(barred, "hit")} of lanes outside this key's scopes.` : undefined,
        ...index.missing.map((each) => `Not searched: ${each}`),
      ),
      confidence: recorded(1, "names are matched by their words"),
      freshness: index.freshness,
    })
  },
})
