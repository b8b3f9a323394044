import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as EnvelopeSchema from "../../core/endpoint/EnvelopeSchema.ts"
import { type Code, codes } from "../../core/Failure.ts"
import { DryRun } from "../../core/lanes/account/dryRun.ts"
import type { Answer } from "./hostileClient.ts"
import type { HostileRequest } from "./hostileRequests.ts"
import { adminToken } from "./hostileServer.ts"
import type { World } from "./hostileWorld.ts"

/** The same values with any of their fields left out, as `fields=` answers them. */
const loosened = (ast: AST.AST): AST.AST => {
  switch (ast._tag) {
    case "TypeLiteral":
      return new AST.TypeLiteral(
        ast.propertySignatures.map(
          ({ name, type, isReadonly }) => new AST.PropertySignature(name, loosened(type), true, isReadonly),
        ),
        ast.indexSignatures.map(
          ({ parameter, type, isReadonly }) => new AST.IndexSignature(parameter, loosened(type), isReadonly),
        ),
      )
    case "TupleType":
      return new AST.TupleType(
        ast.elements,
        ast.rest.map(({ type }) => new AST.Type(loosened(type))),
        ast.isReadonly,
      )
    case "Union":
      return AST.Union.make(ast.types.map(loosened))
    case "Refinement":
      return ast.from._tag === "TypeLiteral" || ast.from._tag === "TupleType" ? loosened(ast.from) : ast
    default:
      return ast
  }
}

const options = { errors: "first", onExcessProperty: "error" } as const
type Check = (value: unknown) => string | undefined

const checkOf = (ast: AST.AST): Check => {
  const decode = ParseResult.decodeUnknownEither(Schema.make(ast), options)
  return (value) => {
    const found = decode(value)
    return Either.isRight(found) ? undefined : ParseResult.TreeFormatter.formatIssueSync(found.left).slice(0, 600)
  }
}

const wire = (schema: Schema.Schema.AnyNoContext): AST.AST => AST.encodedBoundAST(schema.ast)
const failed = checkOf(wire(EnvelopeSchema.Failed))
const quote = checkOf(wire(Schema.Struct({ results: DryRun, ...EnvelopeSchema.envelopeFields })))
/** Whole, and with any fields left out. */
const answers = new Map<Endpoint.Any, readonly [Check, Check]>()
const answerOf = (endpoint: Endpoint.Any): readonly [Check, Check] => {
  const known = answers.get(endpoint)
  if (known !== undefined) return known
  const results = wire(endpoint.results)
  const around = (own: AST.AST) =>
    Endpoint.isKeyless(endpoint)
      ? checkOf(own)
      : checkOf(wire(Schema.Struct({ results: Schema.make<unknown>(own), ...EnvelopeSchema.envelopeFields })))
  const made = [around(results), around(loosened(results))] as const
  answers.set(endpoint, made)
  return made
}

/** What shows the inside of a program. Nothing that requests are made of looks like it. */
const inside =
  /node:internal|node_modules\/|\n\s+at [^\n]{1,200}:\d+:\d+|\.[cm]?[jt]s:\d+:\d+|FiberFailure|ParseError\b/
