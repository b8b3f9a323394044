import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Field from "../../endpoint/Field.ts"
import * as Param from "../../endpoint/Param.ts"

/** Leaves of one page of the export. */
export const pageOfLeaves = 1_000

const most = Number.MAX_SAFE_INTEGER
const size = Param.optional(Param.integer(0, most, "Leaves of the tree; those of the newest checkpoint when left out."))
const hash = (description: string) => Field.text(`${description}, SHA-256 in hex.`)
const path = Schema.Array(Field.text()).annotations({ description: "Hashes, lowest first, SHA-256 in hex." })

const free = { kind: "Proof", priceMicros: 0, auth: "none" } as const

/** The newest checkpoint, or an older one. */
export const checkpoint = Endpoint.make({
  ...free,
  id: "proof_checkpoint",
  path: "/v1/proof/checkpoint",
  summary: "Signed checkpoint of the record: as a note (text/plain), or in parts (application/json)",
  example: {},
  params: Schema.Struct({
    size: Param.optional(Param.integer(0, most, "Leaves that the checkpoint covers; the newest one when left out.")),
  }),
  results: Schema.Struct({
    origin: Field.text("The log's name."),
    size: Field.integer("Leaves."),
    root: hash("Root of the Merkle tree (RFC 6962)"),
    signed_at: Field.instant("The time that is signed with it."),
    key: Field.text("Verifier key of the signer, Ed25519: name, key id and base64 key (c2sp.org/signed-note)."),
    note: Field.text("The signed note (c2sp.org/tlog-checkpoint)."),
  }).annotations({ identifier: "ProofCheckpoint" }),
})

/** That a leaf is in the record. */
export const inclusion = Endpoint.make({
  ...free,
  id: "proof_inclusion",
  path: "/v1/proof/inclusion",
  summary: "Proof that a leaf is in the record",
  example: { leaf: "0" },
  params: Schema.Struct({
    leaf: Param.text(
      200,
      "Its position, its hash in hex, or its id. With the key that made a call: the request_id of a signal that it bought.",
    ),
    size,
  }),
  results: Schema.Struct({
    leaf: Schema.Struct({
      position: Field.integer("From 0 on."),
      id: Field.text(),
      hash: hash("SHA-256(0x00 || leaf)"),
      text: Field.optional(
        Field.text(
          "The leaf to the letter: canonical JSON (RFC 8785). Left out while sealed, but for the key that bought it.",
        ),
      ),
      sealed_until: Field.optional(Field.instant("When everybody may read the text; present until then.")),
    }),
    size: Field.integer("Leaves of the tree."),
    root: hash("Its root"),
    proof: path,
  }).annotations({ identifier: "ProofInclusion" }),
})

/** That the record has only grown. */
export const consistency = Endpoint.make({
  ...free,
  id: "proof_consistency",
  path: "/v1/proof/consistency",
  summary: "Proof that the record of one size is the beginning of the record of another",
  example: { from: 0 },
  params: Schema.Struct({
    from: Param.integer(0, most, "Leaves of the smaller tree."),
    to: Param.optional(
      Param.integer(0, most, "Leaves of the larger one; those of the newest checkpoint when left out."),
    ),
  }),
  check: ({ from, to }) =>
    from !== undefined && to !== undefined && from > to
      ? [{ field: "from", action: "change", suggestion: "from must not be above to." }]
      : [],
  results: Schema.Struct({
    from: Field.integer(),
    from_root: hash("Root of the smaller tree"),
    to: Field.integer(),
    to_root: hash("Root of the larger tree"),
    proof: path,
  }).annotations({ identifier: "ProofConsistency" }),
})

/** The record itself. */
export const leaves = Endpoint.make({
  ...free,
  id: "proof_leaves",
  path: "/v1/proof/leaves",
  summary: "The record as NDJSON: its leaves in order, each checkpoint behind the last leaf that it covers",
  example: {},
  params: Schema.Struct({
    from: Param.withDefault(Param.integer(0, most, "Position of the first leaf."), 0),
    to: Param.optional(
      Param.integer(
        0,
        most,
        `Position behind the last leaf, at most ${pageOfLeaves} above from. The header Link names the next page.`,
      ),
    ),
  }),
  check: ({ from = 0, to }) =>
    to === undefined || (to > from && to - from <= pageOfLeaves)
      ? []
      : [{ field: "to", action: "change", suggestion: `to must be above from, by at most ${pageOfLeaves}.` }],
  results: Schema.Struct({
    lines: Schema.Array(
      Schema.Struct({
        position: Field.optional(Field.integer()),
        id: Field.optional(Field.text()),
        hash: Field.optional(hash("SHA-256(0x00 || leaf)")),
        leaf: Field.optional(Field.text("The leaf to the letter. Left out while it is sealed.")),
        sealed_until: Field.optional(Field.instant("When everybody may read a sealed leaf.")),
        checkpoint: Field.optional(Field.integer("Leaves that a checkpoint covers.")),
        at: Field.optional(Field.integer("When it was signed, epoch milliseconds.")),
        key: Field.optional(Field.text("Verifier key of the signer.")),
        note: Field.optional(Field.text("The signed note.")),
      }),
    ).annotations({
      description: "A leaf has position, id, hash and leaf or sealed_until; a checkpoint the other four.",
    }),
  }).annotations({ identifier: "ProofLeaves" }),
  rows: "lines",
})

/** A program that checks all of it without this service. */
export const verifierPath = "/v1/proof/verifier.mjs"

/** Routes beside the catalogue: described in the documents, but neither sold nor tools. */
export const endpoints = { checkpoint, inclusion, consistency, leaves }
