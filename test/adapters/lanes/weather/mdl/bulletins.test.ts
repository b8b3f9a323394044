import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layer } from "../../../../../adapters/lanes/weather/mdl/bulletins.ts"
import { GuidanceBulletins, type GuidanceSource, runsDue } from "../../../../../core/lanes/weather/guidance/Guidance.ts"
import { stations } from "../../../../../core/lanes/weather/stations.ts"
import { guidanceRoutes } from "../../../../support/guidanceBulletins.ts"
import { type Payload, replay } from "../../../../support/replay.ts"

const now = Date.parse("2026-09-12T18:00:00Z")

/** The newest run of a source whose files may be others. */
const asked = (source: GuidanceSource, replies: Readonly<Record<string, Payload>> = {}) =>
  Effect.gen(function* () {
    const others = Object.entries(replies).map(([part, reply]) => ({ path: new RegExp(part), reply }))
    const { url, requests } = yield* replay([
      ...others,
      ...guidanceRoutes(source === "gfs_mos" ? source : "nbm", () => now),
    ])
    const run = yield* Effect.flatMap(GuidanceBulletins, (bulletins) =>
      bulletins.run(source, runsDue(source, now)[0]!),
    ).pipe(
      Effect.provide(layer({ nbm: url, mdl: url, userAgent: "test" }).pipe(Layer.provide(FetchHttpClient.layer))),
      Effect.either,
    )
    return { run, paths: requests.map(({ path }) => path) }
  })

const login: Payload = {
  status: 200,
  headers: { "content-type": "text/html" },
  body: "<html><form>Sign in</form></html>",
}

describe("the public servers' bulletins", () => {
  it.scopedLive.each([
    ["nbm", ["/blend.20260912/13/text/blend_nbstx.t13z", "/blend.20260912/13/text/blend_nbetx.t13z"]],
    ["nbp", ["/blend.20260912/13/text/blend_nbptx.t13z"]],
    ["gfs_mos", ["/GFSMAV.t12z", "/GFSMEX.t12z"]],
  ] as const)("are read from the files of a run, of our stations alone: %s", ([source, files]) =>
    Effect.gen(function* () {
      const { run, paths } = yield* asked(source)
      assert.deepStrictEqual(paths, [...files])
      if (run._tag === "Left") return assert.fail(run.left.message)
      assert.strictEqual(run.right!.length, paths.length * stations.length)
    }),
  )

  it.scopedLive("are none of a run that is not out", () =>
    Effect.gen(function* () {
      const { run } = yield* asked("nbm", { nbstx: { status: 404, headers: {}, body: "<Error/>" } })
      assert.isTrue(run._tag === "Right" && run.right === undefined)
    }),
  )

  it.scopedLive.each([
    ["a page of a proxy in place of the first file", { nbstx: login }],
    ["a page of a proxy in place of the second", { nbetx: login }],
    ["an empty file", { nbetx: { ...login, body: "" } }],
  ] as const)("are refused with %s, since no station of ours is in it", ([, replies]) =>
    Effect.gen(function* () {
      const { run } = yield* asked("nbm", replies)
      assert.strictEqual(run._tag === "Left" ? run.left.code : run._tag, "upstream_unavailable")
    }),
  )
})
