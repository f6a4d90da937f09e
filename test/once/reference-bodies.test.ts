import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { exampleSdJwt } from '../../api/credentials/stored/present-sd-jwt.ts'
import { exampleId } from '../../api/http/fields.ts'
import { exampleProof } from '../../api/issuance/credential/schemas.ts'
import { exampleAccessToken } from '../../api/issuance/token/schemas.ts'
import { routes } from '../../api/routes.ts'
import { exampleCwt } from '../../api/status/credential-schemas.ts'
import { changeKinds } from '../../shared/domain/operations/change-events.ts'
import { webhookEventKinds } from '../../shared/domain/operations/webhook-events.ts'
import { type Api, createApi } from '../harness/api-client.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { runNow } from '../harness/run-now.ts'
import { bulkFields, csvFile, uploadTo } from '../harness/uploads.ts'
import { newWaitingApproval } from '../harness/waiting-approval.ts'
import { startReceiver } from '../servers/receiver.ts'
import { makeProof, newHolderKey, newWallet, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read any member of the document
type Json = any

interface Operation {
  name: string
  method: string
  path: string
  printed: Json
}

/** Maps the values of examples to the real values, such as ids. The first real value stays. */
type RealValues = Map<string, string>

/** The bodies that cannot be sent unchanged, and the status of their answer. */
const statusOfUnsendable: Record<string, number> = {
  // The 202 answer has its id. The service answers 202 only when signing is slow.
  collectDeferredCredential: 400,
  // Only the stream of a listener has the id of a request.
  answerWebhookListenerRequest: 404,
  // They need a console session, and the code that it allows.
  createConsoleProgramCode: 401,
  createConsoleProgramSession: 401,
  // Its provider does not exist.
  beginProviderSignIn: 503,
  // They need a certain state. The workers change it meanwhile.
  startBulkIssuance: 409,
  pauseBulkIssuance: 409,
  resumeBulkIssuance: 409,
  cancelBulkIssuance: 409,
  retryBulkIssuance: 409,
  confirmBulkResults: 409,
  // The file of the example has no such row.
  renewBulkLink: 404,
  // The bulk issuance of the example has credentials instead of links.
  renewExpiredBulkLinks: 409,
  // No example has the address of a claim link.
  openClaimLink: 404,
  // No authority certifies the request, and no registrar the tenant.
  updateAccessCertificate: 400,
  updateRegistrationCertificate: 400,
  // No example has the state of a sign-in.
  answerSignInReview: 400,
}

/** Members that an answer has only if an external service exists. */
const externalMembers = ['testClaimSource.claims']

test('each body of the reference can be sent unchanged, in the order of the reference', async () => {
  await using service = await startService()
  await using receiver = await startReceiver()
  const { body: document } = await service.anonymous.get('/openapi.json')
  const realValues: RealValues = new Map([
    [exampleId('tenant'), service.id],
    [exampleId('client'), service.clientId],
    ['o7Qm3kA9sTq0uZ5fW8xYb2cLdE6gHnJpRvK1tMiNeCo', service.clientSecret],
    ['did:web:university.trustwright.example', service.did],
    // Replaces external services with the test's receiver, or with an address that refuses connections.
    ['https://hooks.example.org/credentials', receiver.url],
    ['https://login.example.org', 'http://127.0.0.1:9'],
  ])

  const refused: string[] = []
  const missing: string[] = []
  for (const operation of changingOperations(document)) {
    await prepare(service, operation.name, realValues)
    for (const mediaType of mediaTypesOf(operation)) {
      const { status, body } = await send(service, operation, mediaType, realValues)
      const example = answerOf(operation.printed, status)
      missing.push(...membersMissing(example, body, operation.name))
      if (status < 400) learn(example, body, realValues)
      else if (status !== statusOfUnsendable[operation.name])
        refused.push(`${operation.name} ${mediaType}: ${status} ${JSON.stringify(body)}`)
    }
  }
  expect(refused).toEqual([])
  expect(
    missing.filter((each) => !externalMembers.includes(each)),
    'the answer does not have these members of its example',
  ).toEqual([])
})

test('the webhooks that the service sends match the reference', async () => {
  await using service = await startService()
  await using receiver = await startReceiver()
  const { body: document } = await service.anonymous.get('/openapi.json')
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', ...document })

  const webhook = await service.operator.post('/v1/webhooks', { events: webhookEventKinds, url: receiver.url })
  await service.operator.post(`/v1/webhooks/${webhook.body.id}/test`)
  const configurationId = await compactConfiguration(service)
  const { uri } = await newOffer(service, [configurationId])
  const people = csvFile('number,given_name\n1,Ada\n')
  await uploadTo(service.operator, '/v1/bulk-issuances', ['file', people], ...bulkFields(configurationId))
  await (await newWallet(service, service.origin, uri)).collect()
  service.clock.advance(3_600_000)
  await runNow(service.deps.bus, 'queueDueCheckpoints', 'signing-bulk')
  // A test event has the members of a real one. The tests of changes see the real ones.
  for (const kind of changeKinds) {
    const ofKind = await service.operator.post('/v1/webhooks', { events: [kind], url: receiver.url })
    await service.operator.post(`/v1/webhooks/${ofKind.body.id}/test`)
  }
  await eventually(async () => receiver.deliveries.length > webhookEventKinds.length)

  for (const { body, headers } of receiver.deliveries) {
    const { type } = body.event
    const validate = ajv.getSchema(`document#/webhooks/${type}/post/requestBody/content/application~1json/schema`)
    expect([validate?.(body), validate?.errors]).toEqual([true, null])
    for (const { name } of document.webhooks[type].post.parameters) expect(headers).toHaveProperty(name)
  }
  expect(new Set(receiver.deliveries.map(({ body }) => body.event.type))).toEqual(new Set(webhookEventKinds))
})

function changingOperations({ paths }: Json): Operation[] {
  return Object.entries<Json>(paths).flatMap(([path, methods]) =>
    ['post', 'put'].flatMap((method) =>
      methods[method] ? [{ name: methods[method].operationId, method, path, printed: methods[method] }] : [],
    ),
  )
}

/** Prepares values that only a wallet can make or that another party receives. */
async function prepare(service: Service, name: string, realValues: RealValues): Promise<void> {
  // Changes the roles of another client, because the caller must keep its own.
  const another = { name: 'Another', roles: ['issuer'] }
  const { body: client } =
    name === 'updateClient'
      ? await service.operator.post(`/v1/tenants/${service.id}/clients`, another)
      : { body: { clientId: service.clientId } }
  realValues.set(exampleId('client'), client.clientId)
  // A tenant that moves refuses the operations after it.
  realValues.set(exampleId('tenant'), name === 'startTenantMove' ? (await service.addTenant()).id : service.id)
  if (name === 'createAccessToken') {
    const uri = realValues.get('offer') ?? ''
    const { grants } = await readOffer(uri, service.anonymous)
    realValues.set('kq3fWk2mC8u0oYJx1n4bTz7rVh5sLd9eGiPaUyQwXcM', grants[preAuthorizedGrant]['pre-authorized_code'])
  }
  if (name === 'issueCredential') {
    const nonce = realValues.get('wKI4LT17ac15ES9bw8ac4')
    realValues.set(exampleProof, await makeProof({ issuer: service.baseUrl, nonce, key: await newHolderKey() }))
  }
  if (name === 'approveRequest' || name === 'rejectRequest')
    realValues.set(exampleId('approval'), await newWaitingApproval(service, service.id))
  if (name === 'setMobileStatus') await issue('mobile', { since: '2026-01-01' })
  if (name === 'setSdJwtStatus') realValues.set(exampleSdJwt, await issue('sd-jwt', { given_name: 'Ada' }))

  async function issue(profile: string, claims: object): Promise<string> {
    const configurationId = realValues.get(exampleId(`${profile} configuration`)) ?? ''
    const { uri, userId } = await newOffer(service, [configurationId], { claims })
    const collected = await (await newWallet(service, service.origin, uri)).collect()
    const { body } = await service.operator.get(`/v1/users/${userId}/credentials`)
    realValues.set(exampleId(`${profile} credential`), body.data[0]?.id)
    return collected.body.credentials[0].credential
  }
}

/** Leaves encrypted bodies out. The document does not know the key. */
function mediaTypesOf({ printed }: Operation): string[] {
  const all = Object.keys(printed.requestBody?.content ?? { none: {} })
  return all.filter((mediaType) => mediaType !== 'application/jwt')
}

async function send(service: Service, operation: Operation, mediaType: string, realValues: RealValues) {
  const { name, method, path, printed } = operation
  const parameters: Json[] = printed.parameters ?? []
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter) => {
    const { schema } = parameters.find(({ name: each }) => each === parameter)
    return encodeURIComponent(realValues.get(schema.examples[0]) ?? schema.examples[0])
  })
  const content = printed.requestBody?.content[mediaType]
  const example = content && inTermsOf(realValues, content.example)
  const api = callerOf(service, name, realValues)
  if (mediaType === 'multipart/form-data') return sendForm(api, filled, example, fileFor(name, realValues))
  const body = mediaType === 'application/x-www-form-urlencoded' ? new URLSearchParams(example) : example
  const needed = parameters.filter(({ in: place, required }) => place === 'header' && required)
  const headers = Object.fromEntries(needed.map(({ name: header, example: value }) => [header, value]))
  return api.send(method.toUpperCase(), filled, body, headers)
}

