import { z } from 'zod'
import { described, idOf, named, Timestamp } from '../../http/fields.ts'
import { keySetOf } from '../key-sets.ts'

export const AuditKeySet = keySetOf('AuditJwk', {
  signs: 'checkpoints of the audit',
  kid: 'The id of the key',
  keys: 'The current key, and replaced keys. They have no end, because checkpoints have none',
})

const maxNumber = 2 ** 31 - 1

const range = `Must be a number from 1 to ${maxNumber}`

function numberOf(description: string) {
  return z
    .string()
    .regex(/^\d{1,10}$/, range)
    .transform(Number)
    .refine((number) => number >= 1 && number <= maxNumber, range)
    .meta({ description, type: 'integer', minimum: 1, maximum: maxNumber, 'x-examples': [1] })
}

export const CheckpointQuery = z.object({
  size: numberOf('The size of an earlier checkpoint. Without it, the last checkpoint').optional(),
})

export const ProofQuery = z.object({
  number: numberOf('The number of the entry, from 1'),
  size: numberOf('The size of the checkpoint').optional(),
})

export const ConsistencyQuery = z.object({
  from: numberOf('The size of the earlier checkpoint'),
  to: numberOf('The size of the later checkpoint. Without it, the last checkpoint').optional(),
})

const exampleHash = 'YH+SZAVXGrwJC3QGVRVUEIyLuMjy1DfTxbKDOV85s0M='
const Hashes = named(
  'MerkleHashes',
  'Hashes of a Merkle tree in base64, in the order of RFC 9162',
  z.array(described(z.string(), 'A hash, base64', exampleHash)),
)

export const InclusionProof = named(
  'InclusionProof',
  'Proves that a checkpoint of the audit covers an entry',
  z.object({
    number: described(z.int(), 'The number of the entry', 12),
    size: described(z.int(), 'The size of the checkpoint', 128),
    leaf: described(
      z.string(),
      'The leaf hash of the entry, base64: the SHA-256 of a zero byte and the 32 bytes of its hash',
      exampleHash,
    ),
    hashes: Hashes.describe('The inclusion proof (RFC 9162, section 2.1.3). The index of the leaf is `number` minus 1'),
  }),
)

export const ConsistencyProof = z.object({
  from: described(z.int(), 'The size of the earlier checkpoint', 128),
  to: described(z.int(), 'The size of the later checkpoint', 256),
  hashes: Hashes.describe('The consistency proof (RFC 9162, section 2.1.4)'),
})

export const ErasureView = z.object({
  id: idOf('erasure'),
  createdAt: Timestamp.describe('The time of the erasure'),
  receipt: described(
    z.string(),
    'The receipt as JWT (`erasure-receipt+jwt`), signed with a key of `/v1/audit/jwks`. Absent for some seconds, until it is signed',
    'eyJhbGciOiJFZERTQSIsInR5cCI6ImVyYXN1cmUtcmVjZWlwdCtqd3QifQ.eyJqdGkiOiIwMTk4In0.c2lnbmF0dXJl',
  ).optional(),
})

export const ProvenErasureView = ErasureView.extend({
  proof: InclusionProof.optional().describe(
    'Proves that the last checkpoint covers the audit entry in the receipt. Absent until there is such a checkpoint',
  ),
})
