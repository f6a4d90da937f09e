import { type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'
import { erasureSubject } from '../../shared/domain/operations/erasure-subject.ts'
import { ed25519KeysOf, openCheckpoint } from '../../shared/formats/checkpoint.ts'
import { isIncluded, leafHash } from '../../shared/formats/merkle-tree.ts'
import { readTextFile } from '../../shared/read-text-file.ts'

/** A file with the response of `GET /v1/erasures/{id}`. */
const ReceiptFile = z.object({
  receipt: z.string(),
  proof: z.object({ number: z.int(), size: z.int(), hashes: z.array(z.string()) }),
})

const Payload = z.object({
  iss: z.string(),
  jti: z.string(),
  sub: z.string(),
  erased_at: z.int(),
  rows: z.record(z.string(), z.int()),
  credentials_revoked: z.int(),
  audit: z.object({ number: z.int(), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
})

export interface ReceiptFiles {
  receipt: string
  checkpoint: string
  /** The JWK set of `/v1/audit/jwks`. */
  keys: string
  /** The id of the erased user, and the salt that the response to its deletion contained. */
  user?: { id: string; salt: string } | undefined
}

/**
 * Verifies the receipt of an erasure with public keys alone: its signature, and that the checkpoint covers its audit row.
 * Returns a sentence about the erasure. Throws with the reason if something does not verify.
 */
export function verifyReceipt(files: ReceiptFiles): string {
  const keys = ed25519KeysOf(JSON.parse(readTextFile(files.keys)))
  const { receipt, proof } = readReceipt(files.receipt)
  const payload = Payload.parse(openReceipt(receipt, keys))
  const checkpoint = openCheckpoint(readTextFile(files.checkpoint), keys)
  if (!checkpoint) throw new Error('The checkpoint has no valid signature.')
  if (checkpoint.origin !== `${payload.iss.replace(/^https?:\/\//, '')}/v1/audit`)
    throw new Error('The checkpoint is of another tenant than the receipt.')
  const { number, hash: rowHash } = payload.audit
  if (checkpoint.size !== proof.size) throw new Error(`The proof is for the checkpoint of ${proof.size} rows.`)
  const leaf = leafHash(Buffer.from(rowHash, 'hex'))
  const hashes = proof.hashes.map((each) => Buffer.from(each, 'base64'))
  if (!isIncluded({ index: number - 1, size: checkpoint.size, leaf, root: checkpoint.root }, hashes))
    throw new Error(`The checkpoint does not cover row ${number} of the audit with this receipt.`)
  if (files.user && erasureSubject(files.user.id, files.user.salt) !== payload.sub)
    throw new Error('The receipt is about another user.')
  const rows = Object.values(payload.rows).reduce((sum, count) => sum + count, 0)
  return (
    `Erasure ${payload.jti} of ${new Date(payload.erased_at * 1000).toISOString()}: ${rows} rows, ` +
    `${payload.credentials_revoked} credentials revoked, row ${number} of ${checkpoint.size} of the audit`
  )
}

function readReceipt(file: string): z.infer<typeof ReceiptFile> {
  const content: unknown = JSON.parse(readTextFile(file))
  const { data, error } = ReceiptFile.safeParse(content)
  if (data) return data
  // An erasure has no proof until a checkpoint covers it.
  if (error.issues.every(({ path }) => path[0] === 'proof'))
    throw new Error(`${file} has no proof yet. Request it again after the next checkpoint of the audit.`)
  throw new Error(`${file} is not a response of GET /v1/erasures/{id}.`)
}

/** Verifies the signature and the type of a receipt, and returns its payload. */
function openReceipt(jws: string, keys: readonly KeyObject[]): unknown {
  const [header = '', payload = '', signature = ''] = jws.split('.')
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
  const { alg, typ } = z.object({ alg: z.string(), typ: z.string() }).parse(read(header))
  const input = Buffer.from(`${header}.${payload}`)
  const isSigned = keys.some((key) => verify(null, input, key, Buffer.from(signature, 'base64url')))
  if (alg !== 'EdDSA' || typ !== 'erasure-receipt+jwt' || !isSigned)
    throw new Error('The receipt has no valid signature.')
  return read(payload)
}
