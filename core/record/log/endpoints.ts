import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Field from "../../endpoint/Field.ts"
import * as Param from "../../endpoint/Param.ts"

/** Maximum number of leaves on a page of the export. */
export const pageOfLeaves = 1_000

const maxPosition = Number.MAX_SAFE_INTEGER
const size = Param.optional(
  Param.integer(0, maxPosition, "Size of the tree, leaves (default: the newest checkpoint's)."),
)
const hash = (description: string) => Field.text(`${description}, SHA-256 in hex.`)
const path = Schema.Array(Field.text()).annotations({ description: "Hashes, lowest first, SHA-256 in hex." })

const freeProof = { kind: "Proof", priceMicros: 0, auth: "none" } as const

export const checkpoint = Endpoint.declare({
  ...freeProof,
  path: "/v1/proof/checkpoint",
  summary: "Signed checkpoint of the record: as a note (text/plain), or in parts (application/json)",
  example: {},
  params: Schema.Struct({
    size: Param.optional(Param.integer(0, maxPosition, "Size of the checkpoint, leaves (default: the newest).")),
  }),
  results: Schema.Struct({
    origin: Field.text("The log's name."),
    size: Field.integer("Leaves."),
    root: hash("Root of the Merkle tree (RFC 6962)"),
    signed_at: Field.instant("Time of the timestamped signature."),
    key: Field.text("Verifier key of the signer, Ed25519: name, key id and base64 key (c2sp.org/signed-note)."),
    note: Field.text("The signed note (c2sp.org/tlog-checkpoint)."),
  }).annotations({ identifier: "ProofCheckpoint" }),
})

export const inclusion = Endpoint.declare({
  ...freeProof,
  path: "/v1/proof/inclusion",
  summary: "Proof that a leaf is in the record",
  example: { leaf: "0" },
  params: Schema.Struct({
    leaf: Param.text(
      200,
      "Position, hash in hex, or id. With a key that may read the sealed leaf also the request_id of the call that bought the signal.",
    ),
    size,
  }),
  results: Schema.Struct({
    leaf: Schema.Struct({
      position: Field.integer("From 0."),
      id: Field.text(),
      hash: hash("SHA-256(0x00 || leaf)"),
      text: Field.optional(
        Field.text(
          "The exact text of the leaf, canonical JSON (RFC 8785). Omitted while sealed, except for a live key of the account that bought the signal or wrote the opinion, if its scopes include the leaf's lane; an agent's key reads what that agent bought or wrote.",
        ),
      ),
      sealed_until: Field.optional(Field.instant("When the text becomes public; omitted after that.")),
    }),
    size: Field.integer("Leaves of the tree."),
    root: hash("Its root"),
    proof: path,
  }).annotations({ identifier: "ProofInclusion" }),
})

export const consistency = Endpoint.declare({
  ...freeProof,
  path: "/v1/proof/consistency",
  summary: "Proof that the record only grew between two sizes",
  example: { from: 0 },
  params: Schema.Struct({
    from: Param.integer(0, maxPosition, "Leaves of the smaller tree."),
    to: Param.optional(Param.integer(0, maxPosition, "Leaves of the larger tree (default: the newest checkpoint's).")),
  }),
  check: ({ from, to }) =>
    from !== undefined && to !== undefined && from > to
      ? [{ field: "from", action: "change", suggestion: "from must be at most to." }]
      : [],
  results: Schema.Struct({
    from: Field.integer(),
    from_root: hash("Root of the smaller tree"),
    to: Field.integer(),
    to_root: hash("Root of the larger tree"),
    proof: path,
  }).annotations({ identifier: "ProofConsistency" }),
})

export const leaves = Endpoint.declare({
  ...freeProof,
  path: "/v1/proof/leaves",
  summary: "The record as NDJSON: leaves in order, each checkpoint after the last leaf it covers",
  example: {},
  params: Schema.Struct({
    from: Param.withDefault(Param.integer(0, maxPosition, "Position of the first leaf."), 0),
    to: Param.optional(
      Param.integer(
        0,
        maxPosition,
        `Position after the last leaf, at most ${pageOfLeaves} above from. The header Link has the next page.`,
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
        leaf: Field.optional(Field.text("The exact text of the leaf. Omitted while sealed.")),
        sealed_until: Field.optional(Field.instant("When the text of a sealed leaf becomes public.")),
        checkpoint: Field.optional(Field.integer("Leaves that a checkpoint covers.")),
        signed_at: Field.optional(Field.instant("When it was signed.")),
        key: Field.optional(Field.text("Verifier key of the signer.")),
        note: Field.optional(Field.text("The signed note.")),
      }),
    ).annotations({
      description: "A leaf has position, id, hash and leaf or sealed_until; a checkpoint has the other four.",
    }),
  }).annotations({ identifier: "ProofLeaves" }),
  rows: "lines",
})

/** A program that verifies an export without this service. */
export const verifierPath = "/v1/proof/verifier.mjs"

/** Routes outside the catalogue: documented, but neither sold nor MCP tools. */
export const endpoints = { checkpoint, inclusion, consistency, leaves }
