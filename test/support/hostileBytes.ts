import type { Draws } from "./hostileDraws.ts"
import type { World } from "./hostileWorld.ts"

const path = "/v1/crypto/spot"

/** What is no HTTP, or not quite; without a key that pays. */
const texts = (auth: string): ReadonlyArray<string> => [
  `GET ${path} HTTP/1.1\r\n${auth}\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\n${auth}\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n${auth}\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\n folded\r\n${auth}\r\n\r\n`,
  `GET ${path} HTTP/1.1\nHost: a\n${auth}\n\n`,
  `GET ${path} HTTP/9.9\r\nHost: a\r\n${auth}\r\n\r\n`,
  `GET  ${path}  HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET ${path}\u0001 HTTP/1.1\r\nHost: a\r\n\r\n`,
  `get ${path} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `NOTHING ${path} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET http://user:pass@elsewhere.example${path} HTTP/1.1\r\nHost: a\r\n${auth}\r\nConnection: close\r\n\r\n`,
  `CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n`,
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  `POST /v1/plan/estimate HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Length: -1\r\n\r\n`,
  `POST /v1/plan/estimate HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Length: 99999999999999999999\r\n\r\n`,
  `POST /v1/plan/estimate HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  `POST /v1/plan/estimate HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `POST /v1/plan/estimate HTTP/1.1\r\nHost: a\r\n${auth}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  `POST /v1/plan/estimate HTTP/1.1\r\nHost: a\r\n${auth}\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n{}`,
  `POST /v1/plan/estimate HTTP/1.1\r\nHost: a\r\n${auth}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  `POST /v1/plan/estimate HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Length: 40\r\n\r\n{"calls":`,
  `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${auth}\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{"jsonrpc":`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Length: 30\r\n\r\nGET /v1/key HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\n${`X-${"a".repeat(200)}: ${"b".repeat(200)}\r\n`.repeat(60)}\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: a\r\n${auth}\r\n\r\n`.repeat(20),
  `GET /mcp/sse HTTP/1.1\r\nHost: localhost\r\n${auth}\r\n\r\n`,
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001",
  "\r\n\r\n\r\n",
]

/** Bytes on a socket, one in four of them with a byte changed. */
export const bytes = (draw: Draws, { keys }: World) => {
  const made = Buffer.from(draw.pick(texts(`Authorization: Bearer ${keys.test.token}`)), "latin1")
  if (draw.chance(0.25)) made[draw.integer(made.length)] = draw.integer(256)
  return { surface: "bytes", method: "", target: "", headers: {}, body: made } as const
}
