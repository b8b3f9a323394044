/**
 * A typed client of the service over HTTP, for Node, Deno and browsers.
 *
 * @module
 */
export { type Answer, type CallOptions, type Client, type Methods, make, type Options, type Planned } from "./Client.ts"
export { type ById, endpoints } from "./endpoints.ts"
export { BudgetExceeded, InsufficientFunds, RateLimited, ServiceError, Unreachable } from "./errors.ts"
export type { Retries } from "./transport.ts"
