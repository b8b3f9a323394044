import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import { build } from "esbuild"
import * as Client from "../../../adapters/client/mod.ts"
import { file, methods, written } from "../../../bench/tools/client.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type { accountCatalogue } from "../../../core/lanes/account/Account.ts"
import type { DryRun } from "../../../core/lanes/account/dryRun.ts"
import type { catalogue } from "../../../core/lanes/all.ts"
import type { endpoints as record } from "../../../core/record/log/endpoints.ts"

const most = 12 * 1_024

describe("the client's endpoints", () => {
  it("are those of the catalogue, as `npm run client` writes them", () => {
    assert.strictEqual(readFileSync(file, "utf8"), written())
  })

  it("are requested as the catalogue says", () => {
    const asked = (endpoint: Client.CallableEndpoint | Endpoint.Any) => ({
      id: endpoint.id,
      path: endpoint.path,
      method: endpoint.method ?? "GET",
      auth: endpoint.auth,
      charge: Endpoint.charge(endpoint as Endpoint.Any),
    })
    assert.deepStrictEqual(
      Object.values<Client.CallableEndpoint>({ ...Client.endpoints }).map(asked),
      methods.map(asked),
    )
  })

  it("have the types of the schemas, in and out", () => {
    type Schemas = typeof catalogue.endpoints &
      typeof accountCatalogue.endpoints & {
        readonly proof_checkpoint: typeof record.checkpoint
        readonly proof_inclusion: typeof record.inclusion
        readonly proof_consistency: typeof record.consistency
      }
    // An error here: `npm run client` writes the client again.
    expectTypeOf<keyof Client.Endpoints>().toEqualTypeOf<keyof Schemas>()
    // To the compiler the registry's ids are texts; the client lists them.
    type Station = Client.WeatherSettlementParams["station"]
    type Listed<I> = I extends { readonly station: string }
      ? { readonly [K in keyof I]: K extends "station" ? Station : I[K] }
      : I
    type Given = { [Id in keyof Schemas]: Listed<Endpoint.Input<Schemas[Id]>> }
    type Taken = { [Id in keyof Client.Endpoints]: Client.Input<Client.Endpoints[Id]> }
    expectTypeOf<Taken>().toEqualTypeOf<Given>()
    type Sent = { [Id in keyof Schemas]: Endpoint.Results<Schemas[Id]> }
    type Received = { [Id in keyof Client.Endpoints]: Client.Results<Client.Endpoints[Id]> }
    expectTypeOf<Received>().toEqualTypeOf<Sent>()
    expectTypeOf<Client.DryRun>().toEqualTypeOf<typeof DryRun.Encoded>()
  })
})

describe("the client in a browser bundle", () => {
  it(`imports nothing, and has at most ${most} bytes compressed`, async () => {
    const { metafile, outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL("../../../adapters/client/mod.ts", import.meta.url))],
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      metafile: true,
      write: false,
    })
    for (const [input, { imports }] of Object.entries(metafile.inputs)) {
      assert.include(input, "adapters/client/")
      for (const { path } of imports) assert.include(path, "adapters/client/")
    }
    const bytes = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
    assert.isAtMost(bytes, most)
    process.stdout.write(`The client has ${bytes} bytes compressed for a browser.\n`)
  })
})
