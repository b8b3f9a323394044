const hidden = "[hidden]"

/** What a secret of this service looks like, and where others keep theirs. */
const patterns: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bsvk_(test|live)_[A-Za-z0-9]+/g, `svk_$1_${hidden}`],
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, `whsec_${hidden}`],
  [/\b(Bearer|Basic)\s+[^\s"',;\\]+/gi, `$1 ${hidden}`],
  // Between the scheme and the last @ before the host's end.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>]*@/gi, `$1${hidden}@`],
  [
    /\b(api[_-]?key|access[_-]?token|token|secret|password|passwd|signature|x-service-signature|webhook-signature)(\\*["']?\s*[=:]\s*\\*["']?)[^\s"'&,;\\]+/gi,
    `$1$2${hidden}`,
  ],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, hidden],
]

/**
 * A text without secrets: those that are known, as they are and as JSON writes them, and all that looks like one.
 *
 * @param known of at least eight characters; shorter ones would hide half the text
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
