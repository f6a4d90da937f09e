/**
 * Source files that implement one safeguard, and the tests that exercise them. Each mutant runs only tests of its
 * group.
 */
export interface Group {
  name: string
  /** Paths or globs of the mutated files. */
  files: string[]
  tests: string[]
  /** SQLite by default. PostgreSQL for locks, because SQLite has none. */
  database?: 'postgres'
  /**
   * Each mutant runs all tests of the group, not only those that cover its line. Needed where code caches results, such
   * as prepared queries.
   */
  everyTest?: true
  /** Seconds that one source line takes on one idle core. Decides how much of the group fits into a time budget. */
  secondsPerLine: number
}

export const groups: readonly Group[] = [
  {
    name: 'outbound',
    files: ['shared/outbound/*.ts'],
    tests: [
      'test/shared/outbound.test.ts',
      'test/shared/outbound-codings.test.ts',
      'test/shared/outbound-rules.test.ts',
    ],
    secondsPerLine: 1,
  },
  {
    name: 'hold',
    files: ['db/hold.ts', 'db/find-row.ts'],
    tests: ['test/db/hold.test.ts', 'test/db/find-row.test.ts'],
    database: 'postgres',
    everyTest: true,
    secondsPerLine: 2,
  },
  {
    name: 'statements',
    files: ['db/engine/sqlite-statements.ts'],
    tests: ['test/db/sqlite-statements.test.ts'],
    secondsPerLine: 1,
  },
  {
    name: 'outbox',
    files: ['db/outbox.ts'],
    tests: ['test/db/outbox.test.ts'],
    everyTest: true,
    secondsPerLine: 4,
  },
  {
    name: 'key-wrapping',
    files: [
      ...[
        'workers/signing/keys/keyring.ts',
        'workers/signing/keys/wrapping.ts',
        'workers/signing/keys/software-keys.ts',
      ],
      ...['shared/secrets/secrets.ts', 'shared/secrets/sealing.ts'],
    ],
    tests: ['test/workers/keyring.test.ts', 'test/shared/secrets.test.ts', 'test/shared/sealing.test.ts'],
    secondsPerLine: 1,
  },
  {
    name: 'rewrapping',
    files: ['workers/signing/keys/rewrap-keys.ts'],
    tests: ['test/workers/rewrap-keys.test.ts'],
    secondsPerLine: 3,
  },
  {
    name: 'access-addresses',
    files: ['api/access/client-address.ts'],
    tests: ['test/api/client-addresses.test.ts'],
    everyTest: true,
    secondsPerLine: 2,
  },
  {
    name: 'access-management',
    files: ['api/access/management.ts'],
    tests: ['test/api/access/management.test.ts', 'test/api/tenancy/management-token.test.ts'],
    secondsPerLine: 2,
  },
  {
    name: 'access-console',
    files: ['api/access/console/*.ts'],
    tests: [
      'test/api/access/console-session.test.ts',
      'test/api/console/sessions.test.ts',
      'test/api/console/provider-sign-in.test.ts',
    ],
    secondsPerLine: 3,
  },
  {
    name: 'access-limits',
    files: ['api/access/limits.ts'],
    tests: ['test/api/access/limits.test.ts'],
    secondsPerLine: 1,
  },
  {
    name: 'access-quotas',
    files: ['api/access/enforce-quota.ts'],
    tests: ['test/api/tenancy/quotas.test.ts'],
    secondsPerLine: 3,
  },
  {
    name: 'access-wallets',
    files: ['api/access/{authenticate,holder}.ts'],
    tests: ['test/api/access/holder.test.ts', 'test/api/access/authenticate.test.ts'],
    secondsPerLine: 2,
  },
  {
    name: 'proofs',
    files: ['api/proofs/*.ts', 'api/issuance/proofs/{client-attestation,jwt-proof}.ts'],
    tests: [
      'test/api/issuance/proof-limits.test.ts',
      'test/api/issuance/proof-signatures.test.ts',
      'test/shared/secrets.test.ts',
    ],
    secondsPerLine: 1,
  },
  {
    name: 'proof-requests',
    files: ['api/issuance/proofs/{check-proofs,key-attestation,single-use}.ts'],
    tests: ['test/api/issuance/key-attestations.test.ts', 'test/api/issuance/proof-requests.test.ts'],
    secondsPerLine: 1,
  },
  {
    name: 'token-grants',
    files: [
      'api/issuance/token/grants/*.ts',
      'api/issuance/token/{access-token,authorization-details,refresh-token}.ts',
    ],
    tests: [
      'test/api/issuance/token-pre-authorized.test.ts',
      'test/api/issuance/token-authorization.test.ts',
      'test/api/issuance/token-repeats.test.ts',
    ],
    secondsPerLine: 2,
  },
  {
    name: 'credential',
    files: [
      'api/issuance/credential/{issue,deferred,handles,notification,earlier-request,unsigned,response-encryption}.ts',
    ],
    tests: [
      'test/api/issuance/credential-requests.test.ts',
      'test/api/issuance/repeated-credential-requests.test.ts',
      'test/api/issuance/collected-credentials.test.ts',
      'test/api/issuance/response-encryption.test.ts',
    ],
    secondsPerLine: 2,
  },
  {
    name: 'sd-jwt',
    files: [
      'shared/formats/sd-jwt/{check-claims,check-key-binding,decode-sd-jwt,encode-claims}.ts',
      'shared/formats/sd-jwt/{read-jwt,rebuild-claims,registered-claims}.ts',
    ],
    tests: [
      'test/shared/formats/sd-jwt/check-claims.test.ts',
      'test/shared/formats/sd-jwt/check-key-binding.test.ts',
      'test/shared/formats/sd-jwt/decode-sd-jwt.test.ts',
      'test/shared/formats/sd-jwt/encode-claims.test.ts',
    ],
    secondsPerLine: 1,
  },
  {
    name: 'status',
    files: ['db/repos/status/{lists,entries}.ts'],
    tests: ['test/db/statuses.test.ts'],
    everyTest: true,
    secondsPerLine: 1,
  },
  {
    name: 'retention',
    files: ['db/retention/{purge-aged,removal}.ts'],
    tests: ['test/db/retention.test.ts'],
    everyTest: true,
    secondsPerLine: 1,
  },
]
