import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  activeIaca,
  compactConfiguration,
  mdlConfiguration,
  newOffer,
  sdJwtConfiguration,
  sdJwtMappings,
} from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { newHolderKey, newWallet } from '../../wallets/wallet.ts'

// The rules are those that the public JVM library of the EU's wallets applies to `credential_reuse_policy`.

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const onceOnly = { methods: ['once_only'], batchSize: 3, reissueTriggerUnused: 1 }
const day = 86_400

async function publishedPolicy({ anonymous }: TestTenant, configurationId: string) {
  const { body } = await anonymous.get('/.well-known/openid-credential-issuer')
  return body.credential_configurations_supported[configurationId].credential_metadata.credential_reuse_policy
}

test('the metadata have the policy of a configuration, for mdoc and SD-JWT VC', async () => {
  const tenant = await service.addTenant()
  await activeIaca(tenant)
  const options = [
    { methods: ['per-relying-party'], batchSize: 10, reissueTriggerUnused: 2, reissueTriggerLifetimeLeft: 7 * day },
    { methods: ['limited_time'], reissueTriggerLifetimeLeft: day },
  ]
  for (const configure of [mdlConfiguration, sdJwtConfiguration]) {
    const id = await configure(tenant, { reusePolicy: { options } })
    expect(await publishedPolicy(tenant, id)).toEqual({
      id: 'arf_annex_ii',
      options: [
        {
          details: ['per-relying-party'],
          ...{ batch_size: 10, reissue_trigger_unused: 2, reissue_trigger_lifetime_left: 7 * day },
        },
        { details: ['limited_time'], reissue_trigger_lifetime_left: day },
      ],
    })
  }
  expect(await publishedPolicy(tenant, await compactConfiguration(tenant))).toBeUndefined()
})

test('a request has at most the batch of the policy', async () => {
  const tenant = await service.addTenant()
  const configurationId = await compactConfiguration(tenant, { reusePolicy: { options: [onceOnly] } })
  const keys = await Promise.all(Array.from({ length: 4 }, () => newHolderKey()))
  const send = async (count: number) => {
    const { uri } = await newOffer(tenant, [configurationId])
    const wallet = await newWallet(tenant, service.origin, uri, keys[0])
    await wallet.redeem()
    const nonce = await wallet.nonce()
    const jwt = await Promise.all(keys.slice(0, count).map((key) => wallet.proof({ nonce, key })))
    return wallet.requestCredential({ proofs: { jwt } })
  }
  expect(await send(4)).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
  const { status, body } = await send(3)
  expect([status, body.credentials.length]).toEqual([200, 3])
})

test('a batch that the tenant does not allow later is published as the tenant allows it', async () => {
  const tenant = await service.addTenant()
  const id = await compactConfiguration(tenant, { reusePolicy: { options: [{ ...onceOnly, batchSize: 10 }] } })
  await service.platform.put(`/v1/tenants/${tenant.id}`, { name: 'Small', maxCredentialsPerSession: 5 })
  expect((await publishedPolicy(tenant, id)).options).toMatchObject([{ batch_size: 5 }])
})

const bad: [what: string, options: object[], param: string, message: string][] = [
  ['no option', [], 'options', ''],
  ['no method', [{ ...onceOnly, methods: [] }], 'options.0.methods', ''],
  ['an unknown method', [{ ...onceOnly, methods: ['often'] }], 'options.0.methods.0', ''],
  ['a method twice', [onceOnly, onceOnly], 'options', 'Each method must occur once'],
  [
    'both base methods',
    [{ ...onceOnly, methods: ['once_only', 'limited_time'], reissueTriggerLifetimeLeft: day }],
    'options',
    'exactly one of the methods',
  ],
  [
    'no base method',
    [{ methods: ['rotating-batch'], batchSize: 5, reissueTriggerLifetimeLeft: day }],
    'options',
    'exactly one of the methods',
  ],
  ['a batch of one', [{ ...onceOnly, batchSize: 1, reissueTriggerUnused: 0 }], 'options.0.batchSize', 'at least 2'],
  ['no size', [{ methods: ['once_only'], reissueTriggerUnused: 1 }], 'options.0.batchSize', 'method once_only'],
  ['no trigger', [{ methods: ['once_only'], batchSize: 3 }], 'options.0.reissueTriggerUnused', 'method once_only'],
  ['no lifetime', [{ methods: ['limited_time'] }], 'options.0.reissueTriggerLifetimeLeft', 'method limited_time'],
  [
    'a trigger that is always true',
    [{ ...onceOnly, reissueTriggerUnused: 3 }],
    'options.0.reissueTriggerUnused',
    'less than batchSize',
  ],
  ['a batch above the limit of the tenant', [{ ...onceOnly, batchSize: 21 }], 'options', 'at most 20 credentials'],
]

test.for(bad)('%s is refused', async ([, options, param, message]) => {
  const { operator } = await service.addTenant()
  const path = '/v2/credentials/compact/configurations'
  const claimMappings = { name: { mapFrom: 'claims.name' } }
  const { status, body } = await operator.post(path, { claimMappings, reusePolicy: { options } })
  expect(status).toBe(400)
  const of = body.details.find((detail: { param: string }) => detail.param === `reusePolicy.${param}`)
  expect(of?.msg, JSON.stringify(body)).toContain(message)
})

test('a credential without key binding cannot have a policy', async () => {
  const { operator } = await service.addTenant()
  const { status, body } = await operator.post('/v2/credentials/sd-jwt/configurations', {
    ...{ name: 'Ticket', vct: 'urn:example:ticket', claimMappings: sdJwtMappings, keyBinding: false },
    reusePolicy: { options: [onceOnly] },
  })
  expect({ status, body }).toMatchObject({ status: 400, body: { details: [{ param: 'reusePolicy' }] } })
})
