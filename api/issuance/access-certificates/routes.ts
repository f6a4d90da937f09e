import { createPublicKey, type KeyObject } from 'node:crypto'
import type { z } from 'zod'
import type { Reader, Writer } from '../../../db/client.ts'
import { hold, holdTenant } from '../../../db/hold.ts'
import { deleteKeys, findPublishedKeys } from '../../../db/repos/identifiers/keys.ts'
import {
  type AccessCertificateRow,
  deactivateAccessCertificates,
  deleteAccessCertificate,
  findAccessCertificate,
  isCertified,
  listAccessCertificates,
  updateAccessCertificate,
} from '../../../db/repos/issuance/access-certificates.ts'
import { findRegistrationCertificate } from '../../../db/repos/issuance/registration-certificates.ts'
import { accessCertificates } from '../../../db/tables/issuance/access-certificates.ts'
import { accessKeyOwner } from '../../../shared/domain/issuance/access-certificates.ts'
import { notFound, Problem, wrongField } from '../../../shared/errors/errors.ts'
import { pemOfDer } from '../../../shared/formats/certificate.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { presentKey } from '../../certificates/present.ts'
import type { Deps } from '../../deps.ts'
import type { Versioned } from '../../http/collection.ts'
import { operators } from '../../http/route.ts'
import { isPublished } from '../registration-certificates/issuer-info.ts'
import { lintAccessCertificate } from './lint.ts'
import { readAccessChain } from './read-chain.ts'
import { AccessCertificate, AccessCertificateChanges, NewAccessCertificate } from './schemas.ts'

const certificates: Versioned<AccessCertificateRow> = {
  tag: 'Access certificates',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v1/openid/access-certificates',
  id: 'id',
  events: 'OPENID_ACCESS_CERTIFICATE',
  view: AccessCertificate,
  hasVersions: true,
  present: (row, { deps }) => present(deps, row),
}

export const accessCertificateRoutes = [
  defineAuditedRoute({
    operation: 'createAccessCertificate',
    summary: 'Create a key and a certificate request for an access certificate',
    tag: certificates.tag,
    method: 'POST',
    path: certificates.path,
    access: certificates.access,
    event: 'OPENID_ACCESS_CERTIFICATE_CREATE',
    body: NewAccessCertificate,
    status: 201,
    response: AccessCertificate,
    problems: ['conflict', 'service_unavailable'],
    async handle({ tenant, tenantId, body: { subject }, deps, changeInSharedTransaction, deadlineAt }) {
      const id = newOrderedId(deps.clock.now())
      // The signing process writes the audit row in the transaction that stores the key.
      await changeInSharedTransaction((by) =>
        deps.keys.call(
          'makeAccessCertificate',
          { tenantId, id, subject, contactUrl: tenant.baseUrl, by },
          { deadlineAt },
        ),
      )
      const row = await findAccessCertificate(deps.db.read, tenantId, id)
      if (!row) throw new Problem('service_unavailable')
      return present(deps, row)
    },
  }),
  ...auditedCrudOf(certificates, {
    name: 'AccessCertificate',
    list: { summary: 'List the access certificates', rows: listAccessCertificates },
    retrieve: { summary: 'Retrieve an access certificate', find: findAccessCertificate },
    update: {
      summary: 'Store the certificate that the authority issued, and decide whether it signs the issuer metadata',
      body: AccessCertificateChanges,
      async handle({ tenantId, id, body, deps, change, requireMatch }) {
        const changed = await change(async (tx, record) => {
          // The lock makes the activations of two certificates run one after another.
          await holdTenant(tx, tenantId)
          const before = await hold(tx, accessCertificates, tenantId, id)
          if (!before) throw notFound('id', id)
          await requireMatch(before)
          const after = await replace(tx, before, body, deps.clock.now())
          record(tenantId, { id, active: after.isActive, ...(after.fingerprint && { fingerprint: after.fingerprint }) })
          return after
        })
        deps.caches.forgetTenant(tenantId)
        return changed
      },
    },
    delete: {
      summary: 'Delete an access certificate that is inactive, and its key',
      problems: ['conflict'],
      needs: { id: { active: [false] } },
      async remove(tx, { tenantId, id, deps }) {
        const deleted = await deleteAccessCertificate(tx, tenantId, id)
        if (!deleted) return false
        const at = deps.clock.now()
        if (deleted.isActive && deleted.notAfter && deleted.notAfter > at)
          throw new Problem('conflict', { message: 'The certificate is active. Deactivate it before deleting it.' })
        await deleteKeys(tx, tenantId, accessKeyOwner(id), 'certificate', at)
        return true
      },
    },
  }),
]

