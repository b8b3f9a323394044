#!/usr/bin/env node
/**
 * Verifies an export of the record. One file, no dependencies, no code shared with the service that wrote the export; the
 * record's page runs it in browsers:
 *
 *   node verifier.mjs FILE
 *   node verifier.mjs --url https://service.example
 *
 *   --key VKEY          accept signatures of this key only (may be repeated). Without it the keys in the export are
 *                       trusted: compare the printed keys with those you know.
 *   --checkpoint FILE   a checkpoint that you saved: the log must extend it (may be repeated)
 *   --json              print one JSON object
 *
 * It hashes every leaf again, builds the Merkle tree (RFC 6962) over them, and compares its root with the signed one at
 * every checkpoint (c2sp.org/tlog-checkpoint): so each checkpoint extends the previous one. Exit codes: 0 all valid, 1
 * something is invalid, 2 nothing could be checked. Predictions that no checkpoint signed before their close covers are
 * counted as unanchored, and listed by --json; that is not an error.
 *
 * A leaf that is sealed until its close has only its hash. The checkpoint covers that hash, so the text cannot be chosen
 * later: verify again after the close, with the checkpoint that you saved. Leaves that are still sealed after that time are
 * listed as overdue.
 */
/**
 * @typedef {{ position: number | null, id: string | null, line: number, what: string }} Problem
 * @typedef {{ position: number, id: string, close_time: string, signed_at: string | null }} Unanchored
 * @typedef {object} Report
 * @property {boolean} intact
 * @property {number} leaves
 * @property {number} checkpoints
 * @property {number} covered leaves under the newest valid checkpoint
 * @property {ReadonlyArray<string>} keys that signed
 * @property {ReadonlyArray<Problem>} problems in order; the first hundred
 * @property {number} problem_count
 * @property {ReadonlyArray<Unanchored>} unanchored
 * @property {number} sealed leaves whose text is not public yet
 * @property {ReadonlyArray<{ position: number, id: string | null, sealed_until: string }>} overdue leaves still sealed after that time; the first hundred
 * @typedef {{ origin: string, size: number, root: Uint8Array, text: string, signatures: Array<{ name: string, bytes: Uint8Array }> }} Note
 */

const maxProblems = 100

/** The kinds of leaves that must be covered by a checkpoint from before their close. */
const forecasts = new Set(["capture", "prediction", "opinion"])

const encoder = new TextEncoder()

/** @param {ReadonlyArray<Uint8Array>} parts */
const join = (parts) => {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Node's hashes without a wait for each: a tenth of the time. */
const node = globalThis.process?.getBuiltinModule?.("node:crypto")

/** @param {ReadonlyArray<Uint8Array | string>} parts */
const sha256 = async (...parts) => {
  const bytes = join(parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part)))
  if (node !== undefined) return node.createHash("sha256").update(bytes).digest()
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** @param {unknown} text */
const unhex = (text) =>
  typeof text === "string" && /^[0-9a-f]{64}$/.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : undefined

/** @param {string} text */
export const leafHash = (text) => sha256(Uint8Array.of(0), text)

/**
 * @param {Uint8Array} left
 * @param {Uint8Array} right
 */
const parent = (left, right) => sha256(Uint8Array.of(1), left, right)

/**
 * The root over a list of leaves and what is beside it, by the inclusion proofs of its first and its last leaf.
 *
 * @param {ReadonlyArray<string>} hashes of the leaves from `from` on
 * @param {number} from
 * @param {number} size
 * @param {ReadonlyArray<ReadonlyArray<string>>} proofs
 */
