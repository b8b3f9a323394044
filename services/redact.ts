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
export const redact = (known: ReadonlyArray<string>): ((text: string) => string) => {
  const forms = [...new Set(known.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))]
    .filter((form) => form.length >= 8)
    .sort((a, b) => b.length - a.length)
  return (text) =>
    patterns.reduce(
      (out, [pattern, instead]) => out.replace(pattern, instead),
      forms.reduce((out, form) => out.replaceAll(form, hidden), text),
    )
}