const statements =
  /SQLITE_[A-Z]{3,}|SqliteError|\bINSERT INTO\b|\bSELECT [\w*("]|constraint failed|no such (table|column)/

interface Charged {
  readonly requestId: string
  readonly micros: number
}

export interface Verdict {
  /** What is wrong with the answer. */
  readonly problem?: string
  /** The code of the failure that it is. */
  readonly code?: string
  readonly charged?: Charged
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what the wire brought
type Json = any

const chargeOf = (body: Json): Charged | undefined => {
  const meta = body?._meta
  return meta?.price === undefined ? undefined : { requestId: meta.request_id, micros: meta.price.charged_micros }
}

/** An error in the envelope of the service: its code's own status and a request id, and nothing else. */
const failure = (body: Json, status: number): Verdict => {
  const problem = failed(body)
  if (problem !== undefined) return { problem: `no error envelope: ${problem}` }
  const code = body.error.code as Code
  return codes[code].status === status ? { code } : { code, problem: `${code} with status ${status}` }
}

/** A good answer of an endpoint. */
const success = (endpoint: Endpoint.Any, body: Json): Verdict => {
  const charged = chargeOf(body)
  if (body?.results?.quote !== undefined && quote(body) === undefined) {
    return charged?.micros === 0 ? { charged } : { problem: "a quote was charged" }
  }
  const [whole, some] = answerOf(endpoint)
  // Without `fields` an answer is whole: that one of its fields is missing then, other tests see.
  const problem = whole(body) === undefined ? undefined : some(body)
  return {
    ...(charged === undefined ? {} : { charged }),
    ...(problem === undefined ? {} : { problem: `not the declared shape: ${problem}` }),
  }
}

export const oracle = (world: World, hidden: ReadonlyArray<string>) => {
  const secrets = [...world.secrets, adminToken, ...hidden]

  const leak = (request: HostileRequest, { headers, body }: Answer): string | undefined => {
    const all = `${JSON.stringify(headers)}\n${body}`
    const secret = secrets.find((each) => all.includes(each))
    if (secret !== undefined) return `shows a secret: ${secret.slice(0, 12)}…`
    // A program to download is full of programs' words.
    if (request.target.includes("verifier.mjs")) return undefined
    const found = inside.exec(all) ?? (request.surface === "keyless" ? null : statements.exec(all))
    return found === null ? undefined : `shows the inside: ${found[0].slice(0, 80)}`
  }

  /** What the protocol wraps an answer in: one message, or a stream with one. */
  const messageOf = ({ headers, body }: Answer): Json => {
    if (!String(headers["content-type"]).startsWith("text/event-stream")) return parsed(body)
    const data = body.split("\n").filter((line) => line.startsWith("data: {"))
    return parsed(data.at(-1)?.slice("data: ".length) ?? "")
  }

  const ofProtocol = (request: HostileRequest, answer: Answer): Verdict => {
    if (answer.body === "") return {}
    const message = messageOf(answer)
    if (message === undefined && request.target !== "/mcp") return {}
    if (message?.jsonrpc !== "2.0") return { problem: "no message of the protocol" }
    if (message.error !== undefined) {
      const { code, message: said } = message.error
      // The library's handshake answers so to parameters that are not valid, and lists what is not.
      const isListed = code === -32603 && String(said).startsWith("[")
      return code === -32603 && !isListed ? { problem: "an internal error of the protocol" } : { code: `rpc ${code}` }
    }
    const { result } = message
    if (result?.content === undefined) return {}
    const body = parsed(result.content[0]?.text ?? "") as Json
    if (result.isError === true) {
      const status = result._meta?.status ?? 0
      return status >= 500 ? { problem: `status ${status}` } : failure(body, status)
    }
    const charged = chargeOf(body)
    const name = (parsed(String(request.body)) as Json)?.params?.name
    return name === request.endpoint?.id && request.endpoint !== undefined
      ? success(request.endpoint, body)
      : charged === undefined
        ? {}
        : { charged }
  }

  const ofApi = ({ endpoint, method }: HostileRequest, { status, headers, body }: Answer): Verdict => {
    if (method === "HEAD" || status === 304 || status === 204) {
      return body === "" ? {} : { problem: "a body where none may be" }
    }
    if (status >= 400) return failure(parsed(body), status)
    const type = String(headers["content-type"])
    if (type.startsWith("text/csv") || type.startsWith("application/x-ndjson")) {
      const micros = Number(headers["x-charged-micros"])
      const bad = type.startsWith("text/csv")
        ? undefined
        : body.split("\n").find((line) => line !== "" && parsed(line) === undefined)
      return bad === undefined
        ? { charged: { requestId: String(headers["x-request-id"]), micros } }
        : { problem: `a line that is no JSON: ${bad.slice(0, 80)}` }
    }
    return success(endpoint!, parsed(body))
  }

  const ofAdmin = ({ verb, method }: HostileRequest, { status, body }: Answer): Verdict => {
    if (method === "HEAD" || status === 204) return {}
    if (status >= 400) return failure(parsed(body), status)
    if (verb === undefined || method !== Endpoint.methodOf(verb)) return {}
    const problem = checkOf(wire(verb.results))(parsed(body))
    return problem === undefined ? {} : { problem: `not the declared shape: ${problem}` }
  }

  const ofBytes = ({ body }: Answer): Verdict => {
    const server = [...body.matchAll(/^HTTP\/1\.1 (5\d\d)/gm)].map(([, status]) => status)
    return server.length === 0 ? {} : { problem: `status ${server.join(", ")}` }
  }

  const ofKeyless = ({ method }: HostileRequest, { status, headers, body }: Answer): Verdict =>
    method === "HEAD" || status < 400 || !String(headers["content-type"]).startsWith("application/json")
      ? {}
      : failure(parsed(body), status)

  const surfaces = {
    api: ofApi,
    keyless: ofKeyless,
    mcp: ofProtocol,
    admin: ofAdmin,
    bytes: (_: unknown, a: Answer) => ofBytes(a),
  }

  /** Whether an answer may be lost on the way, because the client still sends what nobody reads. */
  const mayBeCut = ({ surface, body }: HostileRequest): boolean =>
    surface === "bytes" || (body !== undefined && body.length > 60_000)

  /** A head that is too large is refused before its method is known: to HEAD the refusal has a body, which no client reads. */
  const isUnread = ({ method, target, headers }: HostileRequest): boolean =>
    method === "HEAD" && target.length + JSON.stringify(headers).length > 15_000

  const unanswered = (request: HostileRequest, error: string): Verdict =>
    ((error === "ECONNRESET" || error === "EPIPE") && mayBeCut(request)) ||
    (error === "HPE_CLOSED_CONNECTION" && isUnread(request))
      ? {}
      : { problem: `no answer: ${error}` }

  return (request: HostileRequest, answer: Answer): Verdict => {
    if (answer.error !== undefined) return unanswered(request, answer.error)
    const found = leak(request, answer)
    if (found !== undefined) return { problem: found }
    if (answer.status >= 500) return { problem: `status ${answer.status}: ${answer.body.slice(0, 200)}` }
    const verdict = surfaces[request.surface](request, answer)
    const { charged } = verdict
    return charged !== undefined && charged.micros > 0 && answer.status >= 300
      ? { ...verdict, problem: `charged with status ${answer.status}` }
      : verdict
  }
}
