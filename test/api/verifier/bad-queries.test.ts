import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinService, type SharedService } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const mdl = { id: 'mdl', format: 'mso_mdoc', meta: { doctype_value: 'org.iso.18013.5.1.mDL' } }
const pid = { id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }
const name = { id: 'name', path: ['given_name'] }

const evaluate = (body: object) =>
  service.operator.post('/v2/presentations/queries/evaluate', { credentials: {}, ...body })

const withQuery = (query: object) => ({ dcqlQuery: { credentials: [query] } })
const withClaim = (claim: object) => withQuery({ ...pid, claims: [claim] })
const withAuthority = (authority: object) => withQuery({ ...pid, trusted_authorities: [authority] })
const withSets = (...sets: object[]) => ({ dcqlQuery: { credentials: [mdl, pid], credential_sets: sets } })
const claimsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ path: [`c${index}`] }))

test('queries at the limits are accepted', async () => {
  const full = {
    ...pid,
    multiple: true,
    require_cryptographic_holder_binding: false,
    trusted_authorities: [
      { type: 'aki', values: ['s9tIpPmhxdiuNkHMEWNpYim8S8Y'] },
      { type: 'etsi_tl', values: ['https://lotl.example.com'] },
      { type: 'openid_federation', values: ['https://anchor.example.com'] },
    ],
    claims: [
      { id: 'a', path: Array.from({ length: 16 }, () => 'x'), values: ['DE', 7, true] },
      { id: 'b', path: ['degrees', null, 'type'] },
      { id: 'c', path: ['nationalities', 0] },
    ],
    claim_sets: [['a', 'b'], ['c']],
  }
  const queries = [
    { credentials: [full, { ...mdl, claims: [{ path: ['n', 'e'], intent_to_retain: true }] }] },
    { credentials: [{ ...pid, claims: claimsOf(100) }] },
    { credentials: Array.from({ length: 20 }, (_, index) => ({ ...mdl, id: `q${index}` })) },
    { credentials: [{ id: 'w', format: 'ldp_vc', meta: { type_values: [['https://example.org/A']] } }] },
    { credentials: [mdl, pid], credential_sets: [{ options: [['mdl'], ['pid']], required: false }] },
  ]
  for (const dcqlQuery of queries) {
    expect(await evaluate({ dcqlQuery })).toMatchObject({ status: 200, body: { dcqlQuery } })
  }
})

test('unknown members are ignored, as the standard requires, and reported', async () => {
  const answer = await evaluate(withQuery({ ...pid, claim_set: [['name']] }))
  expect(answer).toMatchObject({ status: 200, body: { dcqlQuery: { credentials: [pid] } } })
  expect(answer.headers['x-ignored-fields']).toBe('dcqlQuery.credentials.0.claim_set')
})

const q = 'dcqlQuery.credentials.0'

