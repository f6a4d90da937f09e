import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinService, type SharedService } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const evaluate = async (dcqlQuery: object, credentials: object) => {
  const { status, body } = await service.operator.post('/v2/presentations/queries/evaluate', { dcqlQuery, credentials })
  expect(status).toBe(200)
  return body
}

const namespace = 'org.iso.18013.5.1'
const mdl = {
  id: 'mdl',
  format: 'mso_mdoc',
  meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
  claims: [{ path: [namespace, 'age_over_18'] }],
}
const licence = {
  format: 'mso_mdoc',
  docType: 'org.iso.18013.5.1.mDL',
  nameSpaces: { [namespace]: { age_over_18: true } },
}
const pid = {
  id: 'pid',
  format: 'dc+sd-jwt',
  meta: { vct_values: ['urn:eudi:pid:1'] },
  claims: [
    { id: 'age', path: ['age_equal_or_over', '18'], values: [true] },
    { id: 'birth', path: ['birthdate'] },
    { id: 'country', path: ['nationalities', null] },
  ],
  claim_sets: [['age'], ['birth', 'country']],
}
const presentedPid = (claims: object, disclosed: unknown[][]) => ({
  format: 'dc+sd-jwt',
  types: ['urn:eudi:pid:de:1', 'urn:eudi:pid:1'],
  claims,
  disclosed,
})
const adult = presentedPid({ age_equal_or_over: { '18': true } }, [['age_equal_or_over'], ['age_equal_or_over', '18']])

test('an answer with exactly the requested claims satisfies the query', async () => {
  expect(await evaluate({ credentials: [mdl, pid] }, { mdl: [licence], pid: [adult] })).toMatchObject({
    isSatisfied: true,
    credentials: [
      { id: 'mdl', isSatisfied: true, presented: [{ failures: [], claims: ['presented'], unrequested: [] }] },
      {
        id: 'pid',
        isSatisfied: true,
        presented: [{ failures: [], claims: ['presented', 'missing', 'missing'], claimSet: 0, unrequested: [] }],
      },
    ],
    unknownIds: [],
  })
})

test('the claim set that the wallet disclosed is met, also if it is not the preferred one', async () => {
  const claims = { age_equal_or_over: { '18': true }, birthdate: '2000-01-01', nationalities: ['DE', 'FR'] }
  const second = presentedPid(claims, [['birthdate'], ['nationalities', 0], ['nationalities', 1]])
  // The age is visible without a disclosure, so the first set is met too.
  expect(await evaluate({ credentials: [pid] }, { pid: [second] })).toMatchObject({
    isSatisfied: true,
    credentials: [{ presented: [{ claimSet: 1, claims: ['presented', 'presented', 'presented'] }] }],
  })
})

test('claims of two claim sets at once are more than the query requests', async () => {
  const both = presentedPid({ age_equal_or_over: { '18': true }, birthdate: '2000-01-01' }, [
    ['age_equal_or_over', '18'],
    ['birthdate'],
  ])
  expect(await evaluate({ credentials: [pid] }, { pid: [both] })).toMatchObject({
    isSatisfied: false,
    credentials: [
      {
        isSatisfied: false,
        presented: [{ claimSet: 0, failures: ['ClaimNotRequested'], unrequested: [['birthdate']] }],
      },
    ],
  })
})

test('another query can request more claims from the same credential', async () => {
  const birth = { ...pid, id: 'birth', claims: [{ path: ['birthdate'] }], claim_sets: undefined }
  const claims = { age_equal_or_over: { '18': true }, birthdate: '2000-01-01' }
  const disclosed = [['age_equal_or_over', '18'], ['birthdate']]
  const same = { ...presentedPid(claims, disclosed), issuedId: 'one' }
  const query = { credentials: [pid, birth] }
  expect(await evaluate(query, { pid: [same], birth: [same] })).toMatchObject({ isSatisfied: true })
  const other = { ...same, issuedId: 'two' }
  expect(await evaluate(query, { pid: [same], birth: [other] })).toMatchObject({
    isSatisfied: false,
    credentials: [
      { presented: [{ unrequested: [['birthdate']] }] },
      { presented: [{ unrequested: [['age_equal_or_over', '18']] }] },
    ],
  })
})

const w3c = { id: 'w', format: 'ldp_vc', meta: { type_values: [['A', 'B'], ['C']] } }
const presentedW3c = (...types: string[]) => ({ format: 'ldp_vc', types, claims: {} })
const aki = { type: 'aki', values: ['s9tIpPmhxdiuNkHMEWNpYim8S8Y'] }
const list = { type: 'etsi_tl', values: ['https://lotl.example.com'] }

