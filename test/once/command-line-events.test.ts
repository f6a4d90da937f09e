import { afterAll, expect, test } from 'vitest'
import { type Event, sentenceOfEvent } from '../../api/cli/trustwright/events/event-sentence.ts'
import { runProviderFor, settingsFor, signedIn } from '../api/console/provider-people.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, joinService } from '../harness/harness.ts'
import { newTerminal } from '../harness/terminal.ts'

const service = await joinService()
const { baseUrl, clientId, clientSecret, operator } = service
const provider = await runProviderFor(baseUrl)
const line = newTerminal({ default: { baseUrl, clientId, clientSecret } })
afterAll(async () => {
  line.end()
  await provider[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

test('events are sentences with the names of the person, the client and the configuration, one for each request', async () => {
  expect(await operator.put('/v1/sign-in-provider', settingsFor(provider))).toMatchObject({ status: 200 })
  const session = await signedIn(service, 'tess')
  const configurationId = await compactConfiguration(service, { display: [{ name: 'Student card' }] })
  const body = { filter: { configurationId }, isRevoked: true }
  const changed = await service.anonymous.post('/v2/credentials/revocation-status', body, session)
  expect(changed).toMatchObject({ status: 202 })
  const user = await operator.post('/v1/users', { claims: {} })
  const { name } = (await operator.get(`/v1/tenants/${service.id}/clients/${clientId}`)).body
  const lines = await eventually(async () => {
    const { stdout } = await line.run(['events', 'tail', '--once'])
    return stdout.includes('USER_CREATE') && stdout.split('\n')
  })
  const sentences = lines.map((each) => each.replace(/^20\S+Z {2}/, ''))
  expect(sentences).toContain(
    'Tess revoked 0 credentials of Student card  (CREDENTIAL_REVOCATION_STATUS_BULK_SET_AUDIT)',
  )
  expect(sentences).toContain(`${name} created a user: ${user.body.id}  (USER_CREATE_SUCCESS)`)
  expect(sentences.filter((each) => /_START\)|BULK_SET_SUCCESS/.test(each))).toEqual([])
})

const sentenceOf = (type: string, data: Event['data'] = {}, caller?: string) => {
  const id = '0190c0de-0000-7000-8000-000000000000'
  const event = { id, type, category: 'TEST', timestamp: '2026-03-01T00:00:00Z', requestId: id, tenantId: id }
  return sentenceOfEvent({ ...event, metadata: {}, data }, { caller, configuration: 'Student card' })
}

test.each([
  [
    'CREDENTIAL_REVOCATION_STATUS_BULK_SET_AUDIT',
    { isRevoked: true, accepted: 3 },
    'revoked 3 credentials of Student card',
  ],
  [
    'CREDENTIAL_REVOCATION_STATUS_BULK_SET_AUDIT',
    { isRevoked: false, accepted: 1 },
    'undid the revocation of 1 credential of Student card',
  ],
  ['OPENID_OFFER_CREATE_FAIL', { error: { message: 'Required' } }, 'could not create an offer. Required'],
  ['MOBILE_CREDENTIAL_IACA_RETRIEVE_LIST_SUCCESS', {}, 'listed objects such as a mobile credential IACA'],
  ['WEBHOOK_DELETE_START', { id: 'a' }, 'asked to delete a webhook: a'],
  ['SOMETHING_ODD_SUCCESS', {}, 'called a something odd'],
  ['CONSOLE_SESSION_DELETE_SUCCESS', {}, 'ended a console session'],
  ['BULK_ISSUANCE_START_SUCCESS', {}, 'started a bulk issuance'],
  ['CONFIGURATION_APPLY_AUDIT', {}, 'applied configuration files'],
  ['CONSOLE_SIGN_IN_SUCCESS', {}, 'signed in to the console'],
])('the event %s with %j is the sentence %s', (type, data, sentence) => {
  expect(sentenceOf(type, data, 'Anna Rossi')).toBe(`Anna Rossi ${sentence}`)
})

test('an event without a caller has the subject of its operation', () => {
  expect(sentenceOf('OPENID_TOKEN_FAIL')).toBe('A wallet could not exchange a code for a token')
  expect(sentenceOf('USER_CREATE_FAIL')).toBe('An anonymous request could not create a user')
})
