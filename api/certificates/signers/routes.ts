import { type CertificateRow, findCertificate, listCertificates } from '../../../db/repos/certificates/certificates.ts'
import { certificateEvents } from '../../../shared/certificates.ts'
import { certificateProfiles, type SignerKind } from '../../../shared/formats/x509/profiles.ts'
import { createAudited, removeAudited, replaceAudited } from '../../audit/audited-crud.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { type Collection, ofItem } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { operators, type Route } from '../../http/route.ts'
import { presentCertificate } from '../present.ts'
import { removeCertificate } from '../remove.ts'
import { createSigner } from './create.ts'
import { replaceSigner } from './replace.ts'
import { revokeSigner } from './revoke.ts'
import { NewSigner, Revoke, Revoked, SignerChanges, SignerView } from './schemas.ts'

export const signerRoutes: Route[] = [
  ...routesOf('document-signer', { word: 'DocumentSigner', param: 'documentSignerId', created: 201 }),
  ...routesOf('status-list-signer', { word: 'StatusListSigner', param: 'statusListSignerId', created: 200 }),
]

interface Names {
  word: string
  param: string
  /** The status of a creation, as the interface has it. */
  created: 200 | 201
}

function routesOf(kind: SignerKind, { word, param, created }: Names): Route[] {
  const { name } = certificateProfiles[kind]
  const signers: Collection<CertificateRow> = {
    tag: `${word.replaceAll(/([a-z])([A-Z])/g, '$1 $2')}s`,
    access: operators('admin', 'issuer', 'managed-issuer'),
    path: `/v2/credentials/mobile/${kind}s`,
    id: param,
    events: certificateEvents[kind],
    view: SignerView,
    present,
  }
  const creating = createAudited(signers, {
    operation: `create${word}`,
    summary: `Create a ${name}: with its certificate where the key of the IACA is here, else with a request for one`,
    body: NewSigner,
    problems: ['conflict', 'service_unavailable'],
    handle: ({ tenant, body: { iacaId }, deps, change, deadlineAt }) =>
      createSigner(deps, change, { tenant, kind, iacaId, deadlineAt }),
  })
  return [
    { ...creating, status: created },
    listOf(signers, {
      operation: `retrieve${word}s`,
      summary: `List the ${name}s`,
      rows: ({ tenantId, query, deps }) => listCertificates(deps.db.read, tenantId, kind, query),
    }),
    retrieve(signers, {
      operation: `retrieve${word}`,
      summary: `Retrieve a ${name}`,
      find: ({ tenantId, id, deps }) => findCertificate(deps.db.read, tenantId, kind, id),
    }),
    replaceAudited(signers, {
      operation: `update${word}`,
      summary: `Make a ${name} active or inactive, and give it its certificate`,
      body: SignerChanges,
      handle: ({ tenantId, id, body, deps, change }) =>
        replaceSigner(deps, change, { tenantId, kind, param, id, ...body }),
    }),
    removeAudited(signers, {
      operation: `delete${word}`,
      summary: `Delete a ${name} that is not active; what it signed stays valid, and it cannot be revoked any more`,
      problems: ['conflict'],
      remove: (tx, { tenantId, id, deps }) => removeCertificate(tx, { tenantId, kind, id, at: deps.clock.now() }),
    }),
    revocation(kind, word, signers),
  ]
}

function revocation(kind: SignerKind, word: string, signers: Collection<CertificateRow>): Route {
  const item = ofItem(signers)
  return defineAuditedRoute({
    ...item,
    operation: `revoke${word}`,
    summary: `Revoke a ${certificateProfiles[kind].name} of a managed IACA, for ever; it is on the CRL at once`,
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

function present(row: CertificateRow) {
  const { id, caId, isActive, csr, revokedAt, retiredAt } = row
  return {
    ...{ id, iacaId: caId, active: isActive && retiredAt === null },
    ...(csr !== null && { csrPem: csr }),
    ...presentCertificate(row),
    ...(revokedAt && { revocationDate: revokedAt.toISOString() }),
  }
}