test.each<[string, object, object, object]>([
  ['another format', mdl, adult, { failures: ['WrongFormat', 'ClaimMissing', 'ClaimNotRequested'] }],
  ['another docType', mdl, { ...licence, docType: 'org.iso.23220.photoid.1' }, { failures: ['WrongType'] }],
  ['another vct', pid, { ...adult, types: ['urn:eudi:pid:de:1'] }, { failures: ['WrongType'] }],
  ['some of the types', w3c, presentedW3c('A', 'D'), { failures: ['WrongType'] }],
  ['all types of one list', w3c, presentedW3c('D', 'B', 'A'), { failures: [] }],
  ['no holder binding', mdl, { ...licence, isHolderBound: false }, { failures: ['HolderBindingMissing'] }],
  [
    'no holder binding, which is not required',
    { ...mdl, require_cryptographic_holder_binding: false },
    { ...licence, isHolderBound: false },
    { failures: [] },
  ],
  [
    'another value',
    { ...mdl, claims: [{ path: [namespace, 'age_over_18'], values: [1, 'true'] }] },
    licence,
    { failures: ['ClaimMissing'], claims: ['otherValue'] },
  ],
  [
    'no requested claim',
    { ...mdl, claims: [{ path: [namespace, 'age_over_21'] }] },
    licence,
    { failures: ['ClaimMissing', 'ClaimNotRequested'], unrequested: [[namespace, 'age_over_18']] },
  ],
  [
    'a claim, although the query has none',
    { ...mdl, claims: undefined },
    licence,
    { failures: ['ClaimNotRequested'], unrequested: [[namespace, 'age_over_18']] },
  ],
  [
    'another authority',
    { ...mdl, trusted_authorities: [aki] },
    { ...licence, authorities: { aki: ['AAAA'] } },
    { failures: ['AuthorityNotMet'], authority: 'notMet' },
  ],
  [
    'one of the authorities',
    { ...mdl, trusted_authorities: [list, aki] },
    { ...licence, authorities: { aki: ['AAAA', ...aki.values] } },
    { failures: [], authority: 'met' },
  ],
  [
    'an authority that cannot be determined',
    { ...mdl, trusted_authorities: [list, aki] },
    { ...licence, authorities: { aki: ['AAAA'] } },
    { failures: [], authority: 'unknown' },
  ],
])('a credential with %s is reported', async (_what, query, credential, expected) => {
  const { id, failures = [] } = { ...query, ...expected } as { id: string; failures?: string[] }
  expect(await evaluate({ credentials: [query] }, { [id]: [credential] })).toMatchObject({
    isSatisfied: failures.length === 0,
    credentials: [{ presented: [expected] }],
  })
})

test('the number of credentials, missing ones and unknown ids are reported', async () => {
  expect(await evaluate({ credentials: [mdl] }, { mdl: [licence, licence] })).toMatchObject({
    isSatisfied: false,
    credentials: [{ isTooMany: true, isSatisfied: false }],
  })
  expect(await evaluate({ credentials: [{ ...mdl, multiple: true }] }, { mdl: [licence, licence] })).toMatchObject({
    isSatisfied: true,
    credentials: [{ isTooMany: false }],
  })
  expect(await evaluate({ credentials: [mdl] }, { mdl: [licence], other: [licence] })).toMatchObject({
    isSatisfied: false,
    unknownIds: ['other'],
  })
  expect(await evaluate({ credentials: [mdl, pid] }, { mdl: [licence] })).toMatchObject({
    isSatisfied: false,
    credentials: [{ isSatisfied: true }, { isSatisfied: false, presented: [] }],
  })
})

test('required credential sets must be met, and optional ones can be left out', async () => {
  const sets = [{ options: [['pid', 'w'], ['mdl']] }, { options: [['w']], required: false }]
  const query = { credentials: [mdl, pid, w3c], credential_sets: sets }
  expect(await evaluate(query, { mdl: [licence] })).toMatchObject({
    isSatisfied: true,
    credentialSets: [{ isRequired: true, option: 1 }, { isRequired: false }],
  })
  const one = await evaluate(query, { pid: [adult] })
  expect(one).toMatchObject({ isSatisfied: false, credentialSets: [{ isRequired: true }, { isRequired: false }] })
  expect(one.credentialSets[0]).not.toHaveProperty('option')
  // A credential that does not fit makes the answer unsatisfied, although the query does not need it.
  expect(await evaluate(query, { mdl: [licence], w: [presentedW3c('D')] })).toMatchObject({ isSatisfied: false })
})

test('queries for mobile credentials in the form of the reference platform are translated', async () => {
  const credentialQuery = [
    {
      profile: 'mobile',
      docType: licence.docType,
      nameSpaces: { [namespace]: { age_over_18: { intentToRetain: true }, portrait: {} }, 'org.example': { card: {} } },
    },
    { docType: 'org.iso.23220.photoid.1', nameSpaces: { 'org.iso.23220.1': { sex: { intentToRetain: false } } } },
  ]
  const answer = await service.operator.post('/v2/presentations/queries/evaluate', { credentialQuery, credentials: {} })
  expect(answer).toMatchObject({
    status: 200,
    body: {
      isSatisfied: false,
      dcqlQuery: {
        credentials: [
          {
            id: 'mobile-0',
            format: 'mso_mdoc',
            meta: { doctype_value: licence.docType },
            claims: [
              { path: [namespace, 'age_over_18'], intent_to_retain: true },
              { path: [namespace, 'portrait'] },
              { path: ['org.example', 'card'] },
            ],
          },
          {
            id: 'mobile-1',
            format: 'mso_mdoc',
            meta: { doctype_value: 'org.iso.23220.photoid.1' },
            claims: [{ path: ['org.iso.23220.1', 'sex'], intent_to_retain: false }],
          },
        ],
      },
    },
  })
})