export const rootOf = async (hashes, from, size, proofs) => {
  const to = from + hashes.length
  const [first = [], last = []] = proofs.map((proof) => [...proof])
  /** @type {(low: number, high: number) => Promise<Uint8Array>} */
  const inside = async (low, high) => {
    if (high - low === 1) return given(hashes[low - from])
    let half = 1
    while (half * 2 < high - low) half *= 2
    const middle = low + half
    // Of each end that is in this subtree its proof names the half that the end is not in.
    const besideFirst = low <= from ? first.pop() : undefined
    const besideLast = to <= high ? last.pop() : undefined
    const before = middle <= from ? given(besideFirst) : await inside(low, middle)
    return parent(before, to <= middle ? given(besideLast) : await inside(middle, high))
  }
  const root = await inside(0, size)
  if (first.length + last.length > 0) throw new Error("a proof has the wrong length")
  return root
}

/** @param {string | undefined} hash */
const given = (hash) => {
  const bytes = unhex(hash)
  if (bytes === undefined) throw new Error("a proof is too short, or has a text that is no hash")
  return bytes
}

/** The tree over the leaves read so far: the hashes of its complete subtrees, largest first. */
class Tree {
  size = 0
  /** @type {Array<Uint8Array>} */
  peaks = []

  /** @param {Uint8Array} leaf */
  async add(leaf) {
    let hash = leaf
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2)
      hash = await parent(/** @type {Uint8Array} */ (this.peaks.pop()), hash)
    this.peaks.push(hash)
    this.size++
  }

  async root() {
    const [last, ...others] = this.peaks.toReversed()
    let root = last ?? (await sha256())
    for (const left of others) root = await parent(left, root)
    return hex(root)
  }
}

/**
 * One text per value: spare bits and missing padding are errors, or two different notes could have one meaning.
 *
 * @param {string} text
 */
const base64 = (text) => {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || btoa(atob(text)) !== text) throw new Error(`${text} is not base64`)
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}

/**
 * @param {string} text
 * @returns {Note}
 */
export const readNote = (text) => {
  const end = text.lastIndexOf("\n\n")
  if (end === -1 || !text.endsWith("\n")) throw new Error("it is not a signed note")
  const body = text.slice(0, end + 1)
  const [origin = "", size = "", root = ""] = body.split("\n")
  const hash = base64(root)
  if (origin === "" || !/^(0|[1-9]\d{0,15})$/.test(size) || hash.length !== 32) {
    throw new Error("it has no origin, size and root")
  }
  const signatures = text
    .slice(end + 2, -1)
    .split("\n")
    .map((line) => {
      const [, name, signature] = /^\u2014 (\S+) (\S+)$/u.exec(line) ?? []
      if (name === undefined || signature === undefined) throw new Error("it has a bad signature line")
      return { name, bytes: base64(signature) }
    })
  return { origin, size: Number(size), root: hash, text: body, signatures }
}

/** @param {string} vkey name+id+base64(type || key) */
const readKey = async (vkey) => {
  const [, name, id, material] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(vkey) ?? []
  const bytes = base64(material ?? "")
  if (name === undefined || bytes.length !== 33 || bytes[0] !== 1)
    throw new Error(`${vkey} is not an Ed25519 verifier key`)
  const raw = bytes.subarray(1)
  /** @param {number} type */
  const idOf = async (type) => hex((await sha256(`${name}\n`, Uint8Array.of(type), raw)).subarray(0, 4))
  const plain = await idOf(1)
  if (plain !== id) throw new Error(`the id of the key ${vkey} is wrong`)
  const key = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"])
  return { name, key, plain, timestamped: await idOf(4) }
}

/**
 * Checks both signatures of a note and returns its signed time, epoch seconds.
 *
 * @param {Note} note
 * @param {string} vkey
 */
export const signedAt = async (note, vkey) => {
  const { name, key, plain, timestamped } = await readKey(vkey)
  if (note.origin !== name) throw new Error(`its origin is ${note.origin}, its key's is ${name}`)
  /** @param {string} id */
  const signatureOf = (id) => {
    const signature = note.signatures.find((each) => each.name === name && hex(each.bytes.subarray(0, 4)) === id)
    if (signature === undefined) throw new Error("it is not signed by its key")
    return signature.bytes.subarray(4)
  }
  /**
   * @param {Uint8Array} signature
   * @param {string} text
   */
  const signs = (signature, text) =>
    crypto.subtle.verify("Ed25519", key, new Uint8Array(signature), encoder.encode(text))
  const stamp = signatureOf(timestamped)
  const seconds =
    stamp.length === 72 ? Number(new DataView(stamp.buffer, stamp.byteOffset).getBigUint64(0)) : Number.NaN
  if (!(await signs(signatureOf(plain), note.text))) throw new Error("its signature is invalid")
  if (!(await signs(stamp.subarray(8), `cosignature/v1\ntime ${seconds}\n${note.text}`)))
    throw new Error("its timestamped signature is invalid")
  return seconds
}

