import { z } from 'zod'
import { findStatus } from '../../../db/repos/status/entries.ts'
import type { RevocationListKind } from '../../../db/tables/status/lists.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { described, idOf, named } from '../../http/fields.ts'
import { defineRoute, operators, type Route } from '../../http/route.ts'
import { credentialList, notRevocable } from './not-revocable.ts'
import { revocableProfileNames, revocableProfiles } from './profiles.ts'
import { statusSetter } from './status-changes.ts'

const access = operators('admin', 'issuer', 'managed-issuer')
const isRevoked = described(z.boolean(), 'Whether the credential is revoked. A revocation can be undone.', true)
const Status = named('RevocationStatus', 'Whether a credential is revoked', z.object({ isRevoked }))
const idFor = (profile: RevocationListKind) => idOf(`${profile} credential`)

/** The same two operations for every profile whose lists know only two states: revoked and not revoked. */
export const revocationStatusRoutes: Route[] = revocableProfileNames.flatMap((profile) => [
  setStatusRoute(profile),
  retrieveStatusRoute(profile),
])

function setStatusRoute(profile: RevocationListKind): Route {
  const { word, tag, events, answersWithStatus } = revocableProfiles[profile]
  return defineAuditedRoute({
    operation: `set${word}RevocationStatus`,
    summary: `Revoke a ${profile} credential, or undo its revocation. Its list contains the change within seconds.`,
    tag,
    method: 'POST',
    path: pathOf(profile),
    access,
    event: events.setStatus,
    params: z.object({ id: idFor(profile) }),
    body: Status,
    status: 200,
    ...(answersWithStatus && { response: z.object({ id: idFor(profile), isRevoked }) }),
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id }, body: { isRevoked }, deps, caller, changeInSharedTransaction }) {
      const status = isRevoked ? 'invalid' : 'valid'
      const outcome = await changeInSharedTransaction((by) =>
        deps.services.of(statusSetter).set({ tenantId, profile, id, status, by, changedByName: caller.name }),
      )
      if (outcome === 'unknown') throw notFound('id', id, credentialList)
      if (outcome === 'not revocable') throw notRevocable('id', id)
      return answersWithStatus ? { id, isRevoked } : undefined
    },
  })
}

function retrieveStatusRoute(profile: RevocationListKind): Route {
  const { word, tag, events } = revocableProfiles[profile]
  return defineRoute({
    operation: `retrieve${word}RevocationStatus`,
    summary: `Retrieve whether a ${profile} credential is revoked`,
    tag,
    method: 'GET',
    path: pathOf(profile),
    access,
    event: events.retrieveStatus,
    params: z.object({ id: idFor(profile) }),
    status: 200,
    response: Status,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id }, deps }) {
      const credential = await findStatus(deps.db.read, tenantId, id)
      if (credential?.profile !== profile) throw notFound('id', id)
      if (credential.status === null) throw notRevocable('id', id)
      return { isRevoked: credential.status === 'invalid' }
    },
  })
}

function pathOf(profile: RevocationListKind): string {
  return `/v2/credentials/${profile}/:id/revocation-status`
}
