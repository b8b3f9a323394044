import * as Redacted from "effect/Redacted"
import { addressForm } from "../../adapters/server/webhooks/guard.ts"
import { matching, parsed, secret, together, variable } from "./values.ts"

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
    "mail server through which owners are told of events; it needs the package nodemailer and MAIL_FROM",
  ),
  from: variable(
    "MAIL_FROM",
    matching(addressForm, "Expected an e-mail address, such as signals@example.com."),
    "address that its messages come from",
  ),
}

/** E-mail of events: off unless server and sender are set. */
export const mail = together(mailVariables, ["url", "from"])
