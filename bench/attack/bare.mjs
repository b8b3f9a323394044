// Answers with as many bytes as the path names, from memory and in one write: what a download costs at least.
import { createServer } from "node:http"

const made = new Map()

const server = createServer(({ url = "/0" }, response) => {
  const bytes = made.get(url) ?? Buffer.alloc(Number(url.slice(1)), 97)
  made.set(url, bytes)
  response.setHeader("content-length", bytes.length)
  response.end(bytes)
}).listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object") process.stdout.write(`on http://127.0.0.1:${address?.port}\n`)
})
