import { expect, test } from 'vitest'
import { z } from 'zod'
import { compiledOf, compileSchemas } from '../../../api/http/compiled-schemas.ts'
import { responsesOf } from '../../../api/http/representations/representations.ts'
import type { Route } from '../../../api/http/route.ts'
import { validationMessage } from '../../../api/http/validation-messages.ts'
import { routes } from '../../../api/routes.ts'
import { seededRandom } from '../../harness/seeded-random.ts'

const compiled = routes.filter((route) => route.compiled)
compiled.forEach(compileSchemas)

const uuid = '0195f1d0-1111-7abc-8def-0123456789ab'
const preAuthorized = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

/** Values that a schema of the operation accepts. */
const accepted: Record<string, object[]> = {
  createPreAuthorizedOffer: [
    { credentials: [uuid], claims: { given_name: 'Ada', level: 2 } },
    { credentials: [uuid, uuid], by: 'reference', userId: uuid, label: ' KD-20417 ', claimsToPersist: ['level'] },
    { credentials: [uuid], transactionCodeConfiguration: {}, expiresIn: { minutes: 1, seconds: 30 } },
    { credentials: [uuid], transactionCodeConfiguration: { inputMode: 'numeric', description: 'By letter' } },
    { id: uuid, userId: uuid, uri: 'openid-credential-offer://', page: 'https://a.example/o/1', expiresAt: 1 },
    { id: uuid, userId: uuid, uri: 'a', page: 'b', expiresAt: 1, warnings: [{ code: 'no_signer', message: 'c' }] },
  ],
  createAccessToken: [
    { grant_type: preAuthorized, 'pre-authorized_code': 'kq3fWk2mC8u0oYJx', tx_code: '' },
    { grant_type: 'authorization_code', code: 'a', client_id: 'b', redirect_uri: 'c', code_verifier: 'd' },
    { grant_type: 'refresh_token', refresh_token: 'a', authorization_details: '[]' },
    { access_token: 'a', token_type: 'DPoP', expires_in: 300, scope: 'b', refresh_token: 'c', c_nonce: 'd' },
    {
      ...{ access_token: 'a', token_type: 'Bearer', expires_in: 300, scope: 'b', c_nonce_expires_in: 1 },
      authorization_details: [
        { type: 'openid_credential', credential_configuration_id: uuid, credential_identifiers: [uuid] },
      ],
    },
  ],
  createNonce: [{ c_nonce: 'a' }],
  issueCredential: [
    { credential_configuration_id: uuid, proofs: { jwt: ['a'] } },
    { credential_identifier: 'a', credential_response_encryption: { jwk: { kty: 'EC' } } },
    { format: 'jwt_vc_json', credential_definition: { type: ['A'] }, types: ['A'], proof: { proof_type: 'jwt' } },
    { credentials: [{ credential: 'a' }, { credential: { id: 'b' } }], notification_id: 'c' },
    { credentials: [{ credential: 'a' }], credential: 'a', c_nonce: 'b', c_nonce_expires_in: 1 },
    { transaction_id: 'a', interval: 5 },
  ],
}

const others: unknown[] = [
  ...[
    undefined,
    null,
    true,
    0,
    -1,
    1.5,
    600,
    601,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    ' ',
    'a',
    'é',
    'reference',
  ],
  ...[
    'x'.repeat(101),
    'x'.repeat(5000),
    uuid,
    uuid.toUpperCase(),
    'numeric',
    'Bearer',
    'no_signer',
    'openid_credential',
  ],
  ...[[], [uuid], [uuid, 1], Array(101).fill(uuid), {}, { a: 1 }, { minutes: 10 }, { minutes: 11, seconds: -1 }],
  ...[
    { message: 'a' },
    [{ message: 1 }],
    JSON.parse('{"__proto__":1}'),
    Object.assign(Object.create(null), { a: 'b' }),
  ],
]

test('a compiled schema returns the data and the messages of zod for 10,000 values', () => {
  const random = seededRandom()
  const results = { accepted: 0, refused: 0 }
  for (const route of compiled) {
    const schemas = schemasOf(route)
    const values = accepted[route.operation] ?? []
    for (let round = 0; round < 10_000 / compiled.length / schemas.length; round++) {
      const value = asParsed(changed(pick(values, random), random), random)
      for (const schema of schemas) {
        const expected = schema.safeParse(value, { error: validationMessage })
        const actual = compiledOf(schema).safeParse(value, { error: validationMessage })
        results[expected.success ? 'accepted' : 'refused']++
        expect(outcomeOf(actual), `${route.operation}: ${JSON.stringify(value)}`).toEqual(outcomeOf(expected))
      }
    }
  }
  expect(results.accepted).toBeGreaterThan(1_000)
  expect(results.refused).toBeGreaterThan(1_000)
})

test('each schema of the operations of an issuance is compiled', () => {
  expect(compiled.map(({ operation }) => operation).sort()).toEqual(Object.keys(accepted).sort())
  for (const schema of compiled.flatMap(schemasOf)) {
    expect(() => z.compile(schema, { strict: true })).not.toThrow()
    expect(compiledOf(schema)).not.toBe(schema)
  }
})

function schemasOf(route: Route): z.ZodType[] {
  const { params, query, body } = route
  return [params, query, body, ...responsesOf(route)].filter((schema) => schema !== undefined)
}

/** Returns the data with the order of its members, or the issues. */
function outcomeOf({ success, data, error }: z.ZodSafeParseResult<unknown>) {
  return { success, data, members: success && JSON.stringify(data), issues: error?.issues }
}

/** Returns half of the objects without a prototype, as forms and queries are parsed. */
function asParsed(value: unknown, random: () => number): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || random() < 0.5) return value
  return Object.assign(Object.create(null), value)
}

/** Changes, adds or removes up to three members at any level. */
function changed(value: unknown, random: () => number): unknown {
  let result = structuredClone(value)
  for (let changes = Math.floor(random() * 4); changes > 0; changes--) result = changedOnce(result, random)
  return result
}

function changedOnce(value: unknown, random: () => number): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.05) return other(random)
  const names = Object.keys(value)
  const name = random() < 0.1 || names.length === 0 ? 'unknown' : pick(names, random)
  if (random() < 0.2) Reflect.deleteProperty(value, name)
  else Reflect.set(value, name, random() < 0.4 ? changedOnce(Reflect.get(value, name), random) : other(random))
  return value
}

function other(random: () => number): unknown {
  return structuredClone(pick(others, random))
}

function pick<Value>(values: readonly Value[], random: () => number): Value {
  return values[Math.floor(random() * values.length)] as Value
}
