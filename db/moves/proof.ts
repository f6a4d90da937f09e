import { hash } from 'node:crypto'
import { CompactSign, compactVerify } from 'jose'
import { z } from 'zod'
import { Misconfigured } from '../../shared/process/dependency.ts'
import { type MoveHeader, MoveSummary } from './move-file.ts'
import type { ReceiverKeys } from './receiver.ts'

/** Returns the SHA-256 of the counts and digests of a move, hex. Both installations record it in the audit of the platform. */
export function digestOfSummary({ tables, audit }: MoveSummary): string {
  const lines = tables.map(({ name, rows, digest }) => `${name} ${rows} ${digest}`)
  return hash('sha256', [...lines, `${audit.rows} ${audit.hash}`, audit.checkpoint ?? ''].join('\n'), 'hex')
}

export interface ProvenImport {
  header: MoveHeader
  summary: MoveSummary
  at: Date
}

/** Signs the proof that a tenant was imported: a JWS in the compact form, with ES256 and the signing key of the receiver. */
export async function signProof({ signing }: ReceiverKeys, { header, summary, at }: ProvenImport): Promise<string> {
  const proof = {
    format: 'trustwright-tenant-import',
    version: 1,
    exportId: header.exportId,
    tenantId: header.tenant.id,
    importedAt: at.toISOString(),
    digest: digestOfSummary(summary),
    ...summary,
  }
  return new CompactSign(Buffer.from(JSON.stringify(proof))).setProtectedHeader({ alg: 'ES256' }).sign(signing)
}

const MoveProof = MoveSummary.extend({
  format: z.literal('trustwright-tenant-import'),
  version: z.literal(1),
  exportId: z.string(),
  tenantId: z.string(),
  importedAt: z.iso.datetime(),
})
export type MoveProof = z.infer<typeof MoveProof>

/** Verifies a proof. Throws Misconfigured if the receiver did not sign it. */
export async function readProof(text: string, { signing }: ReceiverKeys): Promise<MoveProof> {
  const verified = await compactVerify(text.trim(), signing, { algorithms: ['ES256'] }).catch((error) => {
    throw new Misconfigured('The receiver did not sign this proof, or it was changed. Get proof.jws again.', {
      cause: error,
    })
  })
  const proof = MoveProof.safeParse(JSON.parse(Buffer.from(verified.payload).toString())).data
  if (proof) return proof
  throw new Misconfigured('The file is no proof of an import. Get proof.jws from the folder of the receiver.')
}
