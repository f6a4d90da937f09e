import { tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { plusMs } from '../../shared/clock.ts'

type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

/** The queries about single certificates and the places of keys, as `tenants-apart.test.ts` calls them. */
export function certificateCalls({ id, at }: { id: string; at: Date }): Calls {
  const same = { kind: 'iaca', fingerprint: id }
  const times = { notBefore: plusMs(at, -1), notAfter: plusMs(at, 1) }
  const root = { certificates: { certificate: Buffer.alloc(1), isActive: true, isManaged: true, ...times } }
  const ofSigner = { certificates: { certificate: Buffer.alloc(1), kind: 'sd-jwt-signer', caId: id } }
  const signer = { kind: 'sd-jwt-signer', at, until: at }
  return {
    findCertificateRow: [[id]],
    findCertificateKeyPlace: [[id], { keys: { ownerKind: 'certificate', ownerId: id, purpose: 'certificate' } }],
    findKeyProviders: [[tenantOwner, 'token']],
    listKeyInventory: [[{ limit: 10 }]],
    findSigningAuthority: [[signer], root],
    hasAuthority: [[signer], root],
    findFirstSignerTime: [[{ kind: 'sd-jwt-signer', caId: id }], ofSigner],
    findIncompleteCertificatesOf: [[], { certificates: { certificate: null, csr: null } }],
    isCertificateOf: [[same]],
    isTaken: [[{ id: '', ...same }], { certificates: { caId: null } }],
  }
}
