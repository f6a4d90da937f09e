import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { SealContext } from '../shared/secrets/sealing.ts'
import * as contexts from '../shared/secrets/stored-contexts.ts'
import { consoleProviders } from './tables/console/providers.ts'
import { consoleSignIns } from './tables/console/sign-ins.ts'
import { keys } from './tables/identifiers/keys.ts'
import { authorizationServers } from './tables/issuance/authorization-servers.ts'
import { authorizations } from './tables/issuance/authorizations.ts'
import { bulkFileChunks, bulkRows } from './tables/issuance/bulk-issuances.ts'
import { claimLinks } from './tables/issuance/claim-links.ts'
import { claimSources } from './tables/issuance/claim-sources.ts'
import { interactionHooks } from './tables/issuance/interaction-hooks.ts'
import { issuances } from './tables/issuance/issuances.ts'
import { offers } from './tables/issuance/offers.ts'
import { authenticationProviders } from './tables/issuance/sign-in-providers.ts'
import { approvals } from './tables/operations/approvals.ts'
import { idempotencyKeys } from './tables/operations/idempotency-keys.ts'
import { listenerRequests } from './tables/operations/listener-requests.ts'
import { tenants } from './tables/tenancy/tenants.ts'

/**
 * How a column has sealed bytes. `text`: base64url. `json`: base64url in a JSON string; other JSON is not sealed, because an older version
 * stored it. `bytes`: as they are.
 */
export type SealedForm = 'text' | 'json' | 'bytes'

/** A column whose values are sealed. */
export interface SealedColumn {
  /** A value, in a message with the id of its row: `client secret of the sign-in provider`. */
  name: string
  table: PgTable
  column: PgColumn
  form: SealedForm
  /** The columns that identify the row. `contextOf` gets their values as texts. */
  row: readonly [PgColumn, ...PgColumn[]]
  contextOf(...row: string[]): SealContext
  /** The value has no use after the time in this column. Absent: it is used until it is null or its row is removed. */
  usedUntil?: PgColumn
}

/** A column that is sealed under `SERVICE_SECRET`. */
export interface ServiceSealedColumn extends SealedColumn {
  /** The consequence of a value that cannot be opened, and what to do. The end of a sentence. */
  advice: string
}

const giveAgain = 'set it again through the API'
const startAgain = 'the person starts it again'

