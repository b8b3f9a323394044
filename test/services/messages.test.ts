import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Failure, invalid } from "../../core/Failure.ts"
import { UsageError } from "../../services/exit.ts"
import { decodeExit, decodeRequest, encodeExit, encodeRequest } from "../../services/messages.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const folder = makeFolder()
const target = join(folder, "target")
let decoded: (request: IncomingMessage) => void
const server = createServer((request, response) => {
  decoded(request)
  request.once("close", () => response.end())
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
  removeFolder(folder)
})

/** A request to the server, and what it makes of it. */
const sent = () => {
  const to = request({ port: (server.address() as AddressInfo).port, method: "POST" }).on("error", () => undefined)
  const result = new Promise<object>((resolve, reject) => {
    decoded = (request) => void decodeRequest(request, target).then(resolve, reject)
  })
  return { to, result }
}

const messageOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "",
    ({ message }: Error) => message,
  )

describe("a request to the owner of a store", () => {
  it("brings its parameters, and the files that they name, with those of folders", async () => {
    const reports = join(folder, "reports")
    mkdirSync(join(reports, "below"), { recursive: true })
    const files = { "one.txt": "1".repeat(2_000_000), "empty.txt": "" }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(reports, name), text)
    writeFileSync(join(folder, "one.txt"), "another")
    const { to, result } = sent()
    const given = [reports, join(folder, "one.txt")]
    const body = encodeRequest({ scale: 3, paths: given }, { paths: given })
    await pipeline(body, to)
    const paths = [join(target, "paths", "0", "reports"), join(target, "paths", "1", "one.txt")] as const
    assert.deepStrictEqual(await result, { scale: 3, paths })
    assert.sameMembers(readdirSync(paths[0]), Object.keys(files))
    for (const [name, text] of Object.entries(files))
      assert.strictEqual(readFileSync(join(paths[0], name), "utf8"), text)
    assert.strictEqual(readFileSync(paths[1], "utf8"), "another")
  })

  it("is none where it broke off, even between two parts of a file", async () => {
    const { to, result } = sent()
    to.write('{"paths":[]}\n{"place":["paths","0","half.txt"],"base64":"aGFsZg=="}\n', () => to.destroy())
    assert.match(await messageOf(result), /aborted|Premature close/)
  })

  it("is read to its end where a file cannot be written, and then refused", async () => {
    const { to, result } = sent()
    const part = (...names: ReadonlyArray<string>) =>
      `${JSON.stringify({ place: ["paths", "2", ...names], base64: "" })}\n`
    to.end(`{"paths":[]}\n${part("file")}${part("file", "below").repeat(50_000)}`)
    assert.match(await messageOf(result), /^(ENOTDIR|EEXIST)/)
    assert.isTrue(to.writableFinished)
  })

  it("is not made of files that are not there", () => {
    assert.throws(() => encodeRequest({}, { paths: [join(folder, "none")] }), /ENOENT/)
  })
})

describe("the end of a work", () => {
  it("is the same for the program that asked", () => {
    const passed = (exit: Exit.Exit<unknown, Error>) =>
      Effect.runSyncExit(decodeExit(JSON.parse(JSON.stringify(encodeExit(exit))))!)
    assert.deepStrictEqual(passed(Exit.succeed({ rows: 3 })), Exit.succeed({ rows: 3 }))
    assert.deepStrictEqual(passed(Exit.void), Exit.succeed(null))
    const failure = invalid("station", "must be one of KNYC.")
    const error = Effect.runSync(Effect.flip(passed(Exit.fail(failure))))
    assert(error instanceof Failure)
    assert.deepStrictEqual([error.code, error.message, error.hints], [failure.code, failure.message, failure.hints])
    for (const Type of [UsageError, Error]) {
      const again = Effect.runSync(Effect.flip(passed(Exit.fail(new Type("Name a job.")))))
      assert.deepStrictEqual([again.constructor, again.message], [Type, "Name a job."])
    }
    const defect = Effect.runSync(Effect.flip(passed(Exit.die(new TypeError("a bug")))))
    assert.strictEqual(defect.message, "a bug")
    assert.isUndefined(decodeExit({ text: "a line" }))
  })
})
