import { globSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Writer } from '../../db/client.ts'
import { tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { termsOfClaims } from '../../db/repos/issuance/users/claim-terms.ts'
import { createUserTerms } from '../../db/repos/issuance/users/user-terms.ts'
import { deliveryIdsOf } from '../../db/repos/operations/webhooks/deliveries.ts'
import * as schema from '../../db/schema.ts'
import { tenants } from '../../db/tables/tenancy/tenants.ts'
import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { codeOf } from '../harness/code-of.ts'
import { countWrites } from '../harness/count-writes.ts'
import { openNewDatabase } from '../harness/database.ts'
import { versionOf } from '../harness/revocable.ts'
import { auditCalls } from './audit-calls.ts'
import { certificateCalls } from './certificate-calls.ts'
import { clientCalls } from './client-calls.ts'
import { ecosystemCalls, ecosystemRows } from './ecosystem-calls.ts'
import { isNothing } from './is-nothing.ts'
import { messagingCalls } from './messaging-calls.ts'
import { overviewCalls } from './overview-calls.ts'
import { verifierCalls, verifierRows } from './verifier-calls.ts'
import { walletCalls } from './wallet-calls.ts'
import { webhookCalls } from './webhook-calls.ts'

/**
 * Every query of `db/repos` and `db/retention` that takes a tenant, against a database in which another tenant has one row of everything, all of
 * them of one id: with the id it finds, changes and counts nothing. For the row's own tenant it does, or this would
 * show nothing.
 */
const folder = join(import.meta.dirname, '../../db')
const modules = await Promise.all(
  globSync('{repos/**,retention}/*.ts', { cwd: folder }).map((file) => import(join(folder, file))),
)
type Query = (tx: Writer, ...rest: unknown[]) => unknown
const queries = new Map<string, Query>(
  modules
    .flatMap((module) => Object.entries<Query>(module))
    .filter(([, query]) => /^(async )?function \w+\(\w+, (\{ )?tenantId\b/.test(codeOf(query))),
)

const [ours, theirs, id] = [newId(), newId(), newId()]
const at = new Date()
const [before, after] = [plusMs(at, -60_000), plusMs(at, 60_000)]
const claims = { name: 'Ada' }
const [term] = await termsOfClaims(claims)
const terms = createUserTerms()
await terms.prepare([claims, {}, { name: 'Eve' }].map((each) => ({ claims: each, providerId: id, subjectId: id })))
const [profile, issuedAt] = ['compact', at] as const
const [deliveryId] = deliveryIdsOf(theirs, [{ id, issuedAt }], [id])

/** What columns of a name hold; other texts are the id, times now, numbers 0, and what can be empty is empty. */
const content: Record<string, unknown> = {
  ...{ tenantId: theirs, userId: id, clientId: id, offerId: id, authorizationId: id, sessionId: id, providerId: id },
  ...{ subjectId: id, deviceDetails: {}, sdkDetails: {}, credential: {}, content: Buffer.alloc(1), failed: [] },
  ...{ kind: 'compact', status: 'valid', scopes: {} },
  ...{ claims, hookClaims: claims, profile, term, algorithm: 'Ed25519', purpose: 'token', requestId: id, issuedAt },
  ...{ publicJwk: {}, devicePublicKey: {}, wrappedPrivateKey: Buffer.alloc(40), holderKeys: [], credentials: [] },
  ...{ configurationIds: [id], credentialIdentifiers: {}, requestParameters: {}, parameters: {}, redirectUris: [] },
  ...{ attestation: {}, staticRequestParameters: {}, forwardedRequestParameters: [], claimsToPersist: [], scope: [] },
  ...{ settings: { claimSourceId: id, claimMappings: {} }, roles: [], data: {}, attempts: [], expiresAt: after },
}
const byTable: Record<string, Record<string, unknown>> = {
  deliveries: { state: 'pending', kind: 'OpenIdCredentialIssued', nextAttemptAt: at },
  keys: { ownerKind: 'tenant', ownerId: '' },
  webhooks: { events: ['OpenIdCredentialIssued'] },
  offers: { state: 'usable', wrongTransactionCodes: 0 },
  views: { configurations: {} },
  access_certificates: { subject: {}, chain: [] },
  issuances: { state: 'requested' },
  sessions: { createdAt: before },
  authorizations: { state: 'redeemed' },
  configurations: { scope: id },
  interaction_hooks: { claims: [] },
  certificates: { kind: 'iaca', subject: {}, caId: id },
  events: { category: 'USERS' },
  approvals: { details: {}, state: 'waiting' },
  contexts: { document: {} },
  inbox_messages: { message: {} },
  ...ecosystemRows({ before, after }),
  ...verifierRows,
}

type Given = Record<string, Record<string, unknown>>
const encryption = (publishedUntil: Date) => ({ keys: { purpose: 'encryption', retiredAt: before, publishedUntil } })
const spent = { offers: { state: 'spent' } }
const signing = {
  certificates: { isActive: true, certificate: Buffer.alloc(1), notBefore: before, notAfter: after },
}
const managed = {
  certificates: { ...signing.certificates, isManaged: true },
}
const madeDid = { dids: { document: {}, documentedKeys: [] } }
const tokenList = { status_lists: { kind: 'mobile' } }
const ofUser = { user_claim_terms: { userId: id } }

/** What each query is called with behind the tenant, and the rows that it needs to be otherwise. */
const calls: Record<string, [rest: unknown[], given?: Given]> = {
  deleteListConfiguration: [[id]],
  endPublication: [[id]],
  resignListsOfSigner: [[id, at]],
  findListConfiguration: [[id]],
  findListConfigurationFor: [[id]],
  findReadableTokenLists: [[['mobile'], before], { ...tokenList, certificates: { notAfter: after } }],
  findTokenList: [[id], tokenList],
  listListConfigurations: [[10]],
  listTokenLists: [[{ limit: 10 }], tokenList],
  updateListConfiguration: [[id, { ttlDays: 9 }]],
  cancelSigned: [[{ id, profile, issuedAt: at }, plusMs(at, 1)]],
  deleteSigned: [[id, profile]],
  deleteStored: [[id]],
  findSignedBefore: [[[id]]],
  findStored: [[id, profile]],
  findNewestSdJwtType: [[id]],
  findSdJwtType: [[id, 0]],
  findUploadedLogo: [[id]],
  hasListsOf: [[id], { status_lists: { series: id } }],
  holdDidShared: [[id]],
  holdSigned: [[[id]]],
  listStored: [[profile, { limit: 10, type: id }]],
  claimOffer: [[id], spent],
  countBulk: [
    [
      { filter: { userId: id }, until: after },
      { maxTotal: 9, maxPerQuery: 9 },
    ],
  ],
  countCertificates: [['iaca', before], { certificates: { madeBy: 'operator' } }],
  countFailures: [[id, 1, at]],
  countInstance: [[id, 1]],
  countPending: [[10]],
  deleteAuthenticationProvider: [[id]],
  deleteCertificate: [['iaca', id], signing],
  deleteClaimSource: [[id]],
  deleteConfiguration: [[id, profile]],
  deleteCredential: [[id, profile]],
  deleteCrl: [[id]],
  deleteDelivery: [[id]],
  deleteDid: [[id], madeDid],
  deleteIncompleteDid: [[id]],
  deleteEndedEncryptionKeys: [[at], encryption(before)],
  deleteKeys: [[tenantOwner, 'token', new Date()]],
  ...{ deleteProviderKeys: [[new Date(), 10]], findProviderKeys: [[10]] },
  deleteHosts: [[]],
  deleteHolderApplication: [[id, at]],
  ...ecosystemCalls({ id, at }),
  ...overviewCalls({ id, at, before, after }),
  ...messagingCalls({ id, at, after }),
  ...clientCalls({ id, at, after }),
  ...webhookCalls({ id, at, before, after }),
  ...auditCalls({ id, at, terms }),
  ...certificateCalls({ id, at }),
  ...walletCalls({ id, at, after }),
  ...verifierCalls(id),
  deleteContext: [[id]],
  findContextRow: [[id]],
  findContextsAt: [[[id]]],
  holdContexts: [[[id]]],
  isContextUsed: [[id], { configurations: { profile: 'web-semantic', settings: { contexts: [id] } } }],
  listContexts: [[10]],
  deleteHolderInstance: [[id, id]],
  deleteOAuthClient: [[id]],
  deleteOffer: [[id]],
  deleteTrustedIssuer: [[id]],
  deleteUserRow: [[id, terms]],
  deleteSignersUnder: [[id], managed],
  deleteIncompleteCertificate: [[id], { certificates: { csr: null } }],
  eraseTimelines: [[[id]]],
  eraseUser: [[id, at, terms]],
  extendRefreshToken: [[id, at]],
  extendSession: [[id, plusMs(after, 1)]],
  findActiveAuthorities: [['iaca', at], signing],
  findPublishedSigners: [[{ kind: 'iaca', at }], signing],
  findAllConfigurations: [[]],
  findAuthenticationProvider: [[id]],
  findAuthorization: [[id]],
  findReachedQuota: [['webhooks', { webhooks: 1 }]],
  findChanges: [[id, 10]],
  findBulk: [[id]],
  findBulkPage: [[{ filter: { userId: id }, until: after, limit: 10 }]],
  findCertificate: [['iaca', id], signing],
  findCrl: [[id]],
  findCrlOf: [['iaca', id]],
  findClaimSource: [[id]],
  findClaimedIssuance: [[id, id]],
  findNamedConfigurations: [[[id]]],
  findOldestOfTypes: [[[{ profile: 'mobile', type: id }]], { configurations: { profile: 'mobile', type: id } }],
  findDeliveriesOf: [[[id]], { deliveries: { id: deliveryId } }],
  findDid: [[id], madeDid],
  findDidKey: [[id, 'Ed25519', at], { keys: { purpose: 'did' } }],
  findDidKeys: [[id, at], { keys: { purpose: 'did' } }],
  findDidRow: [[id]],
  findDidsAmong: [[['did:example:made']], { dids: { document: {}, did: 'did:example:made' } }],
  completeDid: [[id, { did: 'did:web:changed.example', document: {}, documentedKeys: [] }]],
  findDeliveryToSend: [[id]],
  findExchanged: [[id, id]],
  findEndingSignersOf: [[{ kind: 'iaca', caId: id, until: after }], managed],
  findEncryptionKeys: [[], { keys: { purpose: 'encryption' } }],
  findHosts: [[]],
  findHolderApplication: [[id]],
  findHolderInstance: [[id, id]],
  findInteractionHook: [[]],
  findIssuance: [[id]],
  findConfigurationsToSign: [[[id]]],
  findIssuancesToSign: [[[id]]],
  findSpentHashes: [[[id]]],
  ...{ findIssued: [[[id]]], findIssuedCredential: [[id]] },
  ...{ findKey: [[id]], findCurrentKeys: [[tenantOwner, 'token']] },
  hasEndedEncryptionKeys: [[at], encryption(before)],
  moveToProvider: [[id, { provider: 'pkcs11', handle: 'pkcs11:token=x' }], { keys: { provider: 'software' } }],
  replaceWrapping: [[{ id, wrappedPrivateKey: Buffer.alloc(40) }, { wrappedUnder: 'x' }]],
  countRetired: [['encryption', at], encryption(after)],
  extendPublication: [[id, after], { keys: { publishedUntil: at } }],
  resignListsOfDid: [[at], { published_lists: { signerId: null } }],
  resignSuspendableLists: [[at], { status_lists: { kind: 'sd-jwt' } }],
  findListToPublish: [[id]],
  findListEntry: [[{ kind: 'compact', listId: id, position: 0 }]],
  findSessionWithClaims: [[id]],
  findNotifications: [[[id]]],
  findOfferDates: [[id]],
  findOfferEvents: [[id]],
  findOfferIssuances: [[id]],
  findOfferToRedeem: [[id]],
  findOpeningKey: [[id, at], encryption(after)],
  findOwnOfferIds: [[id], { shared_offers: { id: newId() } }],
  findPublicKey: [[tenantOwner, 'token', id]],
  findPublishedList: [['compact', id]],
  findPublishedKeys: [[tenantOwner, 'token', at]],
  findRefreshToken: [[id]],
  findRevokedCertificates: [[id]],
  findSession: [[id]],
  findSetPositions: [[id, -1, 10], { status_entries: { status: 'invalid' } }],
  findSetStatuses: [[id, -1, 10], { status_entries: { status: 'invalid' } }],
  findSharedOffer: [[id]],
  findSigningKeyId: [[tenantOwner, { purpose: 'token', algorithm: 'Ed25519' }]],
  findShownOffer: [[id]],
  findShownSharedOffer: [[id]],
  findStatus: [[id]],
  findTrustedIssuer: [[id]],
  findUser: [[id]],
  findUserBySubject: [[{ providerId: id, issuer: id, subjectId: id }]],
  findUsers: [[[id]]],
  finishIssuance: [[{ id, sessionId: id }, 'sealed text', at]],
  hasSigners: [[id]],
  hasStatusUnder: [[id, at], { credentials: { validUntil: after } }],
  hasUsers: [[id]],
  holdInUse: [[[id]], signing],
  holdConfiguration: [[id]],
  isClaimSourceUsed: [[id]],
  isSessionUsed: [[{ id, userId: id }]],
  isOffered: [[id, at]],
  checkTransactionCode: [[id, false, at]],
  extendAuthorization: [[id, plusMs(after, 1)]],
  listAuthenticationProviders: [[10]],
  listCertificates: [['iaca', { limit: 10 }], signing],
  listClaimSources: [[10]],
  listConfigurations: [[profile, { limit: 10 }]],
  listDids: [[{ limit: 10 }], madeDid],
  listEvents: [[{}, 10]],
  listHolderApplications: [[10]],
  listHolderInstances: [[id, 10]],
  listPublishedLists: [['compact', { limit: 10 }]],
  listTrustedIssuers: [[10]],
  listUserCredentials: [[id, 10]],
  listUsers: [[10]],
  markPublished: [[id, [id], at]],
  anonymizeEntries: [[[id], at]],
  persistClaims: [[id, { name: 'Eve' }, terms]],
  publishVersion: [[id, { content: versionOf(Buffer.alloc(2), at), replaces: 0, changeIds: [] }]],
  recordAttempt: [
    [
      { id, generation: 0, attempts: [], attemptsMade: 0 },
      { attempt: {}, state: 'failed', nextAttemptAt: null },
    ],
  ],
  refuseIssuances: [[[{ id, refusal: { check: 'signer', reason: 'No certificate' } }], at]],
  reserveIndexes: [[{ kind: 'compact', series: '' }, 1], { status_lists: { size: 10, series: '' } }],
  replaceCrl: [[{ caId: id, number: 1 }, 0]],
  retireKeys: [[tenantOwner, 'token', at, at]],
  deleteSessions: [[{ id }]],
  revokeAuthorization: [[id]],
  revokeOfferSession: [[id, id], spent],
  searchUsers: [[{ claims }, 10], ofUser],
  setStatuses: [[[id], { status: 'invalid', at }]],
  spendOffer: [[id, newId(), at]],
  takeDueDeliveries: [[{ webhookId: id }, at, 10]],
  updateAuthenticationProvider: [[id, { url: 'https://changed.example' }]],
  updateCertificate: [[{ id }, { isActive: true }]],
  updateBulk: [[{ id }, { done: 1 }]],
  updateClaimSource: [[id, { url: 'https://changed.example' }]],
  updateConfiguration: [[{ id, profile, type: 'changed', settings: {} }]],
  updateHolderApplication: [[id, { name: 'changed' }]],
  updateOAuthClient: [[id, { name: 'changed' }]],
  statesOfChange: [[id, { claims: {} }]],
  statesOfMerge: [[id, { name: 'Eve' }]],
  statesOfUser: [[id]],
  updateUser: [[id, { claims: {} }, terms]],
}
/** They make rows of the tenant that they are given, are a part of queries, or only call other queries. */
const others =
  /^(insert|begin|registerDid$|addToLine$|holdOrMakeLine$|recordListChanges$|spendProofs$|spendTogether$|findNamedContexts$|findSigningRoot$|isRegistrationValid$)/

test('this file covers every query that takes a tenant', () => {
  const names = [...queries.keys()].filter((name) => !others.test(name))
  expect(names.sort()).toEqual(Object.keys(calls).sort())
})

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
})
afterAll(() => drop())

// Boundary: what has a tenant is a table.
const owned = Object.values(schema).filter((each) => is(each, Table) && 'tenantId' in each) as PgTable[]

function rowOf(table: PgTable, given: Given): Record<string, unknown> {
  const name = getTableName(table)
  const values = { ...content, ...byTable[name], ...given[name] }
  const entries = Object.entries(getTableColumns(table)).map(([key, column]) => {
    if (key in values) return [key, values[key]]
    if (column.dataType === 'date') return [key, column.notNull ? at : null]
    if (column.dataType === 'number') return [key, 0]
    if (column.dataType === 'boolean') return [key, false]
    return [key, column.dataType === 'string' ? id : null]
  })
  return Object.fromEntries(entries)
}

async function fill(tx: Writer, given: Given): Promise<void> {
  const tenant = { kind: 'tenant' as const, state: 'active' as const, did: id, createdAt: at }
  for (const each of [ours, theirs]) {
    // Boundary: what queries look at of it.
    const row = { ...tenant, id: each, name: each, subdomain: each, canonicalHost: each, settings: {} as never }
    await tx.insert(tenants).values(row)
  }
  for (const table of owned) await tx.insert(table).values(rowOf(table, given))
}

/** Returns for each tenant 'changed', 'nothing' or the result of the query. Rolls everything back. */
async function outcomesOf(name: string, tenantIds: string[], other: Given = {}): Promise<unknown[]> {
  const [rest, given = {}] = calls[name]!
  const [outcomes, rolledBack]: [unknown[], Error] = [[], new Error('rolled back')]
  const done = db.tx(async (tx) => {
    await fill(tx, { ...given, ...other })
    for (const tenantId of tenantIds) {
      const before = await countWrites(tx)
      const result = await queries.get(name)!(tx, ...argumentsOf(name, tenantId, rest))
      if ((await countWrites(tx)) !== before) outcomes.push('changed')
      else outcomes.push(isNothing(result) ? 'nothing' : result)
    }
    throw rolledBack
  })
  await expect(done).rejects.toBe(rolledBack)
  return outcomes
}

/** Some take the tenant with the row. */
function argumentsOf(name: string, tenantId: string, [first, ...more]: unknown[]): unknown[] {
  const isOfRow = /^(async )?function \w+\(\w+, \{/.test(codeOf(queries.get(name)))
  return isOfRow ? [{ tenantId, ...Object(first) }, ...more] : [tenantId, first, ...more]
}

test.each(Object.keys(calls))('%s does not see rows of another tenant', async (name) => {
  const [ofOurs, ofTheirs] = await outcomesOf(name, [ours, theirs])
  expect(ofOurs).toBe('nothing')
  expect(ofTheirs).not.toBe('nothing')
})

const mine = { tenantId: ours }
/** The rows that make a session valid. */
const session = { sessions: mine, users: mine, oauth_clients: mine, authorizations: { ...mine, state: 'redeemed' } }

test.each<[name: string, given: Given, outcome: unknown]>([
  ['findDeliveryToSend', { deliveries: mine }, { webhook: null }],
  ['findIssuedCredential', { credentials: mine }, { issued: null }],
  ['findIssuancesToSign', { issuances: mine }, 'nothing'],
  ['findPublishedList', { published_lists: mine }, 'nothing'],
  ['findPublishedList', { status_lists: mine }, 'nothing'],
  ['findUser', { users: mine }, { providerUrl: null }],
  ['listPublishedLists', { status_lists: mine }, 'nothing'],
  ['listStatusLists', { status_lists: mine }, [{ published: null, changedAt: null }]],
  ['findSessionWithClaims', { sessions: mine }, 'nothing'],
  ['findSessionWithClaims', { sessions: mine, users: mine }, 'nothing'],
  ['findSessionWithClaims', { ...session, users: { ...mine, issuer: null } }, { providerUrl: null, offerClaims: null }],
  ['finishIssuance', session, 'nothing'],
  ['finishIssuance', { issuances: mine }, 'nothing'],
  ['finishIssuance', { ...session, issuances: { ...mine, state: 'requested' } }, 'changed'],
])('%s sees no rows of other tenants that its row names (%#)', async (name, given, outcome) => {
  const rows = Object.entries(given).map(([table, values]) => [table, { ...calls[name]?.[1]?.[table], ...values }])
  const [found] = await outcomesOf(name, [ours], Object.fromEntries(rows))
  if (typeof outcome === 'object') expect(found).toMatchObject(Object(outcome))
  else expect(found).toBe(outcome)
})
