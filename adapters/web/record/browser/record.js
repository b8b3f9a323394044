/**
 * Verifies the leaf that `/record` shows: fetches checkpoint, leaf and proof from the public API and checks them with the
 * browser's own cryptography. What the page itself says is not used, but for which leaf was asked for.
 *
 * @typedef {{ passed: boolean | undefined, words: string }} Step passed: undefined where it could not be checked
 * @typedef {{ leaf: { position: number, id: string, hash: string, text?: string, sealed_until?: string }, size: number, root: string, proof: ReadonlyArray<string> }} Inclusion
 * @typedef {{ size: number, root: string, key: string, note: string }} Checkpoint
 */

const encoder = new TextEncoder()

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** @param {string} text */
const unhex = (text) => {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error(`${text} is not in hex`)
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** @param {string} text */
const unbase64 = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

/** @param {ReadonlyArray<Uint8Array>} parts */
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]))

/** @param {ReadonlyArray<Uint8Array>} parts */
const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", join(...parts)))

/**
 * The root to which a proof leads from a leaf.
 *
 * @param {Inclusion} inclusion
 */
const rootOf = async ({ leaf, size, proof }) => {
  const { sides } = await import("../../../../core/record/log/sides.js")
  const expected = sides(leaf.position, size)
  if (expected?.length !== proof.length) throw new Error("the proof has the wrong length")
  let hash = unhex(leaf.hash)
  for (const [at, each] of proof.entries()) {
    const other = unhex(each)
    hash = await (expected[at] === "left"
      ? sha256(Uint8Array.of(1), other, hash)
      : sha256(Uint8Array.of(1), hash, other))
  }
  return hex(hash)
}

/**
 * Checks the signature of a note (c2sp.org/signed-note) and returns the size and the root that it signs.
 *
 * @param {Checkpoint} checkpoint
 */
const signed = async ({ key, note }) => {
  const [, name, id, material] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(key) ?? []
  const bytes = unbase64(material ?? "")
  if (name === undefined || bytes.length !== 33 || bytes[0] !== 1) throw new Error("the key is not an Ed25519 key")
  const own = (await sha256(encoder.encode(`${name}\n`), bytes)).subarray(0, 4)
  if (hex(own) !== id) throw new Error("the key's id does not match the key")
  const end = note.lastIndexOf("\n\n")
  const text = note.slice(0, end + 1)
  const signatures = note.slice(end + 2).split("\n")
  const mine = signatures
    .filter((line) => line.startsWith(`\u2014 ${name} `))
    .map((line) => unbase64(line.slice(name.length + 3)))
    .find((each) => hex(each.subarray(0, 4)) === id)
  if (end === -1 || mine === undefined) throw new Error("the key has not signed it")
  const publicKey = await crypto.subtle.importKey("raw", bytes.subarray(1), "Ed25519", false, ["verify"])
  if (!(await crypto.subtle.verify("Ed25519", publicKey, mine.subarray(4), encoder.encode(text))))
    throw new Error("the signature does not match the text")
  const [origin = "", size = "", root = ""] = text.split("\n")
  if (origin !== name) throw new Error(`it is of another log, ${origin}`)
  return { size: Number(size), root: hex(unbase64(root)) }
}

/**
 * @param {string} passed
 * @param {string} failed
 * @param {() => Promise<boolean | undefined>} check
 * @returns {Promise<Step>}
 */
const step = async (passed, failed, check) => {
  try {
    const found = await check()
    return { passed: found, words: found === false ? failed : passed }
  } catch (error) {
    return { passed: false, words: `${failed} (${error instanceof Error ? error.message : error})` }
  }
}

/**
 * @template Answer
 * @param {string} path
 * @returns {Promise<Answer>}
 */
const get = async (path) => {
  const response = await fetch(path, { headers: { accept: "application/json" }, cache: "no-store" })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error?.message ?? `the service answered ${response.status}`)
  return answer
}

/** @param {string} asked a position, hash or id */
const verify = async (asked) => {
  /** @type {Checkpoint} */
  const checkpoint = await get("/v1/proof/checkpoint")
  const query = new URLSearchParams({ leaf: asked, size: String(checkpoint.size) })
  /** @type {Inclusion} */
  const inclusion = await get(`/v1/proof/inclusion?${query}`)
  const { leaf, size } = inclusion
  const { text } = leaf
  /** @type {{ size: number, root: string } | undefined} */
  let note
  return [
    await step(
      `The answer is leaf ${asked}.`,
      `The answer is another leaf than ${asked}.`,
      async () =>
        [String(leaf.position), leaf.hash, leaf.id].includes(asked) &&
        (text === undefined || JSON.parse(text).id === leaf.id),
    ),
    text === undefined
      ? { passed: undefined, words: `The text is sealed until ${leaf.sealed_until}: only its hash is checked.` }
      : await step(
          "The text has the leaf's hash.",
          "The text was changed: it does not have the leaf's hash.",
          async () => hex(await sha256(Uint8Array.of(0), encoder.encode(text))) === leaf.hash,
        ),
    await step(
      `The checkpoint of ${checkpoint.size} leaves is signed with the key.`,
      "The checkpoint's signature is not valid.",
      async () => {
        note = await signed(checkpoint)
        return true
      },
    ),
    await step(
      `The proof leads from the leaf to the checkpoint's root, over ${inclusion.proof.length} hashes.`,
      "The proof does not lead from the leaf to the signed root.",
      async () => size === note?.size && (await rootOf(inclusion)) === note.root,
    ),
  ]
}

/**
 * @param {Element} place
 * @param {ReadonlyArray<Step>} steps
 */
const show = (place, steps) => {
  const list = document.createElement("ol")
  list.className = "steps"
  for (const { passed, words } of steps) {
    const item = document.createElement("li")
    const badge = document.createElement("span")
    badge.className = passed === undefined ? "badge" : passed ? "badge good" : "badge bad"
    badge.textContent = passed === undefined ? "not checked" : passed ? "● passed" : "▲ failed"
    item.append(badge, ` ${words}`)
    list.append(item)
  }
  const verdict = document.createElement("p")
  verdict.className = "lead"
  verdict.textContent = steps.some(({ passed }) => passed === false)
    ? "This leaf is NOT proven: a check failed."
    : "Your browser checked this leaf: it is in the signed record."
  place.replaceChildren(verdict, list)
}

const place = document.querySelector("[data-leaf]")
const asked = place?.getAttribute("data-leaf")
if (place && asked) {
  if (globalThis.crypto?.subtle === undefined)
    place.textContent = "This browser checks signatures on https pages alone: use the commands below."
  else {
    place.textContent = "Checking …"
    verify(asked).then(
      (steps) => show(place, steps),
      (error) => show(place, [{ passed: false, words: `The proof could not be read: ${error.message}` }]),
    )
  }
}
