import {
  deleteTrustedIssuer,
  findTrustedIssuer,
  insertTrustedIssuer,
  listTrustedIssuers,
  type TrustedIssuerRow,
} from '../../../db/repos/certificates/trusted-issuers.ts'
import { Problem } from '../../../shared/errors.ts'
import { subjectOf } from '../../../shared/formats/certificate.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { requireRoom } from '../../access/require-room.ts'
import { createAudited, removeAudited } from '../../audit/audited-crud.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { operators } from '../../http/route.ts'
import { NewTrustedIssuer, TrustedIssuerView } from './schemas.ts'
import { trustAnchorFrom } from './trust-anchor.ts'

const issuers: Collection<TrustedIssuerRow> = {
  tag: 'Trusted issuers',
  access: operators('admin', 'verifier'),
  path: '/v2/credentials/mobile/trusted-issuers',
  id: 'id',
  events: 'MOBILE_CREDENTIAL_TRUSTED_ISSUER',
  view: TrustedIssuerView,
  present,
}

export const trustedIssuerRoutes = [
  createAudited(issuers, {
    operation: 'createTrustedIssuer',
    summary: 'Trust the mobile credentials of an authority',
    body: NewTrustedIssuer,
    problems: ['conflict'],
    async handle({ tenantId, body: { certificatePem }, deps, change }) {
      const createdAt = deps.clock.now()
      const certificate = trustAnchorFrom(certificatePem, createdAt)
      const { country = null, commonName = null } = subjectOf(certificate)
      const row = {
        id: newOrderedId(createdAt),
        tenantId,
        certificatePem,
        fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
        notBefore: certificate.validFromDate,
        notAfter: certificate.validToDate,
        country,
        commonName,
        createdAt,
      }
      return change(async (tx, tell) => {
        await requireRoom(tx, tenantId, 'trustedIssuers')
        if (!(await insertTrustedIssuer(tx, row))) {
          throw new Problem('conflict', { message: 'This certificate is trusted already' })
        }
        tell(tenantId, { id: row.id, fingerprint: row.fingerprint })
        return row
      })
    },
  }),
  listOf(issuers, {
    operation: 'retrieveTrustedIssuers',
    summary: 'List the trusted issuers',
    rows: ({ tenantId, query, deps }) => listTrustedIssuers(deps.db.read, tenantId, query.limit, query.cursor),
  }),
  retrieve(issuers, {
    operation: 'retrieveTrustedIssuer',
    summary: 'Retrieve a trusted issuer',
    find: ({ tenantId, id, deps }) => findTrustedIssuer(deps.db.read, tenantId, id),
  }),
  removeAudited(issuers, {
    operation: 'deleteTrustedIssuer',
    summary: 'Trust an authority no longer',
    remove: (tx, { tenantId, id }) => deleteTrustedIssuer(tx, tenantId, id),
  }),
]

function present({ id, certificatePem, notAfter, notBefore, country, commonName }: TrustedIssuerRow) {
  return {
    id,
    certificatePem,
    certificateData: {
      notAfter: notAfter.toISOString(),
      notBefore: notBefore.toISOString(),
      ...(country !== null && { country }),
      ...(commonName !== null && { commonName }),
    },
  }
}
