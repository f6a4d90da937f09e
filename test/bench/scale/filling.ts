/** Parameters for filling a database. The tenant is that of the webhook. */
export interface ToFill {
  users: number
  webhookId: string
  configurationId: string
  revocableId: string
  /** Milliseconds. No row is newer. */
  at: number
}

/** Parameters with the owners of the rows. */
export interface Filling extends ToFill {
  tenantId: string
  clientId: string
  providerId: string
}

/** Seconds per table. */
export type Filled = Record<string, number>

export const dayMs = 86_400_000
/**
 * The age of the oldest rows: the retention period (db/retention) less some hours, so that no row expires during the
 * measurement.
 */
export const spanMs = 80 * dayMs
const issuanceMs = 29 * dayMs
const contentMs = 6 * dayMs
const offerMs = dayMs / 2
const sessionMs = dayMs / 48
export const otherTenants = 9

/** An SQL expression for the creation time of user `i`. */
export const cameAt = ({ at, users }: Filling, i = 'i') => `(${at - spanMs} + ${i} * ${spanMs} / ${users})`

/** The number of users of the last `ms`. */
const recent = ({ users }: Filling, ms: number) => Math.ceil((users * ms) / spanMs)

/** The measured tenant has nine of ten users. */
const tenantOf = ({ tenantId }: Filling, i: string) =>
  `(case when ${i} % 10 = 0 then tw_id(0, 'tenant' || (${i} / 10 % ${otherTenants})) else '${tenantId}' end)`

/** Half of the measured tenant's credentials are revocable. */
const isRevocable = (i: string) => `(${i} % 2 = 0 and ${i} % 10 <> 0)`
const configurationOf = ({ configurationId, revocableId }: Filling, i: string) =>
  `(case when ${isRevocable(i)} then '${revocableId}' else '${configurationId}' end)`
const statusOf = (i: string) => `(case when ${isRevocable(i)} and ${i} % 100 = 2 then 'invalid' else 'valid' end)`
export const listSize = 1_000_000

/** An id with the creation time of user `i`. */
const idOf = (filling: Filling, what: string, i = 'i') => `tw_id(${cameAt(filling, i)}, '${what}' || ${i})`

const holderKey =
  '{"kty":"EC","crv":"P-256","x":"Q3v0c05ZvvsRPIIvdyP_uU1qbPYfh-uoZ6H-ws7uETM","y":"wEOrNC8naZTebAENtJXdw7ZRVBstbRkZdkrbPv_uwA4"}'
const secretHash = (filling: Filling, what: string) => `${idOf(filling, what)} || 'hash'`

export const claimsOf = (i: string) =>
  `'{"given_name":"Given ' || (${i} % 997) || '","family_name":"Family ' || (${i} * 7919 % 10007) || '","birth_date":"day ' || (${i} * 31 % 20011) || '","email":"person' || ${i} || '@example.com","address":{"locality":"Town ' || (${i} * 13 % 5003) || '","country":"Country ' || (${i} % 5) || '"},"group":"Group ' || (${i} % 4) || '"}'`

/** The search terms of a user, as in `db/repos/issuance/users/claim-terms.ts`. */
const termTexts = [
  `'/"given_name" = "Given ' || (i % 997) || '"'`,
  `'/"family_name" = "Family ' || (i * 7919 % 10007) || '"'`,
  `'/"birth_date" = "day ' || (i * 31 % 20011) || '"'`,
  `'/"email" = "person' || i || '@example.com"'`,
  `'/"address" is an object'`,
  `'/"address"/"locality" = "Town ' || (i * 13 % 5003) || '"'`,
  `'/"address"/"country" = "Country ' || (i % 5) || '"'`,
  `'/"group" = "Group ' || (i % 4) || '"'`,
]

export interface Insertion {
  table: string
  columns: string
  /** The values of the row for each number. */
  values: string
  count: number
  /** The first number. */
  from?: number
  where?: string
  orderBy?: string
}

