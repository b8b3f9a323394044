import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { byKey } from "../core/text.ts"
import { logging } from "./config/logs.ts"

const hidden = "[hidden]"

/** Patterns of this service's secrets, and of common places for others. */
const patterns: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bsvk_(test|live)_[A-Za-z0-9]+/g, `svk_$1_${hidden}`],
  [/\b([sr]k)_(test|live)_\w+/g, `$1_$2_${hidden}`],
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, `whsec_${hidden}`],
  [/\b(Bearer|Basic)\s+[^\s"',;\\]+/gi, `$1 ${hidden}`],
  // From the scheme to the last @ before the end of the host.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>]*@/gi, `$1${hidden}@`],
  [
    /\b(api[_-]?key|access[_-]?token|token|secret|password|passwd|signature|x-service-signature|webhook-signature)(\\*["']?\s*[=:]\s*\\*["']?)[^\s"'&,;\\]+/gi,
    `$1$2${hidden}`,
  ],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, hidden],
]

/**
 * Redacts known secrets, plain and as escaped in JSON, and anything that matches a pattern.
 *
 * @param known at least 8 characters each; shorter ones would redact half the text
 */
const redact = (known: ReadonlyArray<string>): ((text: string) => string) => {
  const forms = [...new Set(known.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))]
    .filter((form) => form.length >= 8)
    .sort((a, b) => b.length - a.length)
  return (text) =>
    patterns.reduce(
      (out, [pattern, instead]) => out.replace(pattern, instead),
      forms.reduce((out, form) => out.replaceAll(form, hidden), text),
    )
}

/** Maximum length of a line in characters, since a cause can quote client input. */
const maxLineLength = 16_384

interface Line {
  readonly at: string
  readonly level: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly cause: string | undefined
}

const text = (value: unknown): string => (typeof value === "string" ? value : Inspectable.toStringUnknown(value, 0))

const rendered = (cause: Cause.Cause<unknown>): string => Cause.pretty(cause, { renderErrorCause: true })

/** A log entry. Errors among the message's parts are rendered like the cause. */
const line = ({ annotations, cause, date, logLevel, message }: Logger.Logger.Options<unknown>): Line => {
  const words = Array.isArray(message) ? message : [message]
  const causes = [
    ...words.filter((word) => word instanceof Error).map((error) => rendered(Cause.fail(error))),
    ...(Cause.isEmpty(cause) ? [] : [rendered(cause)]),
  ]
  return {
    at: date.toISOString(),
    level: logLevel.label.toLowerCase(),
    message: words
      .flatMap((word) => (word instanceof Error ? [] : [text(word)]))
      .join(" ")
      .slice(0, maxLineLength),
    // Sorted, since annotations have no order.
    fields: Object.fromEntries([...annotations].sort(byKey)),
    cause: causes.length === 0 ? undefined : causes.join("\n").slice(0, maxLineLength),
  }
}

/** A line's fields. Annotations cannot override `at`, `level` and `message`. */
const all = ({ at, level, message, fields, cause }: Line): Readonly<Record<string, unknown>> => {
  const own = { at, level, message }
  return { ...own, ...fields, ...own, ...(cause === undefined ? {} : { cause }) }
}

const json = (entry: Line): string => Inspectable.stringifyCircular(all(entry))

const quoted = (value: string): string => (/^[^\s"=\\]+$/.test(value) ? value : JSON.stringify(value))

const logfmt = (entry: Line): string =>
  Object.entries(all(entry))
    .map(([name, value]) => `${name}=${quoted(text(value))}`)
    .join(" ")

/** For a terminal: time, level, message, fields, and the cause below. */
const pretty = ({ at, level, message, fields, cause }: Line): string => {
  const annotations = Object.entries(fields).map(([name, value]) => ` ${name}=${quoted(text(value))}`)
  const below = cause === undefined ? "" : `\n  ${cause.replaceAll("\n", "\n  ")}`
  return `${at.slice(11, 23)} ${level.toUpperCase().padEnd(5)} ${message}${annotations.join("")}${below}`
}

const formats = { json, logfmt, pretty }

export const levels = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warn: LogLevel.Warning,
  error: LogLevel.Error,
  none: LogLevel.None,
}

/**
 * Logs to standard error, redacted, in the configured format and level. Standard output is for results.
 * @param isTerminal whether standard error is a terminal
 */
export const layer = (isTerminal: boolean) =>
  Layer.unwrapEffect(
    Effect.map(logging, ({ format = isTerminal ? "pretty" : "json", level, secrets }) => {
      const hide = redact(secrets)
      const written = Logger.make((options: Logger.Logger.Options<unknown>) => hide(formats[format](line(options))))
      return Layer.merge(
        Logger.replace(Logger.defaultLogger, Logger.withConsoleError(written)),
        Logger.minimumLogLevel(levels[level]),
      )
    }),
  )
