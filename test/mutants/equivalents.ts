import { type Equivalent, onlySaved } from './equivalent.ts'
import { equivalentsOfIssuance } from './equivalents-of-issuance.ts'

/** Stryker's replacement for a removed call. */
const nothing = ';'

const otherDialect =
  'The group runs on PostgreSQL. On SQLite the suite fails with it, because SQLite has no locks of rows.'
const onlyFaster = 'The cache only saves work.'
const noAddress = 'A text that is no address ends the search, as no text does.'
const settledAlready = 'The promise is settled already, and a settled promise ignores it.'

/**
 * Mutants that behave like the original or differ only where the code guarantees nothing. They do not count in the
 * score.
 */
export const equivalents: readonly Equivalent[] = [
  ...equivalentsOfIssuance,
  {
    file: 'db/hold.ts',
    line: "return dialect === 'postgres' ? row.for('update') : row",
    becomes: ['true'],
    because: otherDialect,
  },
  {
    file: 'db/find-row.ts',
    line: "return lock && dialect === 'postgres' ? row.for(lock) : row",
    becomes: ['true'],
    because: otherDialect,
  },
  {
    file: 'db/hold.ts',
    line: "if (dialect === 'postgres') rows.for('key share', { of: table })",
    becomes: ['true'],
    because: otherDialect,
  },
  {
    file: 'db/outbox.ts',
    line: 'if (entries.length === 0) return',
    becomes: ['false'],
    because: 'Inserting no rows does nothing.',
  },
  {
    file: 'shared/outbound/outbound.ts',
    line: 'function urlCheckOf({ allowLoopback, allowOrigins = [], onlyOrigins }: OutboundOptions) {',
    becomes: ['["Stryker was here"]'],
    because: 'No URL has this origin.',
  },
  {
    file: 'shared/outbound/outbound.ts',
    line: 'allowOrigins = [],',
    becomes: ['["Stryker was here"]'],
    because: 'No URL has this origin.',
  },
  {
    file: 'shared/outbound/outbound.ts',
    line: "const { method, body = null, headers = {}, maxResponseBytes, overflow = 'fail' } = options",
    becomes: ['""'],
    because: 'Everything but `truncate` fails.',
  },
  {
    file: 'shared/outbound/checked-connector.ts',
    line: 'if (options.all || !first) return callback(null, addresses)',
    because: 'Node asks for all addresses, because of autoSelectFamily.',
  },
  {
    file: 'shared/outbound/checked-connector.ts',
    line: 'callback(null, first.address, first.family)',
    because: 'Node asks for all addresses, because of autoSelectFamily.',
  },
  {
    file: 'shared/outbound/checked-connector.ts',
    line: '(error) => callback(error, []),',
    becomes: ['["Stryker was here"]'],
    because: 'Node reads no addresses beside an error.',
  },
  {
    file: 'shared/outbound/exchange.ts',
    line: 'clearTimeout(this.#timer)',
    becomes: [nothing],
    because: 'The timer cuts an exchange that has ended, which does nothing.',
  },
  {
    file: 'shared/outbound/exchange.ts',
    line: 'if (status >= 200) this.#head = { status, headers }',
    becomes: ['true'],
    because: 'The final status replaces an interim one before any data.',
  },
  {
    file: 'shared/outbound/exchange.ts',
    line: 'if (receivedBytes < maxBytes) chunks.push(chunk)',
    becomes: ['true', 'receivedBytes <= maxBytes'],
    because: 'The body is cut to its limit. The drain, 64 KiB, bounds what is kept beyond it.',
  },
  {
    file: 'shared/outbound/exchange.ts',
    line: "if (this.#body.receivedBytes() > endBytes) this.cut(new OutboundError('too_large'))",
    becomes: ['this.#body.receivedBytes() >= endBytes'],
    because: 'Whether the last byte of the drain is read is not promised.',
  },
  {
    file: 'shared/outbound/exchange.ts',
    line: 'if (!this.#body.isTooLong()) this.#resolve()',
    becomes: ['true'],
    because: settledAlready,
  },
  {
    file: 'shared/outbound/outbound-error.ts',
    line: "function reasonOf(code = ''): OutboundReason {",
    because: 'No code is a failed connection, and so is an unknown code.',
  },
  {
    file: 'shared/outbound/outbound-error.ts',
    line: '/^ERR_(TLS|SSL)_|^EPROTO$|CERT|_CRL|^UNABLE_TO_|_SIGNATURE$|_CA$|^(PATH_LENGTH|HOSTNAME_MISMATCH|INVALID_PURPOSE)/',
    because: 'Node and OpenSSL have no code that tells the patterns apart.',
  },
  {
    file: 'shared/outbound/resolve-host.ts',
    line: 'return new Resolver({ timeout: 1_000, tries: 2 })',
    becomes: ['{}'],
    because: 'The time limit of the call bounds the resolver too.',
  },
  {
    file: 'shared/secrets/sealing.ts',
    line: "const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })",
    becomes: ['{}'],
    because: 'A tag has 16 bytes by default.',
  },
  {
    file: 'api/access/client-address.ts',
    line: 'if (cached !== undefined) return cached',
    becomes: ['false'],
    because: onlyFaster,
  },
  {
    file: 'api/access/client-address.ts',
    line: 'trusted.set(address, isOne)',
    becomes: [nothing],
    because: onlyFaster,
  },
  {
    file: 'api/access/client-address.ts',
    line: 'networks.set(address, network)',
    becomes: [nothing],
    because: onlyFaster,
  },
  {
    file: 'api/access/client-address.ts',
    line: 'if (!address || proxies.length === 0) return false',
    becomes: ['false'],
    because: 'No address is in an empty list.',
  },
  {
    file: 'api/access/client-address.ts',
    line: "const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')",
    becomes: ['"Stryker was here!"'],
    because: noAddress,
  },
  {
    file: 'api/access/client-address.ts',
    line: "const before = readAddress(forwarded.pop() ?? '')",
    becomes: ['"Stryker was here!"'],
    because: noAddress,
  },
  {
    file: 'api/access/client-address.ts',
    line: 'while (forwarded.length > 0 && isTrusted(address, proxies)) {',
    becomes: ['true', 'forwarded.length >= 0'],
    because: noAddress,
  },
  {
    file: 'db/repos/status/entries.ts',
    line: 'const certified = rows.filter((each) => isCertifiedProfile(each.profile) && each.listId !== null).map(({ id }) => id)',
    becomes: ['true'],
    because: onlySaved,
  },
  {
    file: 'db/repos/status/entries.ts',
    line: 'const revocable = rows.filter(({ id, listId }) => listId !== null && !final.has(id)).map(({ id }) => id)',
    becomes: ['true'],
    because: onlySaved,
  },
  {
    file: 'db/repos/status/entries.ts',
    line: 'const changed = revocable.length > 0 ? await change(tx, { tenantId, ids: revocable, status }) : []',
    becomes: ['true', 'revocable.length >= 0'],
    because: onlySaved,
  },
  {
    file: 'db/repos/status/entries.ts',
    line: 'if (changedIds.length > 0) {',
    becomes: ['true', 'changedIds.length >= 0'],
    because: onlySaved,
  },
  {
    file: 'db/repos/status/entries.ts',
    line: 'if (ids.length === 0) return []',
    becomes: ['false'],
    because: onlySaved,
  },
  {
    file: 'db/repos/status/entries.ts',
    line: 'const issuedIds = new Set(issued.map(({ id }) => id))',
    becomes: ['() => undefined'],
    because: 'A credential is issued or signed directly: no id is in both tables.',
  },
  {
    file: 'db/repos/status/entries.ts',
    line: 'ids.filter((id) => !issuedIds.has(id)),',
    becomes: ['ids'],
    because: 'A credential is issued or signed directly: no id is in both tables.',
  },
  {
    file: 'db/retention/purge-aged.ts',
    line: 'if (count >= limit) break',
    becomes: ['false', 'count > limit'],
    because: 'The next limit is 0, which finds nothing.',
  },
  {
    file: 'db/retention/removal.ts',
    line: 'if (!tenantId || !id || dependentsOf(table).length === 0)',
    becomes: ['false', '(!tenantId || !id) && dependentsOf(table).length === 0', '!tenantId && !id'],
    because: 'Every table on which others hang has both columns. Of others, nothing is found that hangs on them.',
  },
  {
    file: 'api/access/client-address.ts',
    line: "return [base, base.kind() === 'ipv4' ? 32 : 128]",
    becomes: ['false', '""'],
    because: 'More bits than an address has are all of its bits.',
  },
  {
    file: 'workers/signing/keys/rewrap-keys.ts',
    line: 'for (const name of [null, ...older]) if (performance.now() < until) failed += await rewrapAll(deps, name, until)',
    becomes: ['performance.now() <= until'],
    because: 'The run ends at that instant or in the next one.',
  },
  {
    file: 'api/access/limits.ts',
    line: 'if (endsAt === undefined) return undefined',
    becomes: ['false'],
    because: 'The remaining time is not a number then, which the next line treats as over.',
  },
  {
    file: 'api/access/limits.ts',
    line: 'if (leftMs > 0) return leftMs',
    becomes: ['leftMs >= 0'],
    because: 'The window ends at that instant or in the next one.',
  },
  {
    file: 'api/access/limits.ts',
    line: "function keyOf(limit: Limit, tenant: Tenant, address = ''): string {",
    because: 'Keys without an address have the same text in its place.',
  },
  {
    file: 'api/access/console/session.ts',
    line: 'return { until: expiresAt, idleUntil: idleUntil < expiresAt ? idleUntil : expiresAt }',
    becomes: ['idleUntil <= expiresAt'],
    because: 'Both are the same time then.',
  },
  {
    file: 'api/access/console/session.ts',
    line: "if (headers['x-console'] !== pollingRequest && session.lastUsedAt <= plusMs(at, -writtenEveryMs))",
    becomes: ['session.lastUsedAt < plusMs(at, -writtenEveryMs)'],
    because: 'The use is written at that instant or in the next one.',
  },
  {
    file: 'api/access/console/session.ts',
    line: 'return clientSecretHash !== null && isSecretHash(client, clientSecretHash, at)',
    becomes: ['true'],
    because: 'The session of a client always has the hash.',
  },
  {
    file: 'api/access/console/session.ts',
    line: 'const noUser = { managementUserId: null, managementUserName: null, roles: null, providerHash: null }',
    because: 'A column that is left out is null.',
  },
  {
    file: 'api/access/console/session.ts',
    line: 'const noClient = { clientId: null, clientSecretHash: null }',
    because: 'A column that is left out is null.',
  },
  {
    file: 'api/access/console/provider.ts',
    line: "return hash('sha256', JSON.stringify([id, issuer, clientId, claim, userClaim, roles]), 'base64url')",
    because: 'Hashes are only compared with each other.',
  },
]