/** All columns that are sealed under `SERVICE_SECRET`. `row` is the primary key. */
export const serviceSealedColumns: readonly ServiceSealedColumn[] = [
  {
    ...{ name: 'secret of the tenant', table: tenants, column: tenants.sealedSecret, form: 'text', row: [tenants.id] },
    contextOf: contexts.tenantSecretContext,
    advice:
      'addresses of its shared offers and codes of its running offers are no longer valid. Lists have new addresses',
  },
  {
    ...{ name: 'client secret of the sign-in provider', table: authenticationProviders, form: 'text' },
    ...{ column: authenticationProviders.sealedClientSecret, row: [authenticationProviders.id] },
    ...{ contextOf: contexts.signInProviderContext, advice: giveAgain },
  },
  {
    ...{ name: 'client secret of the authorization server', table: authorizationServers, form: 'text' },
    ...{ column: authorizationServers.sealedClientSecret, row: [authorizationServers.id] },
    ...{ contextOf: contexts.authorizationServerContext, advice: giveAgain },
  },
  {
    ...{ name: 'client secret of the console provider', table: consoleProviders, form: 'text' },
    ...{ column: consoleProviders.sealedClientSecret, row: [consoleProviders.id] },
    ...{ contextOf: contexts.consoleProviderContext, advice: giveAgain },
  },
  {
    ...{ name: 'authorization of the claim source', table: claimSources, form: 'text' },
    ...{ column: claimSources.sealedAuthorization, row: [claimSources.id] },
    ...{ contextOf: contexts.claimSourceContext, advice: giveAgain },
  },
  {
    ...{ name: 'secret of the interaction hook of tenant', table: interactionHooks, form: 'text' },
    ...{ column: interactionHooks.sealedSecret, row: [interactionHooks.tenantId] },
    ...{ contextOf: contexts.interactionHookContext, advice: giveAgain },
  },
  {
    ...{ name: 'content of the issuance', table: issuances, form: 'json' },
    ...{ column: issuances.credentials, row: [issuances.id] },
    ...{ contextOf: contexts.issuedCredentialsContext, advice: 'webhooks can no longer deliver it' },
  },
  {
    ...{ name: 'content of the claim link', table: claimLinks, form: 'text' },
    ...{ column: claimLinks.sealedContent, row: [claimLinks.id] },
    ...{ contextOf: contexts.claimLinkContext, advice: 'it can no longer be opened. Issue its row again' },
  },
  {
    ...{ name: 'code of the offer', table: offers, form: 'text', usedUntil: offers.expiresAt },
    ...{ column: offers.sealedCode, row: [offers.id] },
    ...{ contextOf: contexts.offerCodeContext, advice: 'wallets can no longer load it. Create it again' },
  },
  {
    ...{ name: 'state of the sign-in', table: authorizations, form: 'text', usedUntil: authorizations.expiresAt },
    ...{ column: authorizations.sealedLogin, row: [authorizations.id] },
    ...{ contextOf: contexts.loginContext, advice: startAgain },
  },
  {
    ...{
      name: 'state of the console sign-in',
      table: consoleSignIns,
      form: 'text',
      usedUntil: consoleSignIns.expiresAt,
    },
    ...{ column: consoleSignIns.sealedRequest, row: [consoleSignIns.id] },
    ...{ contextOf: contexts.consoleSignInContext, advice: startAgain },
  },
  {
    ...{ name: 'chunk of the file of the bulk issuance', table: bulkFileChunks, form: 'bytes' },
    ...{ column: bulkFileChunks.content, row: [bulkFileChunks.bulkId, bulkFileChunks.position] },
    contextOf: (bulkId, position) => contexts.bulkChunkContext(bulkId, Number(position)),
    advice: 'its rows can no longer be validated. Upload the file again',
  },
  {
    ...{ name: 'content of the row of a bulk issuance', table: bulkRows, form: 'text' },
    ...{ column: bulkRows.sealedClaims, row: [bulkRows.bulkId, bulkRows.row] },
    contextOf: (bulkId, row) => contexts.bulkRowContext(bulkId, Number(row)),
    advice: 'it can no longer be issued. Upload its row again',
  },
  {
    ...{ name: 'result of a bulk issuance', table: bulkRows, form: 'text' },
    ...{ column: bulkRows.sealedResult, row: [bulkRows.bulkId, bulkRows.row] },
    contextOf: (bulkId, row) => contexts.bulkResultContext(bulkId, Number(row)),
    advice: 'it can no longer be downloaded',
  },
  {
    ...{ name: 'kept cells of a bulk issuance', table: bulkRows, form: 'text' },
    ...{ column: bulkRows.sealedKept, row: [bulkRows.bulkId, bulkRows.row] },
    contextOf: (bulkId, row) => contexts.bulkKeptContext(bulkId, Number(row)),
    advice: 'they can no longer be downloaded',
  },
  {
    ...{ name: 'request that waits for the approval', table: approvals, form: 'text' },
    ...{ column: approvals.sealedRequest, row: [approvals.id] },
    contextOf: (id) => contexts.approvalContext('request', id),
    advice: 'it can only be rejected. Send it again',
  },
  {
    ...{ name: 'answer of the approval', table: approvals, form: 'text' },
    ...{ column: approvals.sealedAnswer, row: [approvals.id] },
    contextOf: (id) => contexts.approvalContext('answer', id),
    advice: 'it can no longer be read',
  },
  {
    ...{ name: 'answer for the idempotency key', table: idempotencyKeys, form: 'text' },
    ...{ column: idempotencyKeys.sealedAnswer, row: [idempotencyKeys.id], usedUntil: idempotencyKeys.expiresAt },
    ...{ contextOf: contexts.idempotentAnswerContext, advice: 'a repeated request cannot get it' },
  },
  {
    ...{ name: 'request to the listener', table: listenerRequests, form: 'text' },
    ...{ column: listenerRequests.sealedRequest, row: [listenerRequests.id] },
    ...{ contextOf: contexts.listenerRequestContext, advice: 'the delivery is attempted again' },
  },
]

/**
 * The column of private keys, which is sealed under `KEY_ENCRYPTION_KEY`. The column `wrapped_under` has the name of the key that
 * sealed a value.
 */
export const privateKeyColumn: SealedColumn = {
  ...{ name: 'private key', table: keys, column: keys.wrappedPrivateKey, form: 'bytes' },
  row: [keys.tenantId, keys.id, keys.purpose, keys.ownerKind, keys.ownerId],
  contextOf: (tenantId = '', id = '', purpose = '', ownerKind = '', ownerId = '') =>
    contexts.privateKeyContext({ tenantId, id, purpose, ownerKind, ownerId }),
}

/** Returns the sealed bytes of a stored value. JSON is its text. Returns undefined for a value that is not sealed. */
export function sealedBytesOf({ form }: SealedColumn, stored: string | Buffer): Buffer | undefined {
  if (typeof stored !== 'string') return stored
  const text: unknown = form === 'json' ? JSON.parse(stored) : stored
  return typeof text === 'string' ? Buffer.from(text, 'base64url') : undefined
}

/** Returns the value that a column stores for sealed bytes. JSON is its text. */
export function storedValueOf({ form }: SealedColumn, sealed: Buffer): string | Buffer {
  if (form === 'bytes') return sealed
  const text = sealed.toString('base64url')
  return form === 'json' ? JSON.stringify(text) : text
}
