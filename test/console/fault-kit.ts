import type { CheckName } from '../../shared/domain/issuance/checks.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { startService, type TestTenant } from '../harness/harness.ts'
import { startComponent, type TokenOptions } from '../servers/interaction-component.ts'
import { startLyingProvider } from '../servers/lying-provider.ts'
import { type ReceiverAnswer, startReceiver } from '../servers/receiver.ts'
import { newAuthorizationWallet } from '../wallets/authorization-wallet.ts'
import { newWallet, readOffer } from '../wallets/wallet.ts'

/** A fault that the timeline of an offer must name. */
export interface Fault {
  /** Causes the fault for a new offer and returns the id of the offer. */
  inject(): Promise<string>
  step: string
  check: CheckName
  /** The tenant of the offer, if it is another one. */
  tenant?: () => TestTenant
}

/** A step of a timeline. */
export interface Step {
  step: string
  outcome: string
  passed?: string[]
  refusedBy?: { check: string; clause: string }
}

export const tokenStep = 'code exchanged for a token'

export const json = (value: unknown, status = 200): ReceiverAnswer => ({ status, body: JSON.stringify(value) })

const rightAnswers = (): { hook: TokenOptions; source: ReceiverAnswer; token: ReceiverAnswer } => ({
  hook: {},
  source: json({ grade: 'A' }),
  token: json({ access_token: 'token', token_type: 'Bearer', expires_in: 1 }),
})

export type FaultKit = Awaited<ReturnType<typeof startFaultKit>>

/** Starts a service and all servers that an issuance needs. Each answers correctly until a fault changes its answer. */
export async function startFaultKit() {
  const answers = rightAnswers()
  const service = await startService({ env: { CREDENTIAL_DEADLINE_MS: '3000' } })
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true, maxCredentialsPerSession: 1 })
  const provider = await startLyingProvider(service)
  const hook = await startComponent(service, {
    answer: () => ({ payload: { claims: { given_name: 'Eve' } }, ...answers.hook }),
  })
  const source = await startReceiver(() => answers.source)
  const tokens = await startReceiver(() => answers.token)
  const plainId = await compactConfiguration(service)
  const value = { tokenUrl: tokens.url, clientId: 'id', clientSecret: 'secret' }
  const authorization = { type: 'oauth-client-credentials', value }
  const made = await service.operator.post('/v1/claim-sources', { name: 'Register', url: source.url, authorization })
  const claimMappings = { grade: { mapFrom: 'claims.grade', required: true } }
  return {
    service,
    /** A tenant without an identity provider. */
    bare: await service.addTenant({ publicClients: true }),
    provider,
    answers,
    sourceUrl: source.url,
    plainId,
    sourcedId: await compactConfiguration(service, { claimSourceId: made.body.id, claimMappings }),
    /** Makes all answers correct again. */
    reset() {
      provider.lie = {}
      Object.assign(answers, rightAnswers())
    },
    /** Makes a wallet with its own pre-authorized offer. */
    async oneWith(extra: Record<string, unknown> = {}, configurationId = plainId) {
      const offer = await newOffer(service, [configurationId], extra)
      return { id: offer.id, offer, wallet: await newWallet(service, service.origin, offer.uri) }
    },
    /** Makes a wallet with an offer for any user who signs in. */
    async anyone(tenant: TestTenant = service, configurationId = plainId) {
      const { body } = await tenant.operator.post('/v1/openid/offers', { credentials: [configurationId] })
      const { grants } = await readOffer(body.uri, tenant.anonymous)
      const { issuer_state: id } = grants.authorization_code
      return { id, wallet: newAuthorizationWallet(tenant, service.origin, configurationId) }
    },
    async timelineOf(id: string, tenant: TestTenant = service): Promise<Step[]> {
      return (await tenant.operator.get(`/v1/openid/offers/${id}/timeline`)).body.data ?? []
    },
    async [Symbol.asyncDispose]() {
      for (const each of [service, provider, hook, source, tokens]) await each[Symbol.asyncDispose]()
    },
  }
}
