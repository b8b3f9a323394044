const node = `import { createHmac, timingSafeEqual } from "node:crypto"

// rawBody: the bytes as they arrived, before any JSON parser. header: X-Service-Signature.
export const isGenuine = (rawBody, header, secret) => {
  const expected = createHmac("sha256", secret).update(rawBody).digest()
  const given = Buffer.from(header, "hex")
  return given.length === expected.length && timingSafeEqual(given, expected)
}
`

const python = `import hashlib
import hmac


# raw_body: the bytes as they arrived. header: X-Service-Signature.
def is_genuine(raw_body: bytes, header: str, secret: str) -> bool:
    expected = hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), header.encode())
`

const go = `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// IsGenuine takes the body as it arrived and the header X-Service-Signature.
func IsGenuine(rawBody []byte, header, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	given, err := hex.DecodeString(header)
	return err == nil && hmac.Equal(given, mac.Sum(nil))
}
`

// Hashes are compared, so that the time reveals nothing about the signature.
const shell = `#!/bin/sh
# verify.sh BODY_FILE SIGNATURE, with the secret in WEBHOOK_SECRET. Exit code 0: genuine.
expected=$(openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r "$1" | cut -d ' ' -f 1)
digest() { printf '%s' "$1" | openssl dgst -sha256 -r; }
[ "$(digest "$expected")" = "$(digest "$2")" ]
`

/** Verification of a delivery, by language. */
export const snippets = { Node: node, Python: python, Go: go, Shell: shell } as const
