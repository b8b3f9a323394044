import { createHash, createPublicKey, verify } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as signer from "../../../../adapters/runtime/node/signer.ts"
import * as checkpoint from "../../../../core/record/log/checkpoint.ts"
import * as proofs from "../../../../core/record/log/proofs.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { Signer } from "../../../../core/record/log/Signer.ts"
import { signCheckpoint } from "../../../../core/record/log/signCheckpoint.ts"
import { inMemory, inStore, leaves, origin } from "../../../support/record.ts"
import { folder } from "../../../support/store.ts"
import { withYields } from "../../../support/yields.ts"

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()
const base64 = (text: string) => Buffer.from(text, "base64")

const isSigned = (publicKey: Uint8Array, text: string, signature: Uint8Array): boolean =>
  verify(
    null,
    Buffer.from(text),
    createPublicKey({
      key: Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), publicKey]),
      format: "der",
      type: "spki",
    }),
    signature,
  )

const noon = Date.parse("2026-07-08T12:00:00Z")

describe("a signed note", () => {
  // The key and note with which golang.org/x/mod/sumdb/note documents its format.
  const word = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
  const key = { name: "PeterNeumann", publicKey: base64(word.split("+").slice(2).join("+")).subarray(1) }
  const line = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
  const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"

  it("has the key id and the signature of other implementations", () => {
    assert.strictEqual(checkpoint.vkey(sha256, key), word)
    assert.deepStrictEqual(
      Buffer.from(checkpoint.keyIdOf(sha256, key, checkpoint.signatureTypes.plain)),
      base64(line).subarray(0, 4),
    )
    assert.isTrue(isSigned(key.publicKey, text, base64(line).subarray(4)))
  })

  const root = Uint8Array.from({ length: 32 }, (_, n) => n)
  const body = checkpoint.textOf({ origin, size: 20_852_163, root })
  const signature = Uint8Array.from({ length: 64 }, (_, n) => 255 - n)
  const note = checkpoint.noteOf(sha256, body, { ...key, name: origin }, signature, 1_679_315_147, signature)

  it("is read as it was written", () => {
    assert.strictEqual(body, `${origin}\n20852163\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n`)
    assert.match(note, new RegExp(`^${body}\n— ${origin} \\S+\n— ${origin} \\S+\n$`, "u"))
    const read = Either.getOrThrow(checkpoint.parse(note))
    assert.deepStrictEqual(
      { ...read, root: Buffer.from(read.root), signatures: read.signatures.length },
      { origin, size: 20_852_163, root: Buffer.from(root), text: body, signatures: 2 },
    )
    const [plain, timed] = read.signatures
    assert.deepStrictEqual(plain!.signature, signature)
    assert.deepStrictEqual(Buffer.from(timed!.signature.subarray(0, 8)).readBigUInt64BE(), 1_679_315_147n)
    assert.notDeepEqual(plain!.keyId, timed!.keyId)
    // Lines that a newer log may add are the signer's business.
    const extended = note.replace("\n\n", "\nmore\n\n")
    assert.strictEqual(Either.getOrThrow(checkpoint.parse(extended)).text, `${body}more\n`)
  })

  it.each<[what: string, text: string]>([
    ["nothing", ""],
    ["no signatures", body],
    ["no empty line", note.replace("\n\n", "\n")],
    ["no line feed at its end", note.slice(0, -1)],
    ["no origin", note.replace(origin, "")],
    ["a size with a leading zero", note.replace("\n20852163", "\n020852163")],
    ["a negative size", note.replace("\n20852163", "\n-1")],
    ["a size beyond what can be counted", note.replace("\n20852163", "\n9007199254740993")],
    ["a root of 31 bytes", note.replace(/\nAAE\S+/, `\n${Buffer.from(root.subarray(1)).toString("base64")}`)],
    ["a root with spare bits", note.replace("Hh8=", "Hh9=")],
    ["a root that is no base64", note.replace("AAECA", "AA-CA")],
    ["a hyphen for the dash", note.replace("—", "-")],
    ["a plus in the name", note.replace(`— ${origin}`, `— ${origin}+`)],
    ["a signature of nothing", `${body}\n— ${origin} AAAAAA==\n`],
  ])("is refused with %s", (_, text) => {
    assert.isTrue(Either.isLeft(checkpoint.parse(text)), text)
  })
})

