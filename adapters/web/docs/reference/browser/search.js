/**
 * The search of the reference. The server answers `/docs?q=` with `find`; in a browser the same function filters the same
 * entries as one types.
 *
 * @typedef {{ kind: "endpoint" | "parameter" | "field" | "error", name: string, words: string, path: string }} Entry
 */

/** Longest question, and most results shown. */
export const longest = 100
export const most = 50

/**
 * Entries that have every word of a question, those with it in their name first.
 *
 * @param {ReadonlyArray<Entry>} entries
 * @param {string} question
 * @returns {ReadonlyArray<Entry>}
 */
export const find = (entries, question) => {
  const asked = question.slice(0, longest).toLowerCase().trim()
  const words = asked.split(/\s+/)
  if (asked === "") return []
  return entries
    .map((entry) => {
      const name = entry.name.toLowerCase()
      const all = `${name} ${entry.words.toLowerCase()}`
      if (!words.every((word) => all.includes(word))) return { entry, rank: -1 }
      const last = name.split(/[./[\]]+/).at(-1)
      return { entry, rank: name === asked || last === asked ? 0 : name.includes(asked) ? 1 : 2 }
    })
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry)
}

/** @param {ReadonlyArray<Entry>} found */
export const heading = ({ length }) =>
  length === 0 ? "Nothing found" : length > most ? `${length} found, the first ${most}` : `${length} found`

/**
 * @param {HTMLInputElement} field
 * @param {Element} place
 */
const enhance = (field, place) => {
  /** @type {Promise<ReadonlyArray<Entry>> | undefined} */
  let loading
  const entries = () => {
    loading ??= fetch("/docs/index.json")
      .then((response) => response.json())
      .then((answer) => answer.entries)
    return loading
  }
  /** @param {Entry} entry */
  const item = ({ kind, name, words, path }) => {
    const [row, link, code, badge, text] = ["li", "a", "code", "span", "span"].map((tag) => document.createElement(tag))
    link?.setAttribute("href", path)
    code?.append(name)
    link?.append(/** @type {Node} */ (code))
    badge?.append(kind)
    badge?.setAttribute("class", "badge")
    text?.append(words)
    row?.append(/** @type {Node} */ (link), " ", /** @type {Node} */ (badge), " ", /** @type {Node} */ (text))
    return /** @type {Node} */ (row)
  }
  const show = async () => {
    const question = field.value
    const rest = document.querySelector("#rest")
    if (rest instanceof HTMLElement) rest.hidden = question.trim() !== ""
    if (question.trim() === "") return place.replaceChildren()
    const found = find(await entries(), question)
    // A later letter has its own answer.
    if (field.value !== question) return
    const title = document.createElement("h2")
    title.append(heading(found))
    const list = document.createElement("ul")
    list.append(...found.slice(0, most).map(item))
    place.replaceChildren(title, ...(found.length === 0 ? [] : [list]))
  }
  // Without the entries the form still asks the server.
  field.addEventListener("focus", () => void entries().catch(() => (loading = undefined)), { once: true })
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, select, textarea")
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
  })
  field.addEventListener("input", () => void show().catch(() => (loading = undefined)))
}

if (globalThis.document !== undefined) {
  const field = document.querySelector("input[type=search]")
  const place = document.querySelector("#results")
  if (field instanceof HTMLInputElement && place !== null) enhance(field, place)
}