async function replace(
  tx: Writer,
  before: AccessCertificateRow,
  { active, certificatePem }: z.infer<typeof AccessCertificateChanges>,
  at: Date,
): Promise<AccessCertificateRow> {
  const { tenantId, id } = before
  // The certificate that is stored is no change.
  const isNew = certificatePem !== undefined && certificatePem !== pemOf(before)
  if (isNew) requireKey(before, at)
  const content = isNew ? readAccessChain(certificatePem, await publicKeyOf(tx, before, at), at) : {}
  const certified = { ...before, ...content }
  if (active) {
    requireUsable(certified, at)
    await requireSameSubject(tx, certified, at)
    await deactivateAccessCertificates(tx, tenantId)
  }
  return (await updateAccessCertificate(tx, { tenantId, id }, { ...content, isActive: active })) ?? before
}

/** The signing process destroys the private key of a certificate two hours after its end, if the key is in a token or a remote signer. */
function requireKey({ notAfter }: AccessCertificateRow, at: Date): void {
  if (notAfter === null || notAfter > at) return
  throw wrongField('certificatePem', 'The access certificate has ended. Create another access certificate')
}

function requireUsable(row: AccessCertificateRow, at: Date): void {
  if (!isCertified(row)) throw wrongField('certificatePem', 'Required to make the access certificate active')
  if (row.notAfter <= at) throw wrongField('active', 'An expired access certificate cannot be activated')
}

/** Metadata with certificates of two subjects are refused by wallets. */
async function requireSameSubject(tx: Reader, { tenantId, certified }: AccessCertificateRow, at: Date): Promise<void> {
  const registration = await findRegistrationCertificate(tx, tenantId)
  if (!registration || !isPublished(registration, at)) return
  if (registration.subject === certified?.organisationIdentifier) return
  throw wrongField(
    'active',
    `The registration certificate of the tenant is for ${registration.subject}, and this access certificate is not. Delete the registration certificate first`,
  )
}

async function publicKeyOf(tx: Reader, { tenantId, id }: AccessCertificateRow, at: Date): Promise<KeyObject> {
  const [key] = await findPublishedKeys(tx, tenantId, accessKeyOwner(id), 'certificate', at)
  if (!key) throw new Error(`access certificate ${id} has no key`)
  return createPublicKey({ key: { ...key.publicJwk }, format: 'jwk' })
}

async function present({ db }: Pick<Deps, 'db'>, row: AccessCertificateRow) {
  const { id, isActive, subject, csr, createdAt } = row
  return {
    ...{ id, active: isActive, subject, csrPem: csr },
    ...(isCertified(row) && {
      certificatePem: pemOf(row),
      certificateFingerprint: row.fingerprint,
      certificateSubject: row.certified,
      notBefore: row.notBefore.toISOString(),
      notAfter: row.notAfter.toISOString(),
      warnings: lintAccessCertificate(row),
    }),
    ...(await presentKey(db.read, row, 'access-certificate')),
    createdAt: createdAt.toISOString(),
  }
}

function pemOf({ chain }: AccessCertificateRow): string | undefined {
  return chain?.map((base64) => pemOfDer(Buffer.from(base64, 'base64'))).join('')
}
