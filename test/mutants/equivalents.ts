interface Equivalent {
  file: string
  /** The line that the mutant starts on, without its indentation. */
  line: string
  /** The replacements; every replacement on the line by default. */
  becomes?: string[]
  /** Why no test can notice it. */
  because: string
}

/** Removed calls are shown as this. */
const nothing = ';'

const otherDialect =
  'The group runs on PostgreSQL. On SQLite the suite fails with it, because SQLite has no locks of rows.'
const onlyFaster = 'The cache only saves work.'
const noAddress = 'A text that is no address ends the search, as no text does.'
const onlySaved = 'It saves a statement that finds nothing.'
const settledAlready = 'The promise is settled already, and a settled promise ignores it.'

/** Mutants that behave like the original, or differ only where nothing is promised. They do not count in the score. */
export const equivalents: readonly Equivalent[] = [
  {
    file: 'db/hold.ts',
    line: "return dialect === 'postgres' ? row.for('update') : row",
    becomes: ['true'],
    because: otherDialect,
  },
  {
    file: 'db/hold.ts',
    line: "return dialect === 'postgres' ? row.for(strength) : row",
    becomes: ['true'],
    because: otherDialect,
  },
  {
    file: 'db/hold.ts',
    line: "if (dialect === 'postgres') rows.for('key share', { of: table })",
    becomes: ['true'],
    because: otherDialect,
  },
  { file: 'db/hold.ts', line: 'queries.set(table, ofTable)', becomes: [nothing], because: onlyFaster },
  { file: 'db/hold.ts', line: 'ofTable.set(strength, known)', becomes: [nothing], because: onlyFaster },
  {
    file: 'db/outbox.ts',
    line: 'if (entries.length === 0) return',
    becomes: ['false'],
    because: 'Inserting no rows does nothing.',
  },
  {
    file: 'shared/outbound/outbound.ts',
    line: "const { allowLoopback, allowOrigins = [], userAgent = 'Trustwright' } = options",
    becomes: ['["Stryker was here"]'],
    because: 'No URL has this origin.',
  },
  {
    file: 'shared/outbound/outbound.ts',
    line: 'const { allowLoopback, allowOrigins = [], resolve = createResolver(), clock = systemClock } = options',
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
    line: 'if (status < 200) return',
    becomes: ['false'],
    because: 'The final status replaces an interim one before any data.',
  },
  {
    file: 'shared/outbound/exchange.ts',
    line: 'if (earlierBytes < maxResponseBytes) this.#chunks.push(chunk)',
    becomes: ['true', 'earlierBytes <= maxResponseBytes'],
    because: 'The body is cut to its limit. The drain, 64 KiB, bounds what is kept beyond it.',
  },
  {
    file: 'shared/outbound/exchange.ts',
    line: 'if (keeps && earlierBytes <= maxResponseBytes) this.#resolve({ truncated: true })',
    becomes: ['true'],
    because: settledAlready,
  },
  {
    file: 'shared/outbound/exchange.ts',
    line: "if (this.#receivedBytes > endBytes) this.cut(new OutboundError('too_large'))",
    becomes: ['this.#receivedBytes >= endBytes'],
    because: 'Whether the last byte of the drain is read is not promised.',
  },
  {
    file: 'shared/outbound/exchange.ts',
    line: 'if (this.#receivedBytes <= this.#limits.maxResponseBytes) this.#resolve({ truncated: false })',
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
    line: 'const resolver = new Resolver({ timeout: 1_000, tries: 2 })',
    becomes: ['{}'],
    because: 'The time limit of the call bounds the resolver too.',
  },
  { file: 'workers/signing/keyring.ts', line: 'if (known) return known', becomes: ['false'], because: onlyFaster },
  { file: 'workers/signing/keyring.ts', line: 'opened.set(name, key)', becomes: [nothing], because: onlyFaster },
  { file: 'shared/secrets.ts', line: 'macKeys.set(use, key)', becomes: [nothing], because: onlyFaster },
  {
    file: 'shared/secrets.ts',
    line: "const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })",
    becomes: ['{}'],
    because: 'A tag has 16 bytes by default.',
  },
  { file: 'api/access/client-address.ts', line: 'if (known) return known', becomes: ['false'], because: onlyFaster },
  { file: 'api/access/client-address.ts', line: 'read.set(proxies, made)', becomes: [nothing], because: onlyFaster },
  {
    file: 'api/access/client-address.ts',
    line: 'if (known !== undefined) return known',
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
    line: "const told = String(headers['x-forwarded-for'] ?? '').split(',')",
    becomes: ['"Stryker was here!"'],
    because: noAddress,
  },
  {
    file: 'api/access/client-address.ts',
    line: "const before = readAddress(told.pop() ?? '')",
    becomes: ['"Stryker was here!"'],
    because: noAddress,
  },
  {
    file: 'api/access/client-address.ts',
    line: 'while (told.length > 0 && isTrusted(address, proxies)) {',
    becomes: ['true', 'told.length >= 0'],
    because: noAddress,
  },
  {
    file: 'db/repos/status/entries.ts',
    line: "const mobile = found.filter((each) => each.profile === 'mobile' && each.listId !== null).map(({ id }) => id)",
    becomes: ['true'],
    because: onlySaved,
  },
  {
    file: 'db/repos/status/entries.ts',
    line: 'const revocable = found.filter(({ id, listId }) => listId !== null && !final.has(id)).map(({ id }) => id)',
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
    line: 'const known = new Set(issued.map(({ id }) => id))',
    becomes: ['() => undefined'],
    because: 'A credential is issued or signed directly: no id is in both tables.',
  },
  {
    file: 'db/repos/status/entries.ts',
    line: 'ids.filter((id) => !known.has(id)),',
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
    file: 'workers/signing/rewrap-keys.ts',
    line: 'for (const name of [null, ...older]) if (performance.now() < until) failed += await rewrapAll(deps, name, until)',
    becomes: ['performance.now() <= until'],
    because: 'The run ends at that instant or in the next one.',
  },
  {
    file: 'api/access/limits.ts',
    line: 'if (until === undefined) return undefined',
    becomes: ['false'],
    because: 'The remaining time is not a number then, which the next line treats as over.',
  },
  {
    file: 'api/access/limits.ts',
    line: 'if (leftMs > 0) return leftMs',
    becomes: ['leftMs >= 0'],
    because: 'The window ends at that instant or in the next one.',
  },
  { file: 'api/access/limits.ts', line: 'overUntil.delete(key)', becomes: [nothing], because: 'It only frees memory.' },
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
    line: "if (headers['x-console'] !== ofNobody && session.lastUsedAt <= plusMs(at, -writtenEveryMs))",
    becomes: ['session.lastUsedAt < plusMs(at, -writtenEveryMs)'],
    because: 'The use is written at that instant or in the next one.',
  },
  {
    file: 'api/access/console/session.ts',
    line: 'const isGood = clientSecretHash !== null && isSecretHash(client, clientSecretHash, at)',
    becomes: ['true'],
    because: 'The session of a client always has the hash.',
  },
  { file: 'api/access/console/session.ts', line: "example: '1',", because: 'Any value is an example.' },
  {
    file: 'api/access/console/session.ts',
    line: 'const nobody = { managementUserId: null, managementUserName: null, roles: null, providerHash: null }',
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
  {
    file: 'api/issuance/proofs/check-proofs.ts',
    line: 'if (proven.length === 1 && !checked[0]?.attestation) return proven',
    becomes: ['false', 'checked[0].attestation'],
    because: 'The line only saves work. A proven key is the key of a checked proof.',
  },
  {
    file: 'api/issuance/proofs/check-proofs.ts',
    line: 'const [[type, given] = [], ...more] = Object.entries(proofs)',
    becomes: ['["Stryker was here"]'],
    because: 'No type is refused, as an unknown type is.',
  },
  {
    file: 'api/issuance/proofs/check-proofs.ts',
    line: "if (more.length > 0 || type === undefined) throw refuse('proofs must hold exactly one type')",
    becomes: ['false'],
    because: 'No type is refused, as an unknown type is. The tests refuse two types.',
  },
  {
    file: 'api/issuance/proofs/key-attestation.ts',
    line: "if (payload.exp !== undefined && payload.exp <= seconds) throw refuse('It is expired')",
    becomes: ['true'],
    because: 'Undefined is not less than a number.',
  },
  {
    file: 'api/issuance/proofs/key-attestation.ts',
    line: 'function requireOneOf(name: string, declared: string[] = [], wanted: string[] | undefined): void {',
    becomes: ['["Stryker was here"]'],
    because: 'No configuration requires this value.',
  },
  {
    file: 'api/issuance/token/grants/pre-authorized-code.ts',
    line: "const offered = { userId: '', configurationIds: [] }",
    because: 'The row of the offer replaces both.',
  },
  {
    file: 'api/issuance/token/grants/pre-authorized-code.ts',
    line: 'if (request.tx_code !== undefined || request.authorization_details !== undefined) return undefined',
    becomes: ['true'],
    because: 'The other path gives the same response with more database messages.',
  },
  {
    file: 'api/issuance/token/grants/pre-authorized-code.ts',
    line: "if (sessionId === null) return 'used'",
    becomes: ['false'],
    because: onlySaved,
  },
  {
    file: 'api/issuance/token/grants/refresh-token.ts',
    line: "if (!next) throw new Error('a session that is bound to a key must have a refresh token')",
    because: 'The session has a key and an authorization, so it has a refresh token.',
  },
  {
    file: 'api/issuance/credential/handles.ts',
    line: "const [id = '', mac = '', ...rest] = handle.split('.', 3)",
    becomes: ['"Stryker was here!"'],
    because: 'A handle has a first part, and no MAC is this text.',
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: 'id !== undefined && holder.configurationIds.includes(id) && (await findRecentConfiguration(deps, tenant.id, id))',
    becomes: ['true'],
    because: 'No token contains an undefined id.',
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: "if (!holder.known) throw new Error('the route does not load the claims')",
    because: 'The route loads the claims.',
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: '...(subjectId === null ? {} : { subjectId }),',
    becomes: ['false'],
    because: 'A mapping takes no value from null.',
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: '...(providerUrl === null ? {} : { url: providerUrl }),',
    becomes: ['false'],
    because: 'A mapping takes no value from null.',
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: 'return { isDeferred: false }',
    becomes: ['{}'],
    because: 'Only true is deferred.',
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: 'if (authorizationId !== null) await keepAuthorizationUntil(tx, tenant.id, authorizationId, until)',
    becomes: ['true'],
    because: onlySaved,
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: "if (!issuance || issuance.state === 'abandoned') throw new Problem('service_unavailable', { retryAfterSeconds: 2 })",
    becomes: ['{}'],
    because: 'Two seconds are the default of `service_unavailable`.',
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: ".join(' ')",
    becomes: ['""'],
    because: 'All thumbprints have the same length.',
  },
  {
    file: 'api/issuance/credential/notification.ts',
    line: "if (issuanceId === undefined || issuance?.sessionId !== holder.sessionId) throw new Problem('invalid_notification_id')",
    becomes: ['false'],
    because: 'Without an id there is no issuance.',
  },
  {
    file: 'api/issuance/credential/response-encryption.ts',
    line: '} catch (error) {',
    because: 'The parser throws only a `FormatError`.',
  },
  {
    file: 'api/issuance/credential/response-encryption.ts',
    line: 'if (!(error instanceof FormatError)) throw error',
    becomes: ['false'],
    because: 'The parser throws only a `FormatError`.',
  },
  {
    file: 'api/issuance/credential/write-request.ts',
    line: '{ isFlushedLater: true },',
    because: 'The group runs on SQLite, which has no such setting.',
  },
  {
    file: 'api/issuance/credential/write-request.ts',
    line: 'const isSame = before.length === new Set(hashes).size && before.every((use) => use.requestHash === requestHash)',
    becomes: ['true', 'before.some(use => use.requestHash === requestHash)'],
    because: 'The hash of a request stands for all of its uses, which are stored together.',
  },
]