/** All rows except the audit: users with their history, three events (in rows of two) and one delivery for each user. */
export function insertionsOf(filling: Filling): Insertion[] {
  const { users, at } = filling
  const since = (ms: number) => ({ count: recent(filling, ms), from: users - recent(filling, ms) })
  const came = `tw_at(${cameAt(filling)})`
  const tenant = tenantOf(filling, 'i')
  const user = idOf(filling, 'user')
  const hasProvider = 'i % 4 = 1 and i % 10 <> 0'
  const ofSession = `${idOf(filling, 'session')}, ${tenant}`
  return [
    {
      table: 'users',
      columns: 'id, tenant_id, claims, provider_id, subject_id, created_at',
      values: `${user}, ${tenant}, tw_json(${claimsOf('i')}),
        case when ${hasProvider} then '${filling.providerId}' end, case when ${hasProvider} then 'subject ' || i end, ${came}`,
      count: users,
    },
    ...[
      ...termTexts.map((text) => ({ text, where: 'true' })),
      { text: `'providerId ${filling.providerId}'`, where: hasProvider },
      { text: `'subjectId subject ' || i`, where: hasProvider },
    ].map(({ text, where }) => ({
      table: 'user_claim_terms',
      columns: 'tenant_id, term, created_at, user_id',
      values: `${tenant} as tenant, tw_term(${text}) as term, ${came} as came, ${user}`,
      count: users,
      where,
      orderBy: 'tenant, term, came',
    })),
    {
      table: 'credentials',
      columns:
        'id, tenant_id, user_id, issuance_id, profile, type, offer_id, session_id, configuration_id, device_public_key, status, issued_at, valid_from, valid_until, position',
      values: `${idOf(filling, 'credential')}, ${tenant}, ${user}, ${idOf(filling, 'issuance')}, 'compact',
        case when ${isRevocable('i')} then 'RevocableCredential' else 'BenchCredential' end, ${idOf(filling, 'offer')},
        ${idOf(filling, 'session')}, ${configurationOf(filling, 'i')}, tw_json('${holderKey}'), ${statusOf('i')}, ${came}, ${came},
        tw_at(${cameAt(filling)} + ${365 * dayMs}), 0`,
      count: users,
    },
    {
      table: 'status_entries',
      columns: 'tenant_id, list_id, position, credential_id, status',
      values: `${tenant}, tw_id(0, 'list' || (i / 2 / ${listSize})) as list, ((i / 2) % ${listSize}) * 7919 % ${listSize} as place,
        ${idOf(filling, 'credential')}, ${statusOf('i')}`,
      count: users,
      where: isRevocable('i'),
      orderBy: 'list, place',
    },
    {
      table: 'issuances',
      columns:
        'id, tenant_id, session_id, offer_id, user_id, configuration_id, state, holder_keys, credentials, requested_at, ended_at',
      values: `${idOf(filling, 'issuance')}, ${tenant}, ${idOf(filling, 'session')}, ${idOf(filling, 'offer')}, ${user},
        ${configurationOf(filling, 'i')}, ${issuanceState(filling)}, tw_json('[{"jwk":${holderKey}}]'),
        case when ${issuanceState(filling)} = 'issued' then
          tw_json('[{"id":"' || ${idOf(filling, 'credential')} || '","format":"cwt","credential":"CSC:/1/${'A'.repeat(700)}"}]') end,
        ${came}, ${came}`,
      ...since(issuanceMs),
    },
    {
      table: 'offers',
      columns:
        'id, tenant_id, user_id, state, configuration_ids, claims, code_hash, wrong_transaction_codes, session_id, expires_at, created_at',
      values: `${idOf(filling, 'offer')}, ${tenant}, ${user}, 'claimed', tw_json('["' || ${configurationOf(filling, 'i')} || '"]'),
        tw_json(${claimsOf('i')}), ${secretHash(filling, 'code')}, 0, ${idOf(filling, 'session')},
        tw_at(${cameAt(filling)} + 300000), ${came}`,
      ...since(offerMs),
    },
    {
      table: 'sessions',
      columns:
        'id, tenant_id, user_id, offer_id, configuration_ids, credential_identifiers, token_hash, exchanged_hash, expires_at, created_at',
      values: `${ofSession}, ${user}, ${idOf(filling, 'offer')}, tw_json('["' || ${configurationOf(filling, 'i')} || '"]'), tw_json('{}'),
        ${secretHash(filling, 'token')}, ${secretHash(filling, 'code')}, tw_at(${cameAt(filling)} + 300000), ${came}`,
      ...since(sessionMs),
    },
    {
      table: 'session_claims',
      columns: 'tenant_id, session_id, configuration_id, issuance_id',
      values: `${tenant}, ${idOf(filling, 'session')}, ${configurationOf(filling, 'i')}, ${idOf(filling, 'issuance')}`,
      ...since(sessionMs),
    },
    deliveriesOf(filling, at),
    eventsOf(filling),
  ]
}

