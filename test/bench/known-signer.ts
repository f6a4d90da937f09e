import { generateKeyPairSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/client.ts'
import { certificates } from '../../db/tables/certificates/certificates.ts'
import { plusMs } from '../../shared/clock.ts'
import { buildCertificate, newSerialNumber } from '../../shared/formats/x509/build-certificate.ts'
import { nameOf } from '../../shared/formats/x509/name.ts'
import { certifierOf, type SignerKind } from '../../shared/formats/x509/profiles.ts'
import { newId } from '../../shared/ids.ts'
import type { SignerCache } from '../../workers/signing/certificates/signer-cache.ts'
import { testSigner } from '../harness/test-signer.ts'

/**
 * Returns a cache with the signer of a new authority, as in the signing process. No database has its key. The cache key
 * contains `caId` if it is given.
 */
export async function knownSigner(
  db: Database,
  { tenantId, kind, caId }: { tenantId: string; kind: SignerKind; caId?: string },
): Promise<SignerCache> {
  const key = testSigner(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  const { publicKey } = key
  const [id, authorityId] = [newId(), caId ?? newId()]
  const createdAt = new Date()
  const subject = { country: 'NZ', commonName: 'Benchmark' }
  const times = { notBefore: new Date(createdAt.getTime() - 3_600_000), notAfter: plusMs(createdAt, 30 * 86_400_000) }
  const url = 'https://bench.example'
  const certificateDer = await buildCertificate({
    ...{ kind, subject, publicKey, serialNumber: newSerialNumber(), ...times },
    issuer: { name: nameOf(subject), key },
    ...{ subjectUrl: url, issuerUrl: url, crlUrl: url },
  })
  const row = { tenantId, isManaged: true, madeBy: 'service', isActive: true, subject, createdAt, ...times } as const
  await db.tx((tx) =>
    tx.insert(certificates).values([
      { ...row, id: authorityId, kind: certifierOf(kind) },
      { ...row, id, kind, caId: authorityId, certificate: certificateDer },
    ]),
  )
  const signer = {
    certificateId: id,
    caId: authorityId,
    certificateDer,
    intermediateDer: null,
    key,
    country: 'NZ',
    ...times,
  }
  const signers: SignerCache = new LRUCache({ max: 1 })
  signers.set([tenantId, kind, caId].join(' '), signer)
  return signers
}
