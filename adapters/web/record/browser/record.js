/**
 * Verifies the entries that `/record` shows, one or a list: fetches checkpoint, leaves and proofs from the public API and
 * checks them with the browser's own cryptography. Of the page itself only the positions, or the one name asked for, are used.
 *
 * @typedef {{ passed: boolean | undefined, words: string }} Step passed: undefined where it could not be checked
 * @typedef {{ leaf: { position: number, id: string, hash: string, text?: string, sealed_until?: string }, size: number, root: string, proof: ReadonlyArray<string> }} Inclusion
 * @typedef {{ size: number, root: string, key: string, note: string }} Checkpoint
 */
import { hex, leafHash, readNote, rootOf, signedAt } from "../verifier.mjs"

/** @param {Checkpoint} checkpoint */
const signed = async ({ key, note: text }) => {
  const note = readNote(text)
  await signedAt(note, key)
  return { size: note.size, root: hex(note.root) }
}

/**
 * @param {string} passed
 * @param {string} failed
 * @param {() => Promise<boolean | undefined>} check
 * @returns {Promise<Step>}
 */
const step = async (passed, failed, check) => {
  try {
    const result = await check()
    return { passed: result, words: result === false ? failed : passed }
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
      `Entry ${asked} was returned.`,
      `The answer is another entry than ${asked}.`,
      async () =>
        [String(leaf.position), leaf.hash, leaf.id].includes(asked) &&
        (text === undefined || JSON.parse(text).id === leaf.id),
    ),
    text === undefined
      ? { passed: undefined, words: `The text is sealed until ${leaf.sealed_until}: only its hash is checked.` }
      : await step(
          "The text matches its hash.",
          "The text was changed: it does not have the entry's hash.",
          async () => hex(await leafHash(text)) === leaf.hash,
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
      async () =>
        size === note?.size &&
        hex(await rootOf([leaf.hash], leaf.position, size, [inclusion.proof, inclusion.proof])) === note.root,
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
  const proofs = [(await prove(base, from, size)).proof, (await prove(base, to - 1, size)).proof]
  const hashes = lines.map(({ hash }) => hash)
  if (hex(await rootOf(hashes, from, size, proofs)) !== root)
    throw new Error("the entries do not lead to the signed root")
  const good = new Set()
  for (const { position, leaf, hash } of lines) {
    if (leaf === undefined || hex(await leafHash(leaf)) === hash) good.add(String(position))
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
    if (bad === 0) status.className = "did"
    status.textContent =
      bad === 0
        ? `✓ Your browser verified these ${places.length} entries against the signed log (${note.toLocaleString("en-US")} entries).`
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
