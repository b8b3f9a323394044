import * as Redacted from "effect/Redacted"
import { addressPattern } from "../../adapters/server/webhooks/guard.ts"
import { allOrNone, matching, parsed, secret, variable } from "./values.ts"

export const mailVariables = {
  url: variable(
    "SMTP_URL",
    parsed(
      secret,
      (text) => {
        const url = URL.canParse(Redacted.value(text)) ? new URL(Redacted.value(text)) : undefined
        return url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== "" ? text : undefined
      },
      "Expected smtp://user:password@host:port, or smtps:// for TLS from the beginning.",
    ),
    "mail server for e-mail about events to owners; it needs the package nodemailer and MAIL_FROM",
  ),
  from: variable(
    "MAIL_FROM",
    matching(addressPattern, "Expected an e-mail address, such as signals@example.com."),
    "sender's address of these messages",
  ),
}

/** E-mail of events: off unless server and sender are set. */
export const mail = allOrNone(mailVariables, ["url", "from"])
