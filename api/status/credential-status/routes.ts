import { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import { findStatus } from '../../../db/repos/status/entries.ts'
import type { CertifiedProfile } from '../../../shared/domain/issuance/profiles.ts'
import { tokenListBits } from '../../../shared/domain/status/status-lists.ts'
import { notFound, Problem, wrongField } from '../../../shared/errors/errors.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { described, idOf, named } from '../../http/fields.ts'
import { defineRoute, operators, type Route } from '../../http/route.ts'
import { CredentialStatusSchema } from '../credential-schemas.ts'
import { credentialList, notRevocable } from '../revocation/not-revocable.ts'
import { statusSetter } from '../revocation/status-changes.ts'

const access = operators('admin', 'issuer', 'managed-issuer')
const param = 'credentialId'

/** The same two operations for every profile with token status lists. */
export const credentialStatusRoutes: Route[] = [
  ...routesOf('mobile', { word: 'Mobile', tag: 'Mobile', events: 'MOBILE_CREDENTIAL_STATUS' }),
  ...routesOf('sd-jwt', { word: 'SdJwt', tag: 'SD-JWT VC', events: 'SD_JWT_CREDENTIAL_STATUS' }),
]

interface Names {
  word: string
  tag: string
  events: string
}

function routesOf(profile: CertifiedProfile, { word, tag, events }: Names): Route[] {
  const common = {
    ...{ tag, access, path: `/v2/credentials/${profile}/:credentialId/status` },
    params: z.object({ credentialId: idOf(`${profile} credential`) }),
  }
  const Status = named(
    `${word}Status`,
    `The status of a ${profile} credential`,
    z.object({ status: described(CredentialStatusSchema, 'The status of the credential', 'invalid') }),
  )
  return [
    defineAuditedRoute({
      ...common,
      operation: `set${word}Status`,
      summary: `Set the status of a ${profile} credential. Its status list contains the new status within seconds.`,
      method: 'POST',
      event: `${events}_SET`,
      body: Status,
      status: 201,
      response: Status,
      problems: ['bad_request', 'not_found', 'conflict', 'service_unavailable'],
      async handle({ tenantId, params: { credentialId: id }, body: { status }, deps, caller, ...call }) {
        if (status === 'suspended') await requireSuspendable(deps.db.read, tenantId, profile, id)
        const outcome = await call.changeInSharedTransaction((by) =>
          deps.services.of(statusSetter).set({ tenantId, profile, id, status, by, changedByName: caller.name }),
        )
        if (outcome === 'unknown') throw notFound(param, id, credentialList)
        if (outcome === 'not revocable') throw notRevocable(param, id)
        if (outcome === 'final')
          throw new Problem('conflict', { message: 'The credential is invalid. This status is final.' })
        return { status }
      },
    }),
    defineRoute({
      ...common,
      operation: `retrieve${word}Status`,
      summary: `Retrieve the status of a ${profile} credential`,
      method: 'GET',
      event: `${events}_RETRIEVE`,
      status: 200,
      response: Status,
      problems: ['bad_request', 'not_found'],
      handle: ({ tenantId, params: { credentialId: id }, deps }) => getStatus(deps.db.read, tenantId, profile, id),
    }),
  ]
}

/** The list of a credential and the format of the list never change. Throws `bad_request` if an entry has one bit. */
async function requireSuspendable(db: Reader, tenantId: string, profile: CertifiedProfile, id: string): Promise<void> {
  const { format } = await getStatus(db, tenantId, profile, id)
  if (format !== null && tokenListBits(profile, format) > 1) return
  throw wrongField('status', 'The status list of this credential supports only valid and invalid')
}

async function getStatus(db: Reader, tenantId: string, profile: CertifiedProfile, id: string) {
  const credential = await findStatus(db, tenantId, id)
  if (credential?.profile !== profile) throw notFound(param, id)
  const { status, format } = credential
  if (status === null) throw notRevocable(param, id)
  return { status, format }
}
