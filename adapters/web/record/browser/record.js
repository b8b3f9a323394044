/**
 * Verifies the entries that `/record` shows, one or a list: fetches checkpoint, leaves and proofs from the public API and
 * checks them with the browser's own cryptography. Of the page itself only the positions, or the one name asked for, are used.
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

/** The service did not answer: nothing is proven, and nothing refuted. */
class Unread extends Error {}

/**
 * @param {string} path
 * @param {string} accept
 */
const read = async (path, accept) => {
  const response = await fetch(path, { headers: { accept }, cache: "no-store" }).catch((error) => {
    throw new Unread(error.message)
  })
  const text = await response.text()
  if (response.ok) return text
  throw new Unread(text.startsWith("{") ? JSON.parse(text).error?.message : `the service answered ${response.status}`)
}

/**
 * @template Answer
 * @param {string} path
 * @returns {Promise<Answer>}
 */
const get = async (path) => JSON.parse(await read(path, "application/json"))

/**
 * @param {string} base the address before `/v1/proof`
 * @param {string | number} leaf
 * @param {number} size
 * @returns {Promise<Inclusion>}
 */
const prove = (base, leaf, size) =>
  get(`${base}/v1/proof/inclusion?${new URLSearchParams({ leaf: String(leaf), size: String(size) })}`)

/**
 * @param {string} base
 * @param {string} asked a position, hash or id
 */
const verify = async (base, asked) => {
  /** @type {Checkpoint} */
  const checkpoint = await get(`${base}/v1/proof/checkpoint`)
  const inclusion = await prove(base, asked, checkpoint.size)
  const { leaf, size } = inclusion
  const { text } = leaf
  /** @type {{ size: number, root: string } | undefined} */
  let note
  return [
    await step(
      `The answer is entry ${asked}.`,
      `The answer is another entry than ${asked}.`,
      async () =>
        [String(leaf.position), leaf.hash, leaf.id].includes(asked) &&
        (text === undefined || JSON.parse(text).id === leaf.id),
    ),
    text === undefined
      ? { passed: undefined, words: `The text is sealed until ${leaf.sealed_until}: only its hash is checked.` }
      : await step(
          "The text has the entry's hash.",
          "The text was changed: it does not have the entry's hash.",
          async () => hex(await sha256(Uint8Array.of(0), encoder.encode(text))) === leaf.hash,
        ),
    await step(
      `The checkpoint of ${checkpoint.size} entries is signed with the key.`,
      "The checkpoint's signature is not valid.",
      async () => {
        note = await signed(checkpoint)
        return true
      },
    ),
    await step(
      `The proof leads from the entry to the checkpoint's root, over ${inclusion.proof.length} hashes.`,
      "The proof does not lead from the entry to the signed root.",
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
    ? "This entry is NOT proven: a check failed."
    : "Your browser checked this entry: it is in the signed record."
  place.replaceChildren(verdict, list)
}

/**
 * The root over a list of leaves and what is beside it, by the proofs of its first and its last leaf.
 *
 * @param {ReadonlyArray<Uint8Array>} hashes of the leaves from `from` on
 * @param {number} from
 * @param {number} size
 * @param {ReadonlyArray<ReadonlyArray<string>>} proofs
 */
const rootOfRange = async (hashes, from, size, proofs) => {
  const to = from + hashes.length
  const [first = [], last = []] = proofs.map((proof) => proof.map(unhex))
  /** @type {(low: number, high: number) => Promise<Uint8Array | undefined>} */
  const node = async (low, high) => {
    if (high - low === 1) return hashes[low - from]
    let half = 1
    while (half * 2 < high - low) half *= 2
    const middle = low + half
    // Of each end that is in this subtree its proof names the half that the end is not in.
    const besideFirst = low <= from ? first.pop() : undefined
    const besideLast = to <= high ? last.pop() : undefined
    const before = middle <= from ? besideFirst : await node(low, middle)
    const after = to <= middle ? besideLast : await node(middle, high)
    if (before === undefined || after === undefined) throw new Error("a proof is too short")
    return sha256(Uint8Array.of(1), before, after)
  }
  const root = await node(0, size)
  if (root === undefined || first.length + last.length > 0) throw new Error("a proof has the wrong length")
  return hex(root)
}

/**
 * The entries of a list that are in the signed record with the text that is served for them.
 *
 * @param {string} base
 * @param {number} from
 * @param {number} to the end, excluded
 */
const verifyAll = async (base, from, to) => {
  /** @type {Checkpoint} */
  const checkpoint = await get(`${base}/v1/proof/checkpoint`)
  const { size, root } = await signed(checkpoint)
  const lines = (await read(`${base}/v1/proof/leaves?from=${from}&to=${to}`, "application/x-ndjson"))
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
    .filter((line) => "position" in line)
  if (lines.length !== to - from) throw new Error("entries are missing")
  const hashes = lines.map(({ hash }) => unhex(hash))
  const proofs = [(await prove(base, from, size)).proof, (await prove(base, to - 1, size)).proof]
  if ((await rootOfRange(hashes, from, size, proofs)) !== root)
    throw new Error("the entries do not lead to the signed root")
  const good = new Set()
  for (const { position, leaf, hash } of lines) {
    if (leaf === undefined || hex(await sha256(Uint8Array.of(0), encoder.encode(leaf))) === hash)
      good.add(String(position))
  }
  return { good, note: checkpoint.size }
}

/** @param {Element} status */
const showAll = async (status) => {
  const { proofs = "", from, to } = /** @type {HTMLElement} */ (status).dataset
  const places = [...document.querySelectorAll("a[data-entry]")]
  /**
   * @param {Element} place
   * @param {boolean} passed
   */
  const mark = (place, passed) => {
    place.className = passed ? "badge good" : "badge bad"
    place.firstChild?.replaceWith(passed ? "✓ verified" : "▲ failed")
  }
  try {
    const { good, note } = await verifyAll(proofs, Number(from), Number(to))
    for (const place of places) mark(place, good.has(place.getAttribute("data-entry")))
    const bad = places.filter((place) => !place.classList.contains("good")).length
    status.textContent =
      bad === 0
        ? `Your browser verified these ${places.length} entries: they are in the signed log of ${note.toLocaleString("en-US")}.`
        : `${bad} of these entries ${bad === 1 ? "is" : "are"} NOT proven.`
  } catch (error) {
    if (error instanceof Unread) {
      status.textContent = `The proofs could not be read: ${error.message}`
      return
    }
    for (const place of places) mark(place, false)
    status.textContent = `These entries are NOT proven: ${error instanceof Error ? error.message : error}.`
  }
}

const isAble = globalThis.crypto?.subtle !== undefined
const unable = "This browser checks signatures on https pages alone: use the commands below."

const place = document.querySelector("[data-leaf]")
const asked = place?.getAttribute("data-leaf")
if (place && asked) {
  if (!isAble) place.textContent = unable
  else {
    place.textContent = "Checking …"
    verify(place.getAttribute("data-proofs") ?? "", asked).then(
      (steps) => show(place, steps),
      (error) => show(place, [{ passed: false, words: `The proof could not be read: ${error.message}` }]),
    )
  }
}

const list = document.querySelector("[data-from]")
if (list) {
  list.textContent = isAble ? "Checking …" : unable
  if (isAble) showAll(list)
}
