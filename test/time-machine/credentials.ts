import { dayMs, plusMs, unixSeconds } from '../../shared/clock.ts'
import type { CredentialProfile } from '../../shared/domain/issuance/profiles.ts'
import { mdlClaims, newOffer } from '../harness/factories.ts'
import { sdJwtClaims } from '../harness/issued-sd-jwt.ts'
import { type JsonLdStatus, verifyCwt } from '../verifiers/outside-verifiers.ts'
import { readSdJwt } from '../verifiers/sd-jwt-verifier.ts'
import { newWallet } from '../wallets/wallet.ts'
import { readMobile } from './read-mobile.ts'
import type { Setting, SimulatedTenant } from './tenants.ts'

export type Status = 'valid' | 'suspended' | 'invalid'

/** A credential of a holder, and what its verifier must find. */
export interface Held {
  profile: CredentialProfile
  tenant: SimulatedTenant
  id: string
  userId?: string
  content: unknown
  until: Date
  list?: { url: string; index: number }
  status: Status
  /** The status never changes again. */
  isFinal: boolean
  /** A text in the claims of a person who can be erased. */
  canary?: string
}

export const profiles: readonly CredentialProfile[] = [
  'compact',
  'compact-semantic',
  'web-semantic',
  'mobile',
  'sd-jwt',
]

/** Issues a credential with a lifetime of 20 to 400 days. Returns undefined if the service refuses at the moment. */
export async function issue(
  setting: Setting,
  tenant: SimulatedTenant,
  profile: CredentialProfile,
  { lifetime, canary }: { lifetime: number; canary: string },
): Promise<Held | undefined> {
  const at = setting.clock.now()
  const until = plusMs(at, (20 + Math.floor(lifetime * 380)) * dayMs)
  const common = { profile, tenant, status: 'valid', isFinal: false } as const
  if (profile === 'mobile') {
    const issued = await issueMobile(setting, tenant, canary)
    return issued && { ...common, ...issued }
  }
  const operator = await tenant.operator()
  const { status, body } = await operator.post(`/v2/credentials/${profile}/sign`, bodyOf(tenant, profile, until))
  if (status >= 500) return undefined
  if (status !== 200) throw new Error(`${profile}: ${status} ${JSON.stringify(body)}`)
  const content = profile === 'web-semantic' ? body.credential : body.encoded
  if (profile === 'sd-jwt') return { ...common, id: body.id, content, ...sdJwtTerms(content) }
  const list = await listOf(tenant, profile, content)
  return list && { ...common, id: body.id, content, until, list }
}

/** Returns the entry in a revocation list that the credential names. Undefined if a fault prevents the request for the DID document. */
async function listOf({ outside }: SimulatedTenant, profile: CredentialProfile, content: unknown) {
  if (profile === 'web-semantic') {
    const { revocationListCredential: url, revocationListIndex } = (content as { credentialStatus: JsonLdStatus })
      .credentialStatus
    return { url, index: Number(revocationListIndex) }
  }
  const { status: answered, bytes } = await outside.get('/.well-known/did.json')
  if (answered >= 500) return undefined
  const status = verifyCwt(content, JSON.parse(bytes.toString())).claims.get(-65537)
  const claims = status as Map<number, unknown>
  return { url: claims.get(3) as string, index: claims.get(2) as number }
}

function bodyOf({ configurations }: SimulatedTenant, profile: CredentialProfile, until: Date): object {
  if (profile === 'sd-jwt') return { configurationId: configurations['sd-jwt'], claims: sdJwtClaims }
  const exp = unixSeconds(until)
  const payloads = {
    compact: { type: 'Course', given_name: 'Ada', exp },
    'compact-semantic': { exp, vc: { type: 'Course', credentialSubject: { given_name: 'Ada' } } },
    'web-semantic': {
      ...{ type: ['Course'], credentialSubject: { given_name: 'Ada' } },
      expirationDate: `${until.toISOString().slice(0, 19)}Z`,
    },
    mobile: {},
  }
  return { payload: payloads[profile], revocable: true }
}

function sdJwtTerms(content: string): Pick<Held, 'until' | 'list'> {
  const { exp, status } = readSdJwt(content).payload
  const reference = status?.status_list
  return { until: new Date(exp * 1000), ...(reference && { list: { url: reference.uri, index: reference.idx } }) }
}

async function issueMobile({ origin, clock }: Setting, tenant: SimulatedTenant, canary: string) {
  const operator = await tenant.operator()
  const claims = { ...mdlClaims, family_name: canary }
  const offer = await newOffer({ operator }, [tenant.configurations.mobile], { claims }).catch(() => undefined)
  if (!offer) return undefined
  const wallet = await newWallet(tenant, origin, offer.uri)
  if ((await wallet.redeem()).status !== 200) return undefined
  const nonce = await wallet.nonce().catch(() => undefined)
  if (nonce === undefined) return undefined
  const jwt = [await wallet.proof({ nonce, payload: { iat: unixSeconds(clock.now()) } })]
  const { status, body } = await wallet.requestCredential({ proofs: { jwt } })
  if (status >= 500) return undefined
  if (status !== 200) throw new Error(`mobile: ${status} ${JSON.stringify(body)}`)
  const content: string = body.credentials[0].credential
  const records = await operator.get(`/v1/users/${offer.userId}/credentials`)
  if (records.status !== 200) return undefined
  const [record] = records.body.data
  const { until, list } = readMobile(content)
  return { id: record.id as string, userId: offer.userId, content, canary, until, ...(list && { list }) }
}
