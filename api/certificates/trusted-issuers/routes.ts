import {
  deleteTrustedIssuer,
  findTrustedIssuer,
  insertTrustedIssuer,
  listTrustedIssuers,
  type TrustedIssuerRow,
} from '../../../db/repos/certificates/trusted-issuers.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Collection } from '../../http/collection.ts'
import { operators } from '../../http/route.ts'
import { trustAnchorView } from '../trust-anchors/schemas.ts'
import { newTrustAnchor, presentTrustAnchor } from '../trust-anchors/trust-anchor.ts'
import { NewTrustedIssuer } from './schemas.ts'

const issuers: Collection<TrustedIssuerRow> = {
  tag: 'Trusted issuers',
  access: operators('admin', 'verifier'),
  path: '/v2/credentials/mobile/trusted-issuers',
  id: 'id',
  events: 'MOBILE_CREDENTIAL_TRUSTED_ISSUER',
  view: trustAnchorView('trusted issuer'),
  present: presentTrustAnchor,
}

export const trustedIssuerRoutes = auditedCrudOf(issuers, {
  name: 'TrustedIssuer',
  create: {
    summary: 'Trust the mobile credentials of an authority',
    body: NewTrustedIssuer,
    problems: ['conflict'],
    async handle({ tenantId, body: { certificatePem }, deps, change }) {
      const row = newTrustAnchor(tenantId, certificatePem, deps.clock.now())
      return change(async (tx, record) => {
        await enforceQuota(tx, tenantId, 'trustedIssuers')
        if (!(await insertTrustedIssuer(tx, row))) {
          throw new Problem('conflict', { message: 'This certificate is already trusted' })
        }
        record(tenantId, { id: row.id, fingerprint: row.fingerprint })
        return row
      })
    },
  },
  list: { summary: 'List the trusted issuers', rows: listTrustedIssuers },
  retrieve: { summary: 'Retrieve a trusted issuer', find: findTrustedIssuer },
  delete: {
    summary: 'Stop trusting an authority',
    remove: (tx, { tenantId, id }) => deleteTrustedIssuer(tx, tenantId, id),
  },
})
