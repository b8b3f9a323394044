// Answers with as many bytes as the path names, from memory and in one write: what a download costs at least.
import { createServer } from "node:http"

const made = new Map()

createServer((request, response) => {
  const bytes = made.get(request.url) ?? Buffer.alloc(Number(request.url.slice(1)), 97)
  made.set(request.url, bytes)
  response.setHeader("content-length", bytes.length)
  response.end(bytes)
}).listen(0, "127.0.0.1", function () {
  process.stdout.write(`on http://127.0.0.1:${this.address().port}\n`)
})
