import { z } from 'zod'
import { deleteCredential } from '../../../db/repos/issuance/credentials.ts'
import { orphanEntries } from '../../../db/repos/status/erased-entries.ts'
import { notFound } from '../../../shared/errors.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { Uuid } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'

const profile = 'mobile'

export const credentialRecordRoutes = [
  defineAuditedRoute({
    operation: 'deleteMobileCredential',
    summary: 'Delete the record of a mobile credential; where a status list has a place for it, it is revoked',
    tag: 'Mobile',
    method: 'DELETE',
    path: `/v2/credentials/${profile}/:id`,
    access: operators('admin', 'issuer', 'managed-issuer'),
    event: 'USER_CREDENTIAL_DELETE',
    params: z.object({ id: Uuid }),
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id }, deps, change }) {
      await change(async (tx, tell) => {
        if (!(await deleteCredential(tx, tenantId, id, profile))) throw notFound('id', id)
        // A verifier must not go on trusting what its issuer no longer knows.
        await orphanEntries(tx, tenantId, [id], deps.clock.now())
        tell(tenantId, { id })
      })
    },
  }),
]
