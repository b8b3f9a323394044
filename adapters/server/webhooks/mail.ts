import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { buildMessage } from "../../../core/events/message.ts"
import { timeoutMs as usualTimeoutMs } from "../../../core/events/retry.ts"
import type { ErrorClass } from "../../../core/events/Webhook.ts"
import { DeliveryError, type HttpReply, WebhookClient } from "./client.ts"
import { parseMailto } from "./guard.ts"

export interface Settings {
  /** `smtp:` or `smtps:`, perhaps with a password. */
  readonly url: Redacted.Redacted
  readonly from: string
  /** Where the links of messages lead. */
  readonly baseUrl: string
  readonly timeoutMs?: number
}

/** The package of the mail client cannot be loaded. */
class MailMissing extends Data.TaggedError("MailMissing")<{ readonly cause: unknown }> {
  override get message(): string {
    const reason = this.cause instanceof Error ? this.cause.message.split("\n")[0] : this.cause
    return `E-mail needs the package nodemailer, which does not load: ${reason}. Install it: npm install nodemailer@10.6.1`
  }
}

const errorClasses: Readonly<Record<string, ErrorClass>> = {
  ETIMEDOUT: "timeout",
  EDNS: "dns",
  ETLS: "tls",
  EREQUIRETLS: "tls",
  EPROTOCOL: "protocol",
  ECONNECTION: "reset",
}

/** Only the error's codes: a server's message may repeat the login. */
const toDeliveryError = (error: unknown): DeliveryError => {
  const { code = "", responseCode } = error as { readonly code?: string; readonly responseCode?: number }
  if (typeof responseCode === "number") {
    return new DeliveryError({ error: "status", detail: `The mail server answered ${responseCode}.` })
  }
  return new DeliveryError({
    error: errorClasses[code] ?? "connect",
    detail: `The mail server did not take it: ${code}.`,
  })
}

/** Sends deliveries to `mailto:` URLs through the operator's mail server, and all others as before. */
export const layer = ({
  url,
  from,
  baseUrl,
  timeoutMs = usualTimeoutMs,
}: Settings): Layer.Layer<WebhookClient, MailMissing, WebhookClient> =>
  Layer.effect(
    WebhookClient,
    Effect.gen(function* () {
      const { post } = yield* WebhookClient
      const { createTransport } = yield* Effect.tryPromise({
        try: () => import("nodemailer"),
        catch: (cause) => new MailMissing({ cause }),
      })
      const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
      const transport = createTransport({ url: Redacted.value(url), dnsTimeout: timeoutMs, ...limits })
      const send = (to: string, body: string): Effect.Effect<HttpReply, DeliveryError> => {
        const { id, ...message } = buildMessage(body, baseUrl)
        const headers = { "Auto-Submitted": "auto-generated" }
        const messageId = `<${id}@${new URL(baseUrl).hostname}>`
        return Effect.tryPromise({
          try: () => transport.sendMail({ from, to, messageId, headers, ...message }),
          catch: toDeliveryError,
        }).pipe(
          Effect.as({ status: 250, phrase: "OK", response: "" }),
          Effect.timeoutFail({
            duration: timeoutMs,
            onTimeout: () =>
              new DeliveryError({ error: "timeout", detail: `The mail server did not answer within ${timeoutMs} ms.` }),
          }),
        )
      }
      return {
        post: (target, headers, body) => {
          const address = parseMailto(target)
          return address === undefined ? post(target, headers, body) : send(address, body)
        },
      }
    }),
  )
