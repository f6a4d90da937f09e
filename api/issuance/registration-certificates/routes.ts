import { holdTenant } from '../../../db/hold.ts'
import { findActiveAccessCertificate } from '../../../db/repos/issuance/access-certificates.ts'
import {
  deleteRegistrationCertificate,
  findRegistrationCertificate,
  type RegistrationCertificateRow,
  saveRegistrationCertificate,
} from '../../../db/repos/issuance/registration-certificates.ts'
import { Problem, wrongField } from '../../../shared/errors/errors.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { requireMatch, withTag, withVersion } from '../../http/if-match.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { isPublished } from './issuer-info.ts'
import { readRegistrationCertificate } from './read-certificate.ts'
import { NewRegistrationCertificate, RegistrationCertificate } from './schemas.ts'

const common = {
  tag: 'Access certificates',
  path: '/v1/openid/registration-certificates',
  access: operators('admin', 'issuer', 'managed-issuer'),
} as const
const events = 'OPENID_REGISTRATION_CERTIFICATE'

export const registrationCertificateRoutes = [
  defineAuditedRoute({
    ...common,
    operation: 'updateRegistrationCertificate',
    summary: 'Store the registration certificate of the tenant, which its issuer metadata contain from now on',
    method: 'PUT',
    event: `${events}_UPDATE`,
    body: NewRegistrationCertificate,
    bodyLimitBytes: 150_000,
    status: 200,
    response: RegistrationCertificate,
    problems: ['bad_request', 'precondition_failed'],
    async handle({ tenantId, body: { jwt, registrarDataset }, headers, deps, change }) {
      const at = deps.clock.now()
      const row = await change(async (tx, record) => {
        // The lock orders this after a change of the access certificate. There can be no row to hold yet.
        await holdTenant(tx, tenantId)
        const before = await findRegistrationCertificate(tx, tenantId)
        requireMatch(headers, before && present(before, at))
        const access = await findActiveAccessCertificate(tx, tenantId)
        if (!access)
          throw wrongField('jwt', 'The tenant has no active access certificate. Activate one first, and then send this')
        const content = await readRegistrationCertificate(jwt, access, at)
        const after = { tenantId, jwt, registrarDataset: registrarDataset ?? null, ...content, createdAt: at }
        await saveRegistrationCertificate(tx, after)
        record(tenantId, { subject: content.subject })
        return after
      })
      deps.caches.forgetTenant(tenantId)
      return withTag(present(row, at))
    },
  }),
  defineRoute({
    ...common,
    operation: 'retrieveRegistrationCertificate',
    summary: 'Retrieve the registration certificate of the tenant',
    method: 'GET',
    event: `${events}_RETRIEVE`,
    status: 200,
    response: RegistrationCertificate,
    representations: { etag: 'version' },
    problems: ['not_found'],
    async handle({ tenantId, deps }) {
      const row = await findRegistrationCertificate(deps.db.read, tenantId)
      if (!row) throw none()
      return withVersion(present(row, deps.clock.now()))
    },
  }),
  defineAuditedRoute({
    ...common,
    operation: 'deleteRegistrationCertificate',
    summary: 'Delete the registration certificate. The issuer metadata do not contain it any more',
    method: 'DELETE',
    event: `${events}_DELETE`,
    status: 204,
    problems: ['not_found'],
    async handle({ tenantId, deps, change }) {
      await change(async (tx, record) => {
        await holdTenant(tx, tenantId)
        const row = await findRegistrationCertificate(tx, tenantId)
        if (!row || !(await deleteRegistrationCertificate(tx, tenantId))) throw none()
        record(tenantId, { subject: row.subject })
      })
      deps.caches.forgetTenant(tenantId)
    },
  }),
]

function none(): Problem {
  return new Problem('not_found', { message: 'The tenant has no registration certificate' })
}

function present(row: RegistrationCertificateRow, at: Date) {
  const { jwt, registrarDataset, subject, issuedAt, expiresAt } = row
  return {
    ...{ jwt, subject },
    ...(registrarDataset && { registrarDataset }),
    issuedAt: issuedAt.toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    isPublished: isPublished(row, at),
  }
}