describe("checkpoints", () => {
  for (const [where, layer] of [
    ["in memory", Layer.suspend(() => Layer.fresh(inMemory))],
    ["in SQLite", inStore()],
  ] as const) {
    it.effect(`are signed when the log has grown, with the time, ${where}`, () =>
      Effect.gen(function* () {
        const log = yield* RecordLog
        yield* TestClock.setTime(noon + 999)
        for (const [size, seconds] of [
          [0, 0],
          [1, 60],
          [4, 60],
          [1_005, 61],
        ] as const) {
          yield* TestClock.setTime(noon + seconds * 1_000 + 999)
          yield* log.append(leaves(0, size))
          const signed = (yield* signCheckpoint)!
          assert.deepStrictEqual([signed.size, signed.at], [size, noon + seconds * 1_000])
          const { text, signatures, ...read } = Either.getOrThrow(checkpoint.parse(signed.note))
          assert.deepStrictEqual(read, { origin, size, root: Uint8Array.from(yield* proofs.root(size)) })
          const { key } = yield* Signer
          const { publicKey } = yield* key
          const [plain, timed] = signatures.map(({ signature }) => signature)
          assert.isTrue(isSigned(publicKey, text, plain!))
          assert.isTrue(
            isSigned(publicKey, `cosignature/v1\ntime ${noon / 1_000 + seconds}\n${text}`, timed!.subarray(8)),
          )
          assert.deepStrictEqual(yield* log.checkpoint(), signed)
          yield* TestClock.adjust("30 seconds")
          assert.isUndefined(yield* signCheckpoint)
          assert.deepStrictEqual(yield* log.checkpoint(size), signed)
        }
      }).pipe(Effect.provide(layer)),
    )
  }

  it.effect("return to the event loop after every thousand leaves", () =>
    Effect.gen(function* () {
      yield* (yield* RecordLog).append(leaves(0, 4_001))
      const [signed, yields] = yield* withYields(signCheckpoint)
      assert.deepStrictEqual([signed?.size, yields], [4_001, 5])
    }).pipe(Effect.provide(inStore())),
  )

  it.effect("are not signed with a clock behind the last one", () =>
    Effect.gen(function* () {
      const log = yield* RecordLog
      yield* TestClock.setTime(noon)
      yield* signCheckpoint
      yield* log.append(leaves(0, 1))
      yield* TestClock.setTime(noon - 1)
      assert.match(
        (yield* Effect.flip(signCheckpoint)).message,
        /^The system clock is before the last checkpoint \(2026-07-08T12:00:00/,
      )
      yield* TestClock.setTime(noon)
      assert.strictEqual((yield* signCheckpoint)?.size, 1)
    }).pipe(Effect.provide(inStore())),
  )

  /** Manipulations by someone with access to the file, who can drop the triggers too. */
  it.effect.each([
    [
      "UPDATE record_leaves SET text = replace(text, '60000', '60001') WHERE position = 5",
      /^Leaf 5 \(leaf_000005\): the text does not match its hash/,
    ],
    ["DELETE FROM record_leaves WHERE position = 6", /^Leaf 6 is missing/],
    ["DELETE FROM record_leaves WHERE position > 1", /^The log has 2 leaves; the last checkpoint has 4/],
    [
      "UPDATE record_leaves SET subtrees = zeroblob(64) WHERE position = 3",
      /^The first 4 leaves do not match the last checkpoint's root/,
    ],
    [
      "UPDATE record_leaves SET subtrees = zeroblob(96) WHERE position = 7",
      /^The stored subtree hashes of leaves 4 to 9 do not match the leaves/,
    ],
  ] as const)("are not signed over a log that was tampered with: %s", ([statement, message]) =>
    Effect.gen(function* () {
      const log = yield* RecordLog
      const sql = yield* SqlClient.SqlClient
      yield* log.append(leaves(0, 4))
      yield* signCheckpoint
      yield* log.append(leaves(4, 9))
      for (const verb of ["update", "delete"]) yield* sql.unsafe(`DROP TRIGGER record_leaves_no_${verb}`)
      yield* sql.unsafe(statement)
      assert.match((yield* Effect.flip(signCheckpoint)).message, message)
      assert.strictEqual((yield* log.checkpoint())?.size, 4)
    }).pipe(Effect.provide(inStore())),
  )
})

describe("the key file", () => {
  const keyOf = (file: string, name = origin) =>
    Effect.flatMap(Signer, ({ key }) => key).pipe(Effect.provide(signer.layerFile(file, name)))

  it.scoped("is made by the first use, for its owner alone, and decides from then on", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "keys", "record.key")
      const [one, other] = yield* Effect.all([keyOf(file), keyOf(file, "other.example/log")], { concurrency: 2 })
      assert.deepStrictEqual(one, other)
      assert.strictEqual(one.name, origin)
      assert.strictEqual(one.publicKey.length, 32)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.deepStrictEqual(readdirSync(join(file, "..")), ["record.key"])
      assert.match(readFileSync(file, "utf8"), new RegExp(`^${origin}\n-----BEGIN PRIVATE KEY-----\n`))
      assert.notDeepEqual(yield* keyOf(`${file}2`), one)
    }),
  )

  it.scoped("that does not hold a key, or is not private, is refused without a word of it", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const good = join(path, "good")
      yield* keyOf(good)
      const [name, ...pem] = readFileSync(good, "utf8").split("\n")
      const secret = pem[1]!
      const file = (called: string, text: string, mode = 0o600) => {
        writeFileSync(join(path, called), text, { mode })
        return join(path, called)
      }
      mkdirSync(join(path, "folder"), { mode: 0o700 })
      for (const [bad, message] of [
        [file("empty", ""), /does not contain a record key/],
        [file("short", `${name}\n${pem.join("\n").replace(secret, secret.slice(3))}`), /does not contain a record key/],
        [file("unnamed", pem.join("\n")), /does not contain a record key/],
        [file("plus", `a+b\n${pem.join("\n")}`), /does not contain a record key/],
        [file("open", `${name}\n${pem.join("\n")}`, 0o644), /can be read by others.*chmod 600/],
        [join(path, "folder"), /cannot be used: EISDIR/],
        [join(good, "below"), /cannot be used: ENOTDIR/],
      ] as const) {
        const error = yield* Effect.flip(keyOf(bad))
        assert.match(error.message, message)
        assert.notInclude(JSON.stringify(error) + String(error.stack), secret)
      }
    }),
  )

  it.scoped("has the same key after a restart; the log continues with another key only if the operator says so", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const [file, key] = [join(path, "store.db"), join(path, "key")]
      const signed = (size: number, keyFile: string) =>
        Effect.gen(function* () {
          yield* (yield* RecordLog).append(leaves(0, size))
          return (yield* signCheckpoint)!.key
        }).pipe(Effect.provide(inStore(file, signer.layerFile(keyFile, origin, keyFile !== key))))
      const first = yield* signed(1, key)
      assert.strictEqual(yield* signed(2, key), first)
      assert.notStrictEqual(yield* signed(3, `${key}2`), first)
      assert.include(first, Encoding.encodeHex(checkpoint.keyIdOf(sha256, yield* keyOf(key), 1)))
    }),
  )
})