/** @param {unknown} error */
const messageText = (error) => (error instanceof Error ? error.message : String(error))

/** @param {unknown} close epoch milliseconds or ISO 8601 */
const instant = (close) =>
  typeof close === "number" ? close : typeof close === "string" ? Date.parse(close) : Number.NaN

/** @param {number} at */
const iso = (at) => (Number.isFinite(at) ? new Date(at).toISOString() : "unknown")

/**
 * Verifies the lines of an export, each as bytes without its line break.
 *
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} lines
 * @param {{ keys?: ReadonlyArray<string>, checkpoints?: ReadonlyArray<string>, now?: number }} [options]
 * @returns {Promise<Report>}
 */
export const verify = async (lines, { keys = [], checkpoints = [], now = Date.now() } = {}) => {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const tree = new Tree()
  /** @type {Array<Problem>} */
  const problems = []
  /** @type {Array<Unanchored>} */
  const unanchored = []
  /** @type {Array<{ position: number, id: string, close: number }>} */
  let pending = []
  /** @type {Set<string>} */
  const signers = new Set()
  /** @type {Array<{ position: number, id: string | null, sealed_until: string }>} */
  const overdue = []
  const kept = checkpoints.map(readNote)
  let sealed = 0
  /** @type {unknown} a key that is not one of `keys`, named once */
  let foreign
  let [line, problemCount, seen, covered, lastAt, broken] = [0, 0, 0, 0, Number.NEGATIVE_INFINITY, false]

  /**
   * @param {string} what
   * @param {number | null} [position]
   * @param {string | null} [id]
   */
  const problem = (what, position = null, id = null) => {
    problemCount++
    if (problems.length < maxProblems) problems.push({ position, id, line, what })
  }

  const comparedWithKept = async () => {
    for (const { size, root } of kept) {
      if (size === tree.size && hex(root) !== (await tree.root()))
        problem(`The first ${size} leaves do not match the checkpoint that you saved.`)
    }
  }

  /** @param {{ position: unknown, id: unknown, hash: unknown, leaf: unknown, sealed_until: unknown }} row */
  const leaf = async ({ position, id, hash, leaf: text, sealed_until: until }) => {
    const at = tree.size
    const name = typeof id === "string" ? id : null
    const recorded = unhex(hash)
    const own = typeof text === "string" ? await leafHash(text) : undefined
    const isOwn = own !== undefined && hex(own) === hash
    if (position !== at) {
      broken = true
      problem(`Expected leaf ${at}, found leaf ${position}.`, at, name)
    }
    if (until !== undefined && text === undefined && recorded !== undefined) {
      sealed++
      const opens = instant(until)
      if (!Number.isFinite(opens))
        problem(`Leaf ${at} (${name}) is sealed until ${until}, which is not a time.`, at, name)
      if (opens <= now && overdue.length < maxProblems)
        overdue.push({ position: at, id: name, sealed_until: iso(opens) })
      return tree.add(recorded)
    }
    if (!isOwn) {
      broken = true
      problem(`Leaf ${at} (${name}) was changed: its text does not match its hash.`, at, name)
    }
    await tree.add(recorded ?? own ?? new Uint8Array(32))
    if (!isOwn) return
    /** @type {{ id?: unknown, kind?: string, body?: { close_time?: unknown } }} */
    let content
    try {
      content = JSON.parse(/** @type {string} */ (text))
    } catch {
      return problem(`Leaf ${at} (${name}) is not JSON.`, at, name)
    }
    if (content.id !== id) problem(`Leaf ${at} has the id ${name} in its line and ${content.id} in its text.`, at, name)
    const close = content.body?.close_time
    if (forecasts.has(content.kind ?? "") && close !== undefined && close !== null) {
      pending.push({ position: at, id: String(content.id), close: instant(close) })
    }
  }

  /** @param {{ checkpoint: unknown, signed_at: unknown, key: unknown, note: unknown }} row */
  const checkpoint = async ({ checkpoint: size, signed_at: at, key, note: text }) => {
    seen++
    try {
      const note = readNote(String(text))
      if (keys.length > 0 && !keys.includes(String(key))) {
        if (key === foreign) return
        foreign = key
        throw new Error(`it and others are signed by ${key}, which is not one of your keys`)
      }
      const signed = (await signedAt(note, String(key))) * 1_000
      signers.add(String(key))
      if (note.size !== size || iso(signed) !== at) throw new Error("size or time of its line differ from its note")
      if (note.size !== tree.size) throw new Error(`it comes after ${tree.size} leaves`)
      if (signed < lastAt) throw new Error("it was signed before the previous checkpoint")
      if (hex(note.root) !== (await tree.root())) {
        // A known error changes every later root.
        if (broken) return
        broken = true
        throw new Error(
          `its root does not match the leaves: one of leaves ${covered} to ${tree.size - 1} was added, removed, or changed together with its hash`,
        )
      }
      lastAt = signed
      covered = tree.size
      for (const { position, id, close } of pending) {
        if (!(signed < close)) unanchored.push({ position, id, close_time: iso(close), signed_at: iso(signed) })
      }
      pending = []
    } catch (error) {
      problem(`The checkpoint of size ${size} is invalid: ${messageText(error)}.`)
    }
  }

  /** @param {Uint8Array} bytes */
  const read = async (bytes) => {
    const raw = new TextDecoder("latin1").decode(bytes)
    const isCheckpoint = raw.startsWith('{"checkpoint"')
    try {
      const text = decoder.decode(bytes)
      const row = JSON.parse(text)
      const { position, id, hash, leaf: content, sealed_until, checkpoint: size, signed_at, key, note } = row
      const written = JSON.stringify(
        isCheckpoint ? { checkpoint: size, signed_at, key, note } : { position, id, hash, sealed_until, leaf: content },
      )
      if (written !== text) throw new Error("it is not in the exact format of an export")
      return await (isCheckpoint ? checkpoint(row) : leaf(row))
    } catch (error) {
      if (isCheckpoint) {
        seen++
        return problem(`A checkpoint cannot be parsed: ${messageText(error)}.`)
      }
      // Id and hash are taken from the raw line if possible, to name the leaf and to continue the tree.
      const hash = unhex(/"hash":"([0-9a-f]{64})"/.exec(raw)?.[1])
      const id = /"id":"([^"\\]*)"/.exec(raw)?.[1] ?? null
      broken = true
      problem(`Leaf ${tree.size} (${id}) was changed: its line cannot be parsed.`, tree.size, id)
      await tree.add(hash ?? new Uint8Array(32))
    }
  }

  await comparedWithKept()
  for await (const bytes of lines) {
    line++
    const before = tree.size
    await read(bytes)
    if (tree.size !== before) await comparedWithKept()
  }
  for (const { size } of kept) {
    if (size > tree.size) problem(`The checkpoint that you saved has size ${size}; the export has ${tree.size} leaves.`)
  }
  for (const { position, id, close } of pending)
    unanchored.push({ position, id, close_time: iso(close), signed_at: null })
  return {
    intact: problemCount === 0,
    leaves: tree.size,
    checkpoints: seen,
    covered,
    keys: [...signers],
    problems,
    problem_count: problemCount,
    unanchored,
    sealed,
    overdue,
  }
}