function callerOf({ platform, operator, anonymous, origin, host }: Service, name: string, realValues: RealValues): Api {
  const route = routes.find(({ operation }) => operation === name)
  if (route?.host === 'platform') return platform
  if (route?.access.kind === 'wallet') return createApi(origin, host, realValues.get(exampleAccessToken))
  return route?.access.kind === 'anyone' ? anonymous : operator
}

/** The file, which the document cannot show. */
function fileFor(name: string, realValues: RealValues): string {
  if (name === 'createParticipantEvidence') return '%PDF-1.7\n'
  return realValues.get(exampleCwt(name === 'verifyCompactCredential' ? 'compact' : 'compact-semantic')) ?? ''
}

async function sendForm(api: Api, path: string, { file: _, ...fields }: Record<string, string>, file: string) {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([file]), 'accreditation.pdf')
  const encoded = new Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return api.post(path, Buffer.from(await encoded.arrayBuffer()), headers)
}

function inTermsOf(realValues: RealValues, example: Json): Json {
  if (typeof example === 'string') return realValues.get(example) ?? example
  if (Array.isArray(example)) return example.map((each) => inTermsOf(realValues, each))
  if (typeof example !== 'object' || example === null) return example
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, inTermsOf(realValues, value)]))
}

function answerOf({ responses }: Json, status: number): Json {
  return responses[status]?.content?.['application/json']?.example
}

/** The members of an example that are missing in the answer. */
function membersMissing(example: Json, actual: Json, at: string): string[] {
  if (typeof example !== 'object' || typeof actual !== 'object' || example === null || actual === null) return []
  return Object.entries(example).flatMap(([name, value]) => {
    if (Array.isArray(actual) && actual.length === 0) return []
    return name in actual ? membersMissing(value, actual[name], `${at}.${name}`) : [`${at}.${name}`]
  })
}

function learn(example: Json, actual: Json, realValues: RealValues): void {
  if (typeof example === 'string' && typeof actual === 'string') {
    // Text of letters only is a word or a name. Its example can be used unchanged.
    if (example !== actual && !realValues.has(example) && !/^[\p{L}\s]*$/u.test(example))
      realValues.set(example, actual)
    if (actual.startsWith('openid-credential-offer:')) realValues.set('offer', actual)
    return
  }
  if (typeof example !== 'object' || typeof actual !== 'object' || example === null || actual === null) return
  for (const [name, value] of Object.entries(example)) learn(value, actual[name], realValues)
}
