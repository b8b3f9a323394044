import { version } from "../../core/release.ts"
import { digest } from "./digest.ts"

/**
 * A digest of what a page has besides words: its elements, in any order, with classes, addresses, fields and figures, without
 * what differs from run to run (ids, secrets, names of assets, the server's address, the version).
 */
export const skeletonDigest = (html: string, url: string): string => {
  const parts = html
    .replace(/<(style|script)\b[\s\S]*?<\/\1>| (aria-label|content|placeholder|title|alt)="[^"]*"/g, "")
    .replaceAll(url, "")
    .replaceAll(version, "")
    .replace(/[0-9A-HJKMNP-TV-Z]{26}|svk_\w{20,}|…[\w-]{4}|[\w-]{32,}|\.[0-9a-f]{12}\./g, "")
    .replace(/>[^<]+/g, (text) => text.replace(/\p{L}+/gu, ""))
    .split("<")
  return digest(parts.sort())
}
