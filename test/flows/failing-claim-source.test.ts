import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService } from '../harness/harness.ts'
import { type ReceiverAnswer, startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v1/claim-sources'
const mapped = (name: string) => ({ [name]: { mapFrom: `claims.${name}` } })

/** A configuration with optional claims of a source, and the default value of one of them. */
async function configurationWith(url: string, source: object = {}): Promise<string> {
  const authorization = { type: 'api-key', value: 'key-of-the-register' }
  const { body } = await service.operator.post(path, { name: 'Register', url, authorization, ...source })
  const claimMappings = { ...mapped('given_name'), grade: { mapFrom: 'claims.grade', defaultValue: 'none' } }
  return webConfiguration(service, { claimMappings, claimSourceId: body.id })
}

async function collect(configurationId: string, offer: Record<string, unknown> = {}) {
  const { uri, id } = await newOffer(service, [configurationId], offer)
  const wallet = await newWallet(service, service.origin, uri)
  const answer = await wallet.collect()
  const { id: _, ...subject } = answer.body.credentials?.[0]?.credential?.credentialSubject ?? {}
  return { answer, subject, wallet, offerId: id }
}

/** The checks of the failed steps of an offer. */
async function failedChecks(offerId: string): Promise<string[]> {
  const { body } = await service.operator.get(`/v1/openid/offers/${offerId}/timeline`)
  return body.data.flatMap(({ refusedBy }: { refusedBy?: { check: string } }) => refusedBy?.check ?? [])
}

const failures: [string, ReceiverAnswer, string][] = [
  ['an error', { status: 500 }, 'source_status'],
  ['nothing', { status: 204 }, 'source_content'],
  ['an array', { body: '[]' }, 'source_content'],
]

test.each(failures)(
  'a new source that answers with %s refuses a claim without another source',
  async (_, answer, check) => {
    await using register = await startReceiver(() => answer)
    const configuration = await configurationWith(register.url)
    const { answer: refused, wallet, offerId } = await collect(configuration)
    expect(refused).toMatchObject({ status: 400, body: { error: 'credential_request_denied' } })
    expect(refused.body.error_description).toContain('claims.grade')
    await expect.poll(() => failedChecks(offerId)).toEqual(['claim_source', check])

    Object.assign(answer, { status: 200, body: '{"grade":"A"}' })
    expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
  },
)

test('a failing source does not matter for claims of the offer', async () => {
  await using register = await startReceiver(() => ({ status: 500 }))
  const configuration = await configurationWith(register.url)
  const { answer, subject } = await collect(configuration, { claims: { given_name: 'Ada', grade: 'B' } })
  expect(answer.status).toBe(200)
  expect(subject).toEqual({ given_name: 'Ada', grade: 'B' })
})

test('a failing source with `issue` leaves its claims out or uses their default', async () => {
  await using register = await startReceiver(() => ({ status: 500 }))
  const configuration = await configurationWith(register.url, { onFailure: 'issue' })
  expect((await collect(configuration)).subject).toEqual({ given_name: 'Ada', grade: 'none' })
})

test('a source that does not answer in time is 503, and the wallet repeats its request', async () => {
  const answer: ReceiverAnswer = { body: '{"grade":"A"}', delayMs: 3_300 }
  await using register = await startReceiver(() => answer)
  const { uri, id } = await newOffer(service, [await configurationWith(register.url)])
  const wallet = await newWallet(service, service.origin, uri)
  await wallet.redeem()
  const proofs = { jwt: [await wallet.proof()] }
  const late = await wallet.requestCredential({ proofs })
  expect(late).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } })
  await expect.poll(() => failedChecks(id)).toEqual(['claim_source', 'source_reached'])

  answer.delayMs = 0
  expect(await wallet.requestCredential({ proofs })).toMatchObject({ status: 200 })
})

test('a PUT without `onFailure` keeps it, and null resets it', async () => {
  const source = {
    name: 'R',
    url: 'https://r.example.org',
    authorization: { type: 'api-key', value: 'long-enough-key-of-it' },
  }
  const { body } = await service.operator.post(path, { ...source, onFailure: 'issue' })
  expect(body).toMatchObject({ onFailure: 'issue' })
  const put = (members: object) => service.operator.put(`${path}/${body.id}`, { ...source, ...members })
  expect((await put({})).body).toMatchObject({ onFailure: 'issue' })
  expect((await put({ onFailure: null })).body).toMatchObject({ onFailure: 'refuse' })
  expect(await put({ onFailure: 'ignore' })).toMatchObject({ status: 400, body: { details: [{ param: 'onFailure' }] } })
})
