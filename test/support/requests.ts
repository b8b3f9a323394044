import * as Endpoint from "../../core/endpoint/Endpoint.ts"

/** The call of an endpoint over HTTP: its parameters as a query, or as a JSON body where it is posted. */
export const requestOf = (
  endpoint: Endpoint.Any,
  params: Readonly<Record<string, unknown>>,
): readonly [target: string, init: RequestInit] =>
  Endpoint.methodOf(endpoint) === "POST"
    ? [endpoint.path, { method: "POST", body: JSON.stringify(params), headers: { "content-type": "application/json" } }]
    : [`${endpoint.path}?${new URLSearchParams(params as Record<string, string>)}`, {}]
