// `hosts.mjs NAME PORT` mounts the service of `mounted.ts` in a server of somebody else; `own` is the package's.
import { once } from "node:events"
import { createServer } from "node:http"
import { handler, keys, listener, own, stop } from "./out/mounted.js"

const hostname = "127.0.0.1"
const [, , name, text] = process.argv
const port = Number(text)

const hosts = {
  own: () => own(port),
  node: async () => createServer(await listener()).listen(port, hostname),
  express: async () => {
    const { default: express } = await import("express")
    const app = express()
    app.get("/mine", (_request, response) => response.send("mine"))
    const service = await listener()
    app.use("/signals", service)
    app.use(service)
    return app.listen(port, hostname)
  },
  hono: async () => {
    const { Hono } = await import("hono")
    const { serve } = await import("@hono/node-server")
    const { getConnInfo } = await import("@hono/node-server/conninfo")
    const answer = await handler()
    const app = new Hono()
    app.get("/mine", (context) => context.text("mine"))
    app.mount("/signals", (request) => answer(request, {}))
    app.all("*", (context) => answer(context.req.raw, getConnInfo(context).remote))
    return serve({ fetch: app.fetch, port, hostname })
  },
  // The exports of a file app/[[...path]]/route.ts, called by method as Next does, which is too large to install here.
  next: async () => {
    const { serve } = await import("@hono/node-server")
    const answer = await handler()
    const route = (/** @type {Request} */ request) => answer(request, {})
    const exported = { GET: route, HEAD: route, POST: route, PATCH: route, DELETE: route, OPTIONS: route }
    return serve({
      fetch: (request) => exported[request.method](request, { params: Promise.resolve({}) }),
      port,
      hostname,
    })
  },
  deno: async () => {
    const answer = await handler()
    Deno.serve({ port, hostname, onListen: () => {} }, (request, { remoteAddr }) =>
      answer(request, { address: remoteAddr.hostname }),
    )
  },
  bun: async () => {
    const answer = await handler()
    Bun.serve({
      port,
      hostname,
      // A stream is silent for up to 15 s.
      idleTimeout: 60,
      fetch: (request, server) => answer(request, { address: server.requestIP(request)?.address }),
    })
  },
}
const server = await hosts[name]()
if (server?.listening === false) await once(server, "listening")
process.stdout.write(`${JSON.stringify(keys)}\n`)
// Streams end with the service; a moment later their last bytes are sent.
process.once("SIGTERM", () => stop().then(() => setTimeout(process.exit, 500)))
