import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { FlowsJob, Step } from './driver-jobs.ts'
import type { Lane } from './lane.ts'

const preAuthorizedGrant = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

interface HolderKey {
  privateKey: KeyObject
  /** The proof's header with the public key, encoded. */
  header: string
}

const holderKeys = Array.from({ length: 64 }, newHolderKey)
let flowsRun = 0

/** Offer, token, nonce, credential. What the wallet itself does, above all to sign its proof, is outside the times. */
export async function runFlow(lane: Lane, job: FlowsJob, observe: (step: Step, ms: number) => void): Promise<void> {
  const timed = async (step: Step, path: string, body?: unknown, token?: string) => {
    const startedAt = performance.now()
    const answer = await lane.call('POST', path, body, token)
    observe(step, performance.now() - startedAt)
    return answer
  }
  const { uri } = await timed('offer', '/v1/openid/offers/pre-authorized', offerOf(job), job.token)
  const offer = JSON.parse(new URL(uri).searchParams.get('credential_offer') ?? '')
  const code = offer.grants[preAuthorizedGrant]['pre-authorized_code']
  const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code })
  const { access_token: token } = await timed('token', '/v1/oauth/token', form)
  const { c_nonce: nonce } = await timed('nonce', '/v1/openid/nonce')
  const request = { credential_configuration_id: job.configurationId, proofs: { jwt: [makeProof(job.issuer, nonce)] } }
  const { credentials } = await timed('credential', '/v1/openid/credential', request, token)
  if (!String(credentials[0].credential).startsWith('CSC:/1/')) throw new Error('that is no compact credential')
}

function offerOf({ configurationId }: FlowsJob) {
  return {
    credentials: [configurationId],
    claims: { given_name: 'Ada', family_name: 'Lovelace', birth_date: '1815-12-10', level: 'C2' },
  }
}

function makeProof(issuer: string, nonce: string): string {
  const key = holderKeys[flowsRun++ % holderKeys.length]
  if (!key) throw new Error('there are no holder keys')
  const content = `${key.header}.${encode({ aud: issuer, iat: Math.floor(Date.now() / 1000), nonce })}`
  const signature = sign('sha256', Buffer.from(content), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${content}.${signature.toString('base64url')}`
}

function newHolderKey(): HolderKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const header = encode({ alg: 'ES256', typ: 'openid4vci-proof+jwt', jwk: publicKey.export({ format: 'jwk' }) })
  return { privateKey, header }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
