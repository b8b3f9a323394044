import { createHash } from "node:crypto"
import { files } from "../files.ts"
import { style } from "./style.ts"

/** A file that pages load. Its name has the hash of its content, so that it may be kept for good. */
export interface Asset {
  readonly name: string
  readonly type: string
  readonly text: string
}

export const pathOf = (name: string): string => `/assets/${name}`

const asset = (name: string, kind: string, type: string, text: string): Asset => ({
  name: `${name}.${createHash("sha256").update(text).digest("hex").slice(0, 12)}.${kind}`,
  type,
  text,
})

/** White space that a reader of the source needs. */
const minified = style
  .replace(/\/\*[\s\S]*?\*\//g, "")
  .replace(/(?<=[{};,])\s*\n\s*/g, "")
  .replace(/\s*\n\s*/g, "\n")
  .replace(/ (?=\{)|(?<=[:,]) /g, "")
  .replaceAll(";}", "}")
  .replaceAll(" > ", ">")
  .trim()

export const styleSheet = asset("style", "css", "text/css; charset=utf-8", minified)

/** Two bars: what the model says and what the market says. */
export const icon = asset(
  "icon",
  "svg",
  "image/svg+xml",
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7.5" fill="#1d4ed8"/><path d="M7 13h6v13H7zM19 6h6v20h-6z" fill="#fff"/></svg>`,
)

const javaScript = "text/javascript; charset=utf-8"

/** Several scripts as one file, which is a request less; in blocks, each has its own names. */
const inBlocks = (...texts: ReadonlyArray<string>): string => texts.map((text) => `{\n${text}}\n`).join("")

/** Fills in the code of a sign-in link. */
export const enterScript = asset("enter", "js", javaScript, files.enter)

/** Keeps a form from being sent twice, and the values of the dashboard's pages up to date. */
export const dashboardScript = asset(
  "dashboard",
  "js",
  javaScript,
  inBlocks(files.forms, files.filters, files.live, files.copy, files.plot, files.ages),
)

/** Verifies entries of the record: the verifier, and in a block the page's own code in place of its import; no comments. */
export const recordScript = asset(
  "record",
  "js",
  javaScript,
  (files.verifier + inBlocks(files.record.replace(/^import .*$/m, ""), files.filters)).replace(
    / *\/\*\*[\s\S]*?\*\/\n?/g,
    "",
  ),
)

/** Adds buttons that copy, crosshairs and countdowns, applies filters at once, and marks the section that is read. */
export const pageScript = asset(
  "page",
  "js",
  javaScript,
  inBlocks(files.copy, files.plot, files.filters, files.clock, files.sections),
)

export const assets: ReadonlyArray<Asset> = [styleSheet, icon, recordScript, pageScript, enterScript, dashboardScript]

/** Pages load their own files and nothing else; nothing is inline. Their forms lead to this origin and to some others. */
export const formPolicy = (origins: ReadonlyArray<string>): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ["form-action 'self'", ...origins].join(" "),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ")

export const policy = formPolicy([])

/** The headers of every page, in addition to those of every answer. */
export const pageHeaders = {
  "content-security-policy": policy,
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
} as const
