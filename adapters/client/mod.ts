/**
 * A typed client of the service over HTTP, for Node, Deno, Bun and browsers. It imports nothing: neither effect nor the
 * schemas that its types are written from.
 *
 * @module
 */
export { type Answer, type CallOptions, type Client, type ClientOptions, type Methods, makeClient } from "./Client.ts"
export type { CallableEndpoint, Input, Results, TypedEndpoint } from "./endpointTypes.ts"
export {
  BudgetExceeded,
  type Code,
  type ErrorPayload,
  InsufficientFunds,
  RateLimited,
  ServiceError,
  Unreachable,
} from "./errors.ts"
export type * from "./generated.ts"
export { endpoints } from "./generated.ts"
export type { Retries } from "./transport.ts"
