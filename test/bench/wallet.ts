import { createHash, randomBytes } from 'node:crypto'
import type { FlowsJob, Step } from './driver-jobs.ts'
import type { Lane, Sending } from './lane.ts'
import { makeDpopProof, makeKeyAttestation, makeProof, newWalletKey, type WalletKey } from './proofs.ts'

const preAuthorizedGrant = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'
const redirectUri = 'http://127.0.0.1/callback'

const walletKeys = Array.from({ length: 64 }, newWalletKey)
let flowsRun = 0

type Observe = (step: Step, ms: number) => void

/**
 * Runs one flow to its credential. The measured times exclude the wallet's own work, above all the signing of proofs.
 */
export async function runFlow(lane: Lane, job: FlowsJob, observe: Observe): Promise<void> {
  const timed: Timed = async (step, work) => {
    const startedAt = performance.now()
    const answer = await work()
    observe(step, performance.now() - startedAt)
    return answer
  }
  const key = walletKeys[flowsRun++ % walletKeys.length]
  if (!key) throw new Error('there are no wallet keys')
  const isBound = job.flow === 'DPoP'
  const boundTo = (path: string, token?: string): Sending =>
    isBound ? { dpop: makeDpopProof(key, job.issuer + path, token) } : {}
  const form = job.flow === 'authorization code' ? await signIn(lane, job, timed) : await takeOffer(lane, job, timed)
  const bound = boundTo('/v1/oauth/token')
  const at = atIssuer(job)
  const { access_token: token } = await timed('token', () => lane.call('POST', at('/v1/oauth/token'), form, bound))
  const { c_nonce: nonce } = await timed('nonce', () => lane.call('POST', at('/v1/openid/nonce')))
  const proofs = proofsOf(job, key, nonce)
  const request = { credential_configuration_id: job.configurationId, proofs }
  const sending = { token, ...boundTo('/v1/openid/credential', token) }
  const endpoint = at('/v1/openid/credential')
  const { credentials } = await timed('credential', () => lane.call('POST', endpoint, request, sending))
  if (!String(credentials[0].credential).startsWith(job.begins)) throw new Error('unexpected credential')
  if (credentials.length !== (job.batch?.keys ?? 1)) throw new Error('unexpected number of credentials')
}

/** Returns the path of an endpoint of the issuer, which can be a view. */
function atIssuer({ issuer }: FlowsJob): (path: string) => string {
  const { pathname } = new URL(issuer)
  return (path) => (pathname === '/' ? path : pathname + path)
}

function proofsOf({ batch, issuer }: FlowsJob, key: WalletKey, nonce: string) {
  if (!batch) return { jwt: [makeProof(key, issuer, nonce)] }
  return { attestation: [makeKeyAttestation(batch.attester, walletKeys.slice(0, batch.keys), nonce)] }
}

// biome-ignore lint/suspicious/noExplicitAny: the benchmark reads any member
type Timed = (step: Step, work: () => Promise<any>) => Promise<any>

const person = { given_name: 'Ada', family_name: 'Lovelace', birth_date: '1815-12-10', level: 'C2' }
let portrait = ''

function portraitOf(bytes: number): string {
  if (portrait === '') portrait = randomBytes(bytes).toString('base64')
  return portrait
}

/** Makes an offer as the operator. Returns the form for its code. */
async function takeOffer(
  lane: Lane,
  { configurationId, portraitBytes, token, view }: FlowsJob,
  timed: Timed,
): Promise<URLSearchParams> {
  const request = {
    credentials: [configurationId],
    claims: { ...person, ...(portraitBytes === undefined ? {} : { portrait: portraitOf(portraitBytes) }) },
    ...(view !== undefined && { view }),
  }
  const path = '/v1/openid/offers/pre-authorized'
  const { uri } = await timed('offer', () => lane.call('POST', path, request, { token }))
  const offer = JSON.parse(new URL(uri).searchParams.get('credential_offer') ?? '')
  const code = offer.grants[preAuthorizedGrant]['pre-authorized_code']
  return new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code })
}

/** Signs a user in at a provider that takes no time. Returns the form for the code. */
async function signIn(lane: Lane, job: FlowsJob, timed: Timed): Promise<URLSearchParams> {
  const verifier = randomBytes(32).toString('base64url')
  const client = { client_id: 'bench', redirect_uri: redirectUri }
  const query = new URLSearchParams({
    ...client,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    authorization_details: JSON.stringify([
      { type: 'openid_credential', credential_configuration_id: job.configurationId },
    ]),
  })
  const provider = await timed('authorize', () => lane.follow(`${atIssuer(job)('/v1/oauth/authorize')}?${query}`))
  const { searchParams } = provider.location
  const back = new URLSearchParams({
    code: searchParams.get('nonce') ?? '',
    state: searchParams.get('state') ?? '',
  })
  const path = `/v1/oauth/authentication/callback?${back}`
  const wallet = await timed('login', () => lane.follow(path, provider.cookie))
  const code = wallet.location.searchParams.get('code')
  if (!code) throw new Error(`no code: ${wallet.location.search}`)
  return new URLSearchParams({ ...client, grant_type: 'authorization_code', code, code_verifier: verifier })
}
