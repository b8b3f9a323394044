import { Readable } from "node:stream"
import * as Effect from "effect/Effect"
import { demoKey } from "../../../core/account/ApiKey.ts"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import type { RateLimits } from "../../../core/account/RateLimits.ts"
import { BaseUrl } from "../../../core/call/BaseUrl.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import type { RequestIds } from "../../../core/gateway/RequestIds.ts"
import { clients, type FileName, filePath, files, path } from "../../describe/clients.ts"
import * as Fragments from "../../describe/openapiFragments.ts"
import * as Keyless from "../../server/http/publicRoute.ts"
import type { Route, RouteLimit } from "../../server/http/route.ts"
import { Site } from "../../server/http/Site.ts"
import * as Slices from "../../server/http/slices.ts"
import { chooseShown } from "../docs/reference/samples.ts"
import { htmlReply } from "../view/document.ts"
import * as Handed from "./handed.ts"
import { installPage } from "./InstallPage.tsx"

const types: Readonly<Record<FileName, string>> = {
  bridge: "application/gzip",
  extension: "application/zip",
  package: "application/gzip",
  wheel: "application/zip",
  notebook: "application/x-ipynb+json",
  bill: "application/vnd.cyclonedx+json",
  sums: "text/plain; charset=utf-8",
}

/** The package has some megabytes. */
const downloading: RouteLimit = { name: "install", perMinute: 30 }

/**
 * The page of lines to copy for each client, and the files that the server hands out.
 *
 * @param parts the sources of the files; absent: no files
 */
export const make = (
  catalogue: Catalogue.Any,
  parts: Handed.Parts | undefined,
): Effect.Effect<ReadonlyArray<Route>, never, RateLimits | RequestIds | PlatformCrypto | BaseUrl> =>
  Effect.gen(function* () {
    const { baseUrl } = yield* BaseUrl
    const route = yield* Keyless.make
    // Made at the first request. Uninterruptible: a reader who disconnects must not interrupt the others.
    const [handed, forget] = yield* Effect.cachedInvalidateWithTTL(
      Effect.uninterruptible(
        Effect.promise(async () => (parts === undefined ? [] : Handed.make(parts, catalogue, baseUrl))),
      ),
      "365 days",
    )
    const made = Effect.tapErrorCause(handed, () => forget)
    const page = Effect.zipWith(made, Site, (all, site) =>
      htmlReply(
        installPage({
          all: clients({ baseUrl, key: demoKey, call: chooseShown(catalogue), served: site.served }),
          handed: all,
          site,
        }),
      ),
    )
    const names: ReadonlyArray<FileName> = parts === undefined ? [] : [...Handed.fileNames(parts), "sums"]
    const file = (name: FileName) =>
      Effect.map(made, (all) => {
        const { bytes, sha256 } = all.find((one) => one.name === name)!
        const open = ({ first, last }: Keyless.ByteRange = { first: 0, last: bytes.length - 1 }): Readable =>
          Readable.from(Slices.sliceBytes(bytes.subarray(first, last + 1)), { objectMode: false })
        const body = { etag: `"${sha256}"`, bytes: bytes.length, open }
        return { type: types[name], body, headers: { "accept-ranges": "bytes" } }
      })
    const operation = {
      ...Fragments.documentOperation(
        "A file that this server hands out",
        ...new Set(names.map((name) => types[name].split(";")[0]!)),
      ),
      parameters: [
        {
          ...{ name: "file", in: "path", required: true, description: "The file's name." },
          ...{ schema: { type: "string", enum: names.map((name) => files[name]) }, example: files.sums },
        },
      ],
    }
    return [
      route(
        {
          path,
          types: ["text/html"],
          description: {
            _tag: "Operation",
            operation: Fragments.documentOperation(
              "A line to copy for each client, and the server's own files",
              "text/html",
            ),
          },
        },
        () => page,
      ),
      ...names.map((name) =>
        route(
          {
            path: filePath(name),
            types: [types[name].split(";")[0]!],
            bucket: downloading,
            description: { _tag: "Operation", operation, template: `${path}/{file}` },
          },
          () => file(name),
        ),
      ),
    ]
  })
