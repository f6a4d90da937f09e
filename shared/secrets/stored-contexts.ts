import type { SealContext } from './sealing.ts'

/**
 * The contexts of all sealed values that the database stores (db/sealed-columns.ts). A context has the id of the row, so that a value
 * cannot be used in another row.
 */

/** The context of the secret of a tenant. */
export function tenantSecretContext(tenantId: string): SealContext {
  return { use: 'tenant secret', place: `tenant secret of ${tenantId}` }
}

/** The context of the client secret of a sign-in provider for people. */
export function signInProviderContext(providerId: string): SealContext {
  return { use: 'sign-in provider', place: `authentication-provider ${providerId}` }
}

/** The context of the client secret with which this service calls an authorization server. */
export function authorizationServerContext(serverId: string): SealContext {
  return { use: 'authorization server', place: `authorization server ${serverId}` }
}

/** The context of the client secret of the provider at which operators sign in. */
export function consoleProviderContext(providerId: string): SealContext {
  return { use: 'console provider', place: `console provider ${providerId}` }
}

/** The context of the state of a sign-in at the console. */
export function consoleSignInContext(signInId: string): SealContext {
  return { use: 'console sign-in', place: `console sign-in ${signInId}` }
}

/** The context of the state of a person's sign-in. */
export function loginContext(authorizationId: string): SealContext {
  return { use: 'login', place: `login of ${authorizationId}` }
}

/** The context of the authorization at a claim source. */
export function claimSourceContext(sourceId: string): SealContext {
  return { use: 'claim source', place: `claim source ${sourceId}` }
}

/** The context of the key of an interaction hook. */
export function interactionHookContext(tenantId: string): SealContext {
  return { use: 'interaction hook', place: `interaction hook of ${tenantId}` }
}

/** The context of the pre-authorized code of an offer. */
export function offerCodeContext(offerId: string): SealContext {
  return { use: 'pre-authorized code', place: `pre-authorized code of ${offerId}` }
}

/** The context of the content of a claim link. */
export function claimLinkContext(linkId: string): SealContext {
  return { use: 'claim link', place: `claim link ${linkId}` }
}

/** The context of the signed credentials of an issuance. */
export function issuedCredentialsContext(issuanceId: string): SealContext {
  return { use: 'credentials', place: `credentials of ${issuanceId}` }
}

/** The context of a chunk of an uploaded file. */
export function bulkChunkContext(bulkId: string, position: number): SealContext {
  return { use: 'bulk file', place: `bulk issuance ${bulkId} chunk ${position}` }
}

/** The context of the claims of a row of a bulk issuance. */
export function bulkRowContext(bulkId: string, row: number): SealContext {
  return { use: 'bulk row', place: `bulk issuance ${bulkId} row ${row}` }
}

/** The context of the credential of a row of a bulk issuance. */
export function bulkResultContext(bulkId: string, row: number): SealContext {
  return { use: 'bulk result', place: `bulk issuance ${bulkId} result ${row}` }
}

/** The context of the kept cells of a row of a bulk issuance. */
export function bulkKeptContext(bulkId: string, row: number): SealContext {
  return { use: 'bulk kept cells', place: `bulk issuance ${bulkId} kept cells ${row}` }
}

/** The context of a request that waits for an approval, and of its answer. */
export function approvalContext(part: 'request' | 'answer', id: string): SealContext {
  return { use: `approval ${part}`, place: `approval ${id}` }
}

/** The context of the stored answer of a request with an `Idempotency-Key`. */
export function idempotentAnswerContext(id: string): SealContext {
  return { use: 'idempotent answer', place: `idempotent answer ${id}` }
}

/** The context of a request to a listener. Its body can contain a credential. */
export function listenerRequestContext(id: string): SealContext {
  return { use: 'listener request', place: `listener request ${id}` }
}

/**
 * The context of a private key. The key-encryption key seals it. The context of a tenant's own keys has no owner, because the first
 * version had no other owners.
 */
export function privateKeyContext(key: {
  tenantId: string
  id: string
  purpose: string
  ownerKind: string
  ownerId: string
}): SealContext {
  const owner = key.ownerKind === 'tenant' ? [] : [key.ownerKind, key.ownerId]
  return { use: 'private key', place: [key.tenantId, key.id, key.purpose, ...owner].join(' ') }
}
