import { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import { findStatus } from '../../../db/repos/status/entries.ts'
import { notFound, Problem, wrongField } from '../../../shared/errors.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { described, idOf, named } from '../../http/fields.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { CredentialStatusSchema } from '../credential-schemas.ts'
import { notRevocable } from '../revocation/not-revocable.ts'

const access = operators('admin', 'issuer', 'managed-issuer')
const tag = 'Mobile'
const path = '/v2/credentials/mobile/:credentialId/status'
const param = 'credentialId'
const Params = z.object({ credentialId: idOf('mobile credential') })
const Status = named(
  'MobileStatus',
  'The status of a mobile credential',
  z.object({ status: described(CredentialStatusSchema, 'The status of the credential', 'invalid') }),
)

export const mobileStatusRoutes = [
  defineAuditedRoute({
    operation: 'setMobileStatus',
    summary: 'Set the status of a mobile credential. Its status list contains the new status within seconds.',
    tag,
    method: 'POST',
    path,
    access,
    event: 'MOBILE_CREDENTIAL_STATUS_SET',
    params: Params,
    body: Status,
    status: 201,
    response: Status,
    problems: ['bad_request', 'not_found', 'conflict', 'service_unavailable'],
    async handle({ tenantId, params: { credentialId: id }, body: { status }, deps, changeInSharedTransaction }) {
      // The list of a credential and the format of the list never change.
      if (status === 'suspended' && (await getStatus(deps.db.read, tenantId, id)).format !== 'legacy') {
        throw wrongField('status', 'The status list of this credential supports only valid and invalid')
      }
      const outcome = await changeInSharedTransaction((by) =>
        deps.setStatus({ tenantId, profile: 'mobile', id, status, by }),
      )
      if (outcome === 'unknown') throw notFound(param, id)
      if (outcome === 'not revocable') throw notRevocable(param, id)
      if (outcome === 'final')
        throw new Problem('conflict', { message: 'The credential is invalid. This status is final.' })
      return { status }
    },
  }),
  defineRoute({
    operation: 'retrieveMobileStatus',
    summary: 'Retrieve the status of a mobile credential',
    tag,
    method: 'GET',
    path,
    access,
    event: 'MOBILE_CREDENTIAL_STATUS_RETRIEVE',
    params: Params,
    status: 200,
    response: Status,
    problems: ['bad_request', 'not_found'],
    handle: ({ tenantId, params: { credentialId: id }, deps }) => getStatus(deps.db.read, tenantId, id),
  }),
]

async function getStatus(db: Reader, tenantId: string, id: string) {
  const found = await findStatus(db, tenantId, id)
  if (found?.profile !== 'mobile') throw notFound(param, id)
  const { status, format } = found
  if (status === null) throw notRevocable(param, id)
  return { status, format }
}
