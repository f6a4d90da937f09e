import { getTableName } from 'drizzle-orm'
import { type PersonRow, type PersonTable, personTables } from '../../../../db/retention/person-tables.ts'
import type { DeliveryAttempt } from '../../../../db/tables/operations/deliveries.ts'
import { openClaimLink } from '../../../../shared/domain/issuance/claim-links.ts'
import { openCredentials } from '../../../../shared/jobs/answered-credentials.ts'
import type { Secrets } from '../../../../shared/secrets/secrets.ts'
import { bulkKeptContext, bulkResultContext, bulkRowContext } from '../../../../shared/secrets/stored-contexts.ts'

type Opener = Pick<Secrets, 'open'>

/** How the rows of a table are presented to the person. */
export interface Columns {
  /** The member of the export. */
  name: string
  title: string
  /** The columns that the person gets as they are stored. */
  visible: readonly string[]
  /** Columns that the person does not get: secrets and their hashes, names of operators, and values that `opened` returns. */
  withheld: readonly string[]
  /** Returns members from withheld columns. */
  opened?: (row: PersonRow, secrets: Secrets) => PersonRow
}

export interface Section extends Columns {
  read: PersonTable['read']
}

/** The columns of each table, except the tenant and the user. `test/db/person-tables.test.ts` compares them with the schema. */
export const columnsByTable: Readonly<Record<string, Columns>> = {
  users: {
    ...{ name: 'person', title: 'The person' },
    visible: words('id label claims providerId subjectId issuer createdAt'),
    withheld: [],
  },
  idempotency_keys: {
    ...{ name: 'repeatableRequests', title: 'Requests of the issuer that can be repeated' },
    visible: words('id requestId state expiresAt'),
    withheld: words('callerId keyHash fingerprint runningUntil sealedAnswer'),
  },
  offers: {
    ...{ name: 'offers', title: 'Offers' },
    visible: words(
      'id state configurationIds viewId claims label isByReference claimLinkId needsSignIn transactionCodeDescription wrongTransactionCodes sessionId createdAt expiresAt',
    ),
    withheld: words('codeHash sealedCode referenceHash transactionCodeMac traceparent'),
  },
  offer_failures: {
    ...{ name: 'offerFailures', title: 'Failed requests for offers' },
    visible: words('id failedState requestId check reason failedAt createdAt expiresAt'),
    withheld: ['recordedAt'],
  },
  authorizations: {
    ...{ name: 'signIns', title: 'Sign-ins' },
    visible: words(
      'id state clientId registrationId redirectUri configurationIds dpopJkt instanceJkt viewId offerId claimLinkId requestParameters hookClaims createdAt expiresAt',
    ),
    withheld: words(
      'pushedRequestId clientState detailsRequested codeChallenge stepHash sealedLogin codeHash traceparent',
    ),
  },
  refresh_tokens: {
    ...{ name: 'refreshTokens', title: 'Refresh tokens of wallets' },
    visible: words('id authorizationId dpopJkt spentAt createdAt expiresAt'),
    withheld: ['tokenHash'],
  },
  sessions: {
    ...{ name: 'sessions', title: 'Sessions of wallets' },
    visible: words(
      'id viewId offerId clientId registrationId authorizationId configurationIds credentialIdentifiers dpopJkt instanceJkt credentialsLeft sentAt createdAt expiresAt',
    ),
    withheld: words('tokenHash exchangedHash traceparent'),
  },
  session_claims: {
    ...{ name: 'collections', title: 'What sessions collected' },
    visible: words('sessionId configurationId issuanceId'),
    withheld: [],
  },
  issuances: {
    ...{ name: 'issuances', title: 'Requests for credentials, with the copies that are kept for webhooks' },
    visible: words(
      'id state sessionId offerId authorizationId configurationId claims validity holderKeys refusal requestedAt endedAt deferredAt deliveredAt viewId',
    ),
    withheld: ['credentials'],
    opened: (row, secrets) => ({
      credentials: row.credentials && openCredentials(secrets, String(row.id), row.credentials as string | object[]),
    }),
  },
  notifications: {
    ...{ name: 'notifications', title: 'Notifications of wallets' },
    visible: words('issuanceId event description receivedAt'),
    withheld: [],
  },
  bulk_rows: {
    ...{ name: 'bulkRows', title: 'Rows of bulk issuances' },
    visible: words('bulkId row state externalId errorColumn code message credentialId'),
    withheld: words('sealedClaims sealedResult sealedKept'),
    opened: ({ bulkId, row, sealedClaims, sealedResult, sealedKept }, secrets) => ({
      claims: openJson(secrets, sealedClaims, bulkRowContext(String(bulkId), Number(row))),
      credential: openJson(secrets, sealedResult, bulkResultContext(String(bulkId), Number(row))),
      keptCells: openJson(secrets, sealedKept, bulkKeptContext(String(bulkId), Number(row))),
    }),
  },
  claim_links: {
    ...{ name: 'claimLinks', title: 'Claim links' },
    visible: words(
      'id bulkId row externalId label configurationIds state transactionCode signIn wrongCodes offerId createdAt openedAt endedAt expiresAt',
    ),
    withheld: words('generation secretHash sealedContent'),
    opened: ({ id, sealedContent }, secrets) => ({
      claims: sealedContent && openClaimLink(secrets, String(id), String(sealedContent)).claims,
    }),
  },
  credentials: {
    ...{ name: 'credentials', title: 'Issued credentials' },
    visible: words(
      'id profile type status issuanceId offerId sessionId configurationId devicePublicKey issuedAt validFrom validUntil namespaces msoHash signerId viewId position',
    ),
    withheld: [],
  },
  stored_credentials: {
    ...{ name: 'storedCredentials', title: 'Stored credentials' },
    visible: words('id profile tag credential createdAt'),
    withheld: [],
  },
  status_entries: {
    ...{ name: 'statusEntries', title: 'Entries of status lists' },
    visible: words('credentialId listId position status'),
    withheld: [],
  },
  deliveries: {
    ...{ name: 'deliveries', title: 'Deliveries to webhooks' },
    visible: words('id webhookId eventId kind objectId eventAt state createdAt'),
    withheld: words('generation subjectKind attempts attemptsMade nextAttemptAt queuedUntil traceparent'),
    // The request has the address of the receiver, which can contain secrets.
    opened: ({ attempts }) => ({
      attempts: (attempts as DeliveryAttempt[]).map(({ request: _request, ...attempt }) => attempt),
    }),
  },
  events: {
    ...{ name: 'events', title: 'Events' },
    visible: words('id type category timestamp requestId walletClientId offerId objectId data durationMs'),
    // The names of operators are data of other people.
    withheld: words('clientId managementUserId startedAt startData'),
  },
}

/** The sections of an export, in order. */
export const sections: readonly Section[] = personTables.map(({ table, read }) => {
  const columns = columnsByTable[getTableName(table)]
  if (!columns) throw new Error(`The export of a person has no columns for the table ${getTableName(table)}.`)
  return { ...columns, read }
})

/** Returns what the person gets of a row. Values that are null are left out. */
export function presentRow({ visible, opened }: Columns, row: PersonRow, secrets: Secrets): PersonRow {
  const members = { ...Object.fromEntries(visible.map((name) => [name, row[name]])), ...opened?.(row, secrets) }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))
}

function openJson(secrets: Opener, sealed: unknown, context: Parameters<Secrets['open']>[1]): unknown {
  return typeof sealed === 'string' ? JSON.parse(secrets.open(sealed, context)) : undefined
}

function words(text: string): string[] {
  return text.split(' ')
}