test.each<[string, object, string, string]>([
  ['neither form', {}, 'dcqlQuery', 'Required, or credentialQuery'],
  ['no credentials', { dcqlQuery: {} }, 'dcqlQuery.credentials', 'Required'],
  ['an empty list', { dcqlQuery: { credentials: [] } }, 'dcqlQuery.credentials', 'Must not be empty'],
  [
    '21 credentials',
    { dcqlQuery: { credentials: Array.from({ length: 21 }, (_, index) => ({ ...mdl, id: `q${index}` })) } },
    'dcqlQuery.credentials',
    'Must have at most 20 items',
  ],
  ['no id', withQuery({ ...pid, id: undefined }), `${q}.id`, 'Required'],
  ['an id with a space', withQuery({ ...pid, id: 'a b' }), `${q}.id`, 'Must have letters, digits, _ and - only'],
  ['an empty id', withQuery({ ...pid, id: '' }), `${q}.id`, 'Must have letters, digits, _ and - only'],
  [
    'a repeated id',
    { dcqlQuery: { credentials: [pid, { ...mdl, id: 'pid' }] } },
    'dcqlQuery.credentials.1.id',
    'Must not repeat the id pid',
  ],
  [
    'another format',
    withQuery({ ...pid, format: 'vc+sd-jwt' }),
    `${q}.format`,
    'Must be one of mso_mdoc, dc+sd-jwt, ldp_vc, jwt_vc_json',
  ],
  ['no meta', withQuery({ ...pid, meta: undefined }), `${q}.meta`, 'Required'],
  ['the meta of another format', withQuery({ ...mdl, meta: pid.meta }), `${q}.meta.doctype_value`, 'Required'],
  ['no vct', withQuery({ ...pid, meta: { vct_values: [] } }), `${q}.meta.vct_values`, 'Must not be empty'],
  [
    'types that are no lists',
    withQuery({ id: 'w', format: 'ldp_vc', meta: { type_values: ['A'] } }),
    `${q}.meta.type_values.0`,
    'Must be an array',
  ],
  ['multiple as a text', withQuery({ ...pid, multiple: 'true' }), `${q}.multiple`, 'Must be true or false'],
  [
    'binding as a number',
    withQuery({ ...pid, require_cryptographic_holder_binding: 1 }),
    `${q}.require_cryptographic_holder_binding`,
    'Must be true or false',
  ],
  ['an empty list of claims', withQuery({ ...pid, claims: [] }), `${q}.claims`, 'Must not be empty'],
  ['101 claims', withQuery({ ...pid, claims: claimsOf(101) }), `${q}.claims`, 'Must have at most 100 items'],
  ['no path', withClaim({}), `${q}.claims.0.path`, 'Required'],
  ['an empty path', withClaim({ path: [] }), `${q}.claims.0.path`, 'Must not be empty'],
  ['a deep path', withClaim({ path: claimsOf(17).map(() => 'x') }), `${q}.claims.0.path`, 'Must have at most 16 items'],
  ['a negative index', withClaim({ path: ['a', -1] }), `${q}.claims.0.path.1`, 'Must be at least 0'],
  [
    'a path of a boolean',
    withClaim({ path: [true] }),
    `${q}.claims.0.path.0`,
    'Must be a string, or a number, or null',
  ],
  [
    'an mdoc path of one element',
    withQuery({ ...mdl, claims: [{ path: ['n'] }] }),
    `${q}.claims.0.path`,
    'Must have a namespace and an element',
  ],
  [
    'an mdoc path of three elements',
    withQuery({ ...mdl, claims: [{ path: ['n', 'e', 'f'] }] }),
    `${q}.claims.0.path`,
    'Must have a namespace and an element',
  ],
  [
    'an mdoc path with null',
    withQuery({ ...mdl, claims: [{ path: ['n', null] }] }),
    `${q}.claims.0.path.1`,
    'Must be a string',
  ],
  ['no values', withClaim({ path: ['a'], values: [] }), `${q}.claims.0.values`, 'Must not be empty'],
  [
    'a fraction as a value',
    withClaim({ path: ['a'], values: [1.5] }),
    `${q}.claims.0.values.0`,
    'Must be a string, or a whole number, or true or false',
  ],
  [
    'an object as a value',
    withClaim({ path: ['a'], values: [{}] }),
    `${q}.claims.0.values.0`,
    'Must be a string, or a number, or true or false',
  ],
  [
    'a repeated claim id',
    withQuery({ ...pid, claims: [name, { ...name, path: ['other'] }] }),
    `${q}.claims.1.id`,
    'Must not repeat the id name',
  ],
  [
    'a repeated path',
    withQuery({ ...pid, claims: [name, { id: 'again', path: ['given_name'], values: ['Ada'] }] }),
    `${q}.claims.1.path`,
    'Must not repeat the path given_name',
  ],
  [
    'claim sets without claims',
    withQuery({ ...pid, claim_sets: [['a']] }),
    `${q}.claim_sets`,
    'Must be absent without claims',
  ],
  [
    'claim sets and a claim without id',
    withQuery({ ...pid, claims: [name, { path: ['b'] }], claim_sets: [['name']] }),
    `${q}.claims.1.id`,
    'Required, because the query has claim_sets',
  ],
  [
    'a claim set with an unknown id',
    withQuery({ ...pid, claims: [name], claim_sets: [['name'], ['other']] }),
    `${q}.claim_sets.1.0`,
    'Must be an id in claims',
  ],
  [
    'a claim set that repeats an id',
    withQuery({ ...pid, claims: [name], claim_sets: [['name', 'name']] }),
    `${q}.claim_sets.0.1`,
    'Must not repeat the id name',
  ],
  [
    'an empty claim set',
    withQuery({ ...pid, claims: [name], claim_sets: [[]] }),
    `${q}.claim_sets.0`,
    'Must not be empty',
  ],
  [
    'another kind of authority',
    withAuthority({ type: 'x509', values: ['a'] }),
    `${q}.trusted_authorities.0.type`,
    'Must be one of aki, etsi_tl, openid_federation',
  ],
  [
    'a key identifier in base64',
    withAuthority({ type: 'aki', values: ['s9t+pPmh/A=='] }),
    `${q}.trusted_authorities.0.values.0`,
    'Must be a key identifier in base64url, without padding',
  ],
  [
    'an authority without values',
    withAuthority({ type: 'etsi_tl', values: [] }),
    `${q}.trusted_authorities.0.values`,
    'Must not be empty',
  ],
  ['no credential sets', withSets(), 'dcqlQuery.credential_sets', 'Must not be empty'],
  ['a set without options', withSets({}), 'dcqlQuery.credential_sets.0.options', 'Required'],
  [
    'an option without ids',
    withSets({ options: [['mdl'], []] }),
    'dcqlQuery.credential_sets.0.options.1',
    'Must not be empty',
  ],
  [
    'an option with an unknown id',
    withSets({ options: [['mdl', 'other']] }),
    'dcqlQuery.credential_sets.0.options.0.1',
    'Must be an id in credentials',
  ],
  [
    'required as a text',
    withSets({ options: [['mdl']], required: 'no' }),
    'dcqlQuery.credential_sets.0.required',
    'Must be true or false',
  ],
  [
    'both forms',
    { ...withQuery(mdl), credentialQuery: [{ docType: 'a', nameSpaces: { n: { e: {} } } }] },
    'credentialQuery',
    'Must be absent, because the body has dcqlQuery',
  ],
  [
    'a mobile query without docType',
    { credentialQuery: [{ nameSpaces: { n: { e: {} } } }] },
    'credentialQuery.0.docType',
    'Required',
  ],
  [
    'a mobile query without namespaces',
    { credentialQuery: [{ docType: 'a', nameSpaces: {} }] },
    'credentialQuery.0.nameSpaces',
    'Must not be empty',
  ],
  [
    'a mobile query of another profile',
    { credentialQuery: [{ profile: 'compact', docType: 'a', nameSpaces: { n: { e: {} } } }] },
    'credentialQuery.0.profile',
    'Must be mobile',
  ],
])('a query with %s is refused with the name of the field', async (_what, body, param, msg) => {
  const { status, body: problem } = await evaluate(body)
  expect([status, problem.details?.map(({ value: _, ...detail }: { value?: unknown }) => detail)]).toEqual([
    400,
    [{ msg, param, location: 'body' }],
  ])
})
