import { type CertificateRow, findCertificate, listCertificates } from '../../../db/repos/certificates/certificates.ts'
import { authorityFields, certificateEvents, renewalTime } from '../../../shared/domain/certificates/certificates.ts'
import { certificateProfiles, certifierOf, type SignerKind } from '../../../shared/formats/x509/profiles.ts'
import { type AuditedRemoval, createAuditedWithKeys } from '../../audit/audited-crud.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { type Collection, ofItem, type Versioned } from '../../http/collection.ts'
import { type OperatorAccess, operators, type Route } from '../../http/route.ts'
import { presentCertificate, presentKey } from '../present.ts'
import { removeCertificate } from '../remove.ts'
import { createSigner } from './create.ts'
import { replaceSigner } from './replace.ts'
import { requireRemovable } from './require-removable.ts'
import { revokeSigner } from './revoke.ts'
import { ChainedSignerChanges, newSigner, Revoke, Revoked, SignerChanges, signerView } from './schemas.ts'

interface Names {
  word: string
  tag: string
  path: string
  param: string
  access: OperatorAccess
  /** The roles that can read the signers. */
  readers: OperatorAccess
  /** The HTTP status of a successful creation. */
  created: 200 | 201
  isRevocable: boolean
}

const issuing = operators('admin', 'issuer', 'managed-issuer')
const ofIssuers = { access: issuing, readers: issuing, isRevocable: true }
const ofEcosystems = {
  tag: 'Ecosystem certificates',
  access: operators('admin', 'dts-provider'),
  readers: operators('admin', 'dts-provider', 'dts-consumer'),
  created: 201,
  isRevocable: false,
} as const

export const signerRoutes: Route[] = [
  ...routesOf('document-signer', {
    ...{ word: 'DocumentSigner', tag: 'Document Signers', param: 'documentSignerId', created: 201, ...ofIssuers },
    path: '/v2/credentials/mobile/document-signers',
  }),
  ...routesOf('status-list-signer', {
    ...{
      word: 'StatusListSigner',
      tag: 'Status List Signers',
      param: 'statusListSignerId',
      created: 200,
      ...ofIssuers,
    },
    path: '/v2/credentials/mobile/status-list-signers',
  }),
  ...routesOf('sd-jwt-signer', {
    ...{ word: 'SdJwtSigner', tag: 'SD-JWT Signers', param: 'sdJwtSignerId', created: 201, ...ofIssuers },
    path: '/v2/credentials/sd-jwt/signers',
  }),
  ...routesOf('vical-signer', {
    ...{ word: 'VicalSigner', param: 'vicalSignerId', ...ofEcosystems },
    path: '/v1/ecosystems/certificates/vical-signers',
  }),
  ...routesOf('rical-signer', {
    ...{ word: 'RicalSigner', param: 'ricalSignerId', ...ofEcosystems },
    path: '/v1/ecosystems/certificates/rical-signers',
  }),
]

function routesOf(kind: SignerKind, names: Names): Route[] {
  const { word, tag, path, param, access, readers, created, isRevocable } = names
  const { name } = certificateProfiles[kind]
  const authority = certifierOf(kind)
  const field = authorityFields[authority]
  const signers: Versioned<CertificateRow> = {
    ...{ tag, access, path, id: param, events: certificateEvents[kind], view: signerView(name, field, isRevocable) },
    hasVersions: true,
    present: async (row, { deps }) => ({
      ...{ [field]: row.caId, ...present(row, kind) },
      ...(await presentKey(deps.db.read, row)),
    }),
  }
  const creating = createAuditedWithKeys(signers, {
    operation: `create${word}`,
    summary: `Create a ${name}: with a certificate under a managed ${certificateProfiles[authority].name}, with a certificate request under an external one`,
    body: newSigner(field),
    problems: ['conflict', 'service_unavailable'],
    handle: ({ tenant, body, deps, change, deadlineAt }) =>
      createSigner(deps, change, { tenant, kind, caId: body[field] ?? '', deadlineAt }),
  })
  return [
    { ...creating, status: created, creates: true },
    ...auditedCrudOf(signers, {
      name: word,
      readers,
      list: {
        summary: `List the ${name}s`,
        rows: (db, tenantId, page) => listCertificates(db, tenantId, kind, page),
      },
      retrieve: {
        summary: `Retrieve a ${name}`,
        find: (db, tenantId, id) => findCertificate(db, tenantId, kind, id),
      },
      update: {
        summary: `Activate or deactivate a ${name}, and store its certificate`,
        body: authority === 'ecosystem-ca' ? ChainedSignerChanges : SignerChanges,
        handle: ({ tenantId, id, body, deps, change, requireMatch }) =>
          replaceSigner(deps, change, { tenantId, kind, param, id, ...body, requireMatch }),
      },
      delete: removal(kind, param),
    }),
    ...(isRevocable ? [revocation(kind, word, signers)] : []),
  ]
}

function removal(kind: SignerKind, param: string): Omit<AuditedRemoval<undefined>, 'operation'> {
  return {
    summary: summaryOfRemoval(kind),
    problems: ['conflict'],
    ...(kind !== 'rical-signer' && { needs: { [param]: { active: [false] } } }),
    permit: ({ tenantId, id, deps }) => requireRemovable(deps, { tenantId, kind, param, id }),
    remove: (tx, { tenantId, id, deps }) => removeCertificate(tx, { tenantId, kind, id, at: deps.clock.now() }),
  }
}

function summaryOfRemoval(kind: SignerKind): string {
  if (kind !== 'rical-signer')
    return `Delete a ${certificateProfiles[kind].name} that is inactive. Its signatures stay valid. It cannot be revoked afterwards.`
  return 'Delete a RICAL signer of an external root, also an active one. Lists that it signed stay valid. New lists need another signer.'
}

function revocation(kind: SignerKind, word: string, signers: Collection<CertificateRow>): Route {
  const item = ofItem(signers)
  return defineAuditedRoute({
    ...item,
    operation: `revoke${word}`,
    summary: `Revoke a ${certificateProfiles[kind].name} of a managed IACA permanently, and publish it on the CRL`,
    method: 'POST',
    path: `${item.path}/revoke`,
    event: `${signers.events}_REVOKE`,
    body: Revoke,
    status: 200,
    response: Revoked,
    problems: ['bad_request', 'not_found', 'service_unavailable'],
    handle({ tenantId, params, deps, change, deadlineAt }) {
      const { id: param } = signers
      return revokeSigner(deps, change, { tenantId, kind, param, id: params[param] ?? '', deadlineAt })
    },
  })
}

function present(row: CertificateRow, kind: SignerKind) {
  const { id, isActive, isManaged, csr, revokedAt, retiredAt, notAfter } = row
  const isRenewed = isManaged && isActive && !revokedAt && !retiredAt
  return {
    ...{ id, active: isActive && retiredAt === null },
    ...(csr !== null && { csrPem: csr }),
    ...presentCertificate(row),
    ...(revokedAt && { revocationDate: revokedAt.toISOString() }),
    ...(isRenewed && notAfter && { renewsAt: renewalTime(kind, notAfter).toISOString() }),
  }
}
