import * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"
import { display } from "../../core/account/Money.ts"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import { fail } from "../../core/endpoint/Failure.ts"
import * as Options from "../../core/endpoint/Options.ts"
import { Gateway } from "../../core/gateway/Gateway.ts"

/** A tool as `tools/list` shows it: one per endpoint of the live catalogue. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: { readonly readOnlyHint: true; readonly openWorldHint: boolean }
  readonly _meta: { readonly price_micros: number }
}

/** A tool's answer: the same envelope as over HTTP, errors included. */
export interface Result {
  readonly isError?: true
  readonly content: ReadonlyArray<{ readonly type: "text"; readonly text: string }>
}

/** Folds a catalogue into tool descriptions. The gateway decodes the arguments, so its hints reach the model. */
export const tools = (catalogue: Catalogue.Any): ReadonlyArray<Tool> =>
  Catalogue.live(catalogue).map(({ endpoint }) => ({
    name: endpoint.id,
    description: `${endpoint.summary}. Price per call: ${display(endpoint.priceMicros)}.`,
    inputSchema: JSONSchema.make(Options.input(endpoint), { target: "jsonSchema2020-12" }),
    annotations: { readOnlyHint: true, openWorldHint: endpoint.kind !== "Proof" },
    _meta: { price_micros: endpoint.priceMicros },
  }))

/** Runs a tool through the one path of a call: the same data, price and charge as over HTTP. */
export const call = (
  catalogue: Catalogue.Any,
  name: string,
  args: Readonly<Record<string, unknown>>,
  authorization: string | undefined,
): Effect.Effect<Result, never, Gateway> =>
  Effect.flatMap(Gateway, (gateway) => {
    const entry = catalogue.byId.get(name)
    const served =
      entry === undefined
        ? gateway.refuse(fail("not_found", { detail: `There is no tool ${JSON.stringify(name)}.` }))
        : gateway.serve(entry, { _tag: "Json", value: args }, { authorization })
    return Effect.map(
      served,
      ({ status, body }): Result => ({
        ...(status === 200 ? {} : { isError: true }),
        content: [{ type: "text", text: body }],
      }),
    )
  })