/**
 * Splits bytes at line feeds only: text may contain characters that other readers treat as line ends.
 *
 * @param {AsyncIterable<Uint8Array>} chunks
 * @returns {AsyncGenerator<Uint8Array>}
 */
export const split = async function* (chunks) {
  /** @type {Array<Uint8Array>} */
  let rest = []
  for await (const chunk of chunks) {
    let from = 0
    for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
      yield join([...rest, chunk.subarray(from, to)])
      rest = []
      from = to + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
  if (rest.length > 0) yield join(rest)
}

/**
 * The export of a running service, page by page, within its rate limit.
 *
 * @param {string} url
 * @returns {AsyncGenerator<Uint8Array>}
 */
export const fetched = async function* (url) {
  for (let from = 0; ; ) {
    const page = `${url.replace(/\/+$/, "")}/v1/proof/leaves?from=${from}`
    const response = await fetch(page).catch(({ cause }) => {
      throw new Error(`${page} cannot be reached: ${cause?.code ?? cause}`)
    })
    if (response.status === 429) {
      const seconds = Math.min(60, Number(response.headers.get("retry-after")) || 1)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
      continue
    }
    if (response.status !== 200 || response.body === null) throw new Error(`${page} answered ${response.status}`)
    yield* /** @type {AsyncIterable<Uint8Array>} */ (/** @type {unknown} */ (response.body))
    const next = Number(/[?&]from=(\d+)/.exec(response.headers.get("link") ?? "")?.[1] ?? from)
    if (next <= from) return
    from = next
  }
}

/**
 * The report as text.
 *
 * @param {Report} report
 */
export const reportText = (report) =>
  [
    `${report.leaves} leaves, ${report.checkpoints} checkpoints; the newest valid one covers ${report.covered} leaves`,
    ...(report.sealed > 0 ? [`${report.sealed} leaves are sealed until their close; verify them again after it`] : []),
    ...report.overdue.map(
      ({ position, id, sealed_until }) => `overdue: leaf ${position} (${id}) was sealed until ${sealed_until}`,
    ),
    ...report.keys.map((key) => `signed by ${key}`),
    ...report.problems.map(({ line, what }) => `line ${line}: ${what}`),
    ...(report.problem_count > maxProblems ? [`and ${report.problem_count - maxProblems} more`] : []),
    ...(report.covered > 0 && report.unanchored.length > 0
      ? [
          `${report.unanchored.length} forecasts were not signed before their market closed (unanchored): they are intact, but nothing proves their time. --json lists them`,
        ]
      : []),
    report.intact ? "Intact." : "NOT INTACT.",
  ].join("\n")

const usage = "node verifier.mjs FILE | --url https://service.example [--key VKEY] [--checkpoint FILE] [--json]"

/** Runs where this file is the program that was started: not in browsers, and not where it is imported. */
const main = async () => {
  const { createReadStream, readFileSync, realpathSync } = await import("node:fs")
  const { fileURLToPath } = await import("node:url")
  const [, program = "", ...args] = process.argv
  if (realpathSync(program) !== fileURLToPath(import.meta.url)) return
  const { parseArgs } = await import("node:util")
  const { values, positionals: files } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      url: { type: "string" },
      key: { type: "string", multiple: true },
      checkpoint: { type: "string", multiple: true },
    },
  })
  const { json, url, key: keys = [] } = values
  if (files.length + (url === undefined ? 0 : 1) !== 1) throw new Error("Give one export file, or --url and a service.")
  const source = url === undefined ? createReadStream(/** @type {string} */ (files[0])) : fetched(url)
  const checkpoints = (values.checkpoint ?? []).map((file) => readFileSync(file, "utf8"))
  const report = await verify(split(source), { keys, checkpoints })
  process.stdout.write(`${json ? JSON.stringify(report) : reportText(report)}\n`)
  process.exitCode = report.intact ? 0 : 1
}

if (globalThis.process?.argv[1] !== undefined) {
  main().catch((error) => {
    process.stderr.write(`${messageText(error)}\n${usage}\n`)
    process.exitCode = 2
  })
}
