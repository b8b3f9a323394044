import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

/** A real mail server on loopback, which takes messages of one login. */
export const mailServer = async (options: SMTPServerOptions = {}) => {
  const received: Array<{ readonly from: string; readonly to: ReadonlyArray<string>; readonly text: string }> = []
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    onAuth: ({ username, password }, _, done) =>
      username === "signals" && password === "pass-word"
        ? done(null, { user: "signals" })
        : done(new Error(`No login of ${username} with ${password}`)),
    onData: (stream, { envelope: { mailFrom, rcptTo } }, done) => {
      text(stream).then((text) => {
        received.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          // Quoted-printable breaks its lines.
          text: text.replace(/=\r\n/g, ""),
        })
        done()
      }, done)
    },
    ...options,
  })
  server.on("error", () => {})
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    received,
    url: `smtp://signals:pass-word@127.0.0.1:${port}`,
    port,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