const issuanceState = (filling: Filling) =>
  `(case when i < ${filling.users - recent(filling, contentMs)} then 'wiped' else 'issued' end)`

/** Deliveries of the last weeks, several for each credential. Some wait for unreachable receivers. */
function deliveriesOf(filling: Filling, at: number): Insertion {
  const issued = recent(filling, issuanceMs)
  // The user of delivery `i` and the issuing time of the user's credential.
  const user = `(${filling.users - issued} + i * ${issued} / ${filling.users})`
  const time = cameAt(filling, user)
  const isOthers = `${user} % 10 = 0`
  const waits = `(${isOthers} and i % 5 = 0 or not ${isOthers} and i % 50 = 0)`
  const webhook = `case when ${isOthers} then tw_id(0, 'webhook' || (${user} / 10 % ${otherTenants}))
    when ${waits} then tw_id(0, 'webhook away') else '${filling.webhookId}' end`
  const attempt = `'[{"id":"' || tw_id(0, 'attempt' || i) || '","at":"2026-01-01T00:00:00.000Z","durationMs":4,"status":204}]'`
  return {
    table: 'deliveries',
    columns:
      'id, tenant_id, webhook_id, event_id, kind, subject_kind, credential_id, event_at, state, attempts, attempts_made, next_attempt_at, created_at',
    values: `tw_id(${time}, 'delivery' || i), ${tenantOf(filling, user)}, ${webhook}, tw_id(${time}, 'event' || i),
      'OpenIdCredentialIssued', 'issuance', tw_id(${time}, 'credential' || ${user}), tw_at(${time}),
      case when ${waits} then 'pending' when i % 100 = 7 then 'failed' else 'delivered' end, tw_json(${attempt}), 1,
      case when ${waits} then tw_at(${at} - i % 3600000) end, tw_at(${time})`,
    count: filling.users,
  }
}

const operations = [
  ['OPENID_CREDENTIAL', 'OPENID_VCI'],
  ['OPENID_TOKEN', 'OPENID_VCI'],
  ['OPENID_PRE_AUTHORIZED_OFFER_CREATE', 'OFFERS'],
  ['USER_RETRIEVE', 'USERS'],
  ['USER_CREATE', 'USERS'],
]

/** A row for each request, with its start and its end. One of 1,000 operations fails. One of 100,000 is a deletion. */
function eventsOf(filling: Filling): Insertion {
  const count = Math.ceil((3 * filling.users) / 2)
  const time = `(${filling.at - spanMs} + i * ${spanMs} / ${count})`
  const choose = (of: (operation: string[]) => string) =>
    `case i % ${operations.length} ${operations.map((each, at) => `when ${at} then '${of(each)}'`).join(' ')} end`
  const byManagement = `i % ${operations.length} >= 2`
  const type = `case when i % 100000 = 9 then 'USER_DELETE' else ${choose(([type = '']) => type)} end
    || case when i % 1000 = 7 then '_FAIL' else '_SUCCESS' end`
  // A user that was created at about this time.
  const user = '(2 * i / 3)'
  return {
    table: 'events',
    columns: 'id, tenant_id, type, category, timestamp, request_id, client_id, offer_id, data, started_at, start_data',
    values: `tw_id(${time}, 'analytics' || i), ${tenantOf(filling, user)}, ${type}, ${choose(([, category = '']) => category)},
      tw_at(${time}), tw_id(${time}, 'request' || i), case when ${byManagement} then '${filling.clientId}' end,
      case when i % ${operations.length} < 3 then ${idOf(filling, 'offer', user)} end, tw_json('{}'), tw_at(${time} - 20), tw_json('{}')`,
    count,
  }
}
