import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiResponse } from '../harness/api-client.ts'
import type { Processes } from '../harness/processes.ts'
import { dpopProof } from './dpop.ts'
import { type HolderKeyPair, newWallet, type Wallet } from './wallet.ts'

const pauseMs = 100
const giveUpAfterMs = 150_000
const lostTokenMs = 3_000

/**
 * Repeats a request until the answer is not 503. Processes that crashed or are busy recover soon. `onAnswer` gets each answer, also 503.
 */
export async function persist(
  call: () => Promise<ApiResponse>,
  onAnswer: (answer: ApiResponse) => void = () => {},
): Promise<ApiResponse> {
  const deadline = Date.now() + giveUpAfterMs
  for (;;) {
    const answer = await call().catch((error: unknown) => ({ error }))
    if ('status' in answer) onAnswer(answer)
    if ('status' in answer && answer.status !== 503) return answer
    if (Date.now() > deadline) throw new Error('no answer before the deadline', { cause: answer })
    await sleep(pauseMs)
  }
}

/** The result of an offer for its wallet. */
export interface Collected {
  offerId: string
  /** The credentials that the wallet has in the end, by configuration. */
  held: Map<string, unknown>
  /** Answers that neither the wallet nor the operator should receive. */
  unexpected: ApiResponse[]
}

/**
 * Makes an offer and collects all its credentials like a patient wallet: with the same token and key, new nonces, and
 * DPoP. With DPoP the wallet can repeat its token request.
 */
export async function collectPatiently(
  { tenant, origin }: Pick<Processes, 'tenant' | 'origin'>,
  configurationIds: string[],
  key: HolderKeyPair,
  onAnswer?: (answer: ApiResponse) => void,
): Promise<Collected> {
  const request = { credentials: configurationIds, claims: { given_name: 'Ada' } }
  const offer = await persist(() => tenant.operator.post('/v1/openid/offers/pre-authorized', request), onAnswer)
  const collected: Collected = { offerId: offer.body.id, held: new Map(), unexpected: [] }
  if (offer.status !== 200) return { ...collected, unexpected: [offer] }

  const dpop = (request: { url: string }) => dpopProof({ key, ...request })
  const wallet = await newWallet(tenant, origin, offer.body.uri, key, { dpop })
  const token = await redeemPatiently(wallet, onAnswer)
  if (token.status !== 200) return { ...collected, unexpected: [token] }

  for (const id of configurationIds) {
    const answer = await persist(() => wallet.requestCredential({ credential_configuration_id: id }), onAnswer)
    if (answer.status === 200) collected.held.set(id, answer.body.credentials[0].credential)
    else collected.unexpected.push(answer)
  }
  return collected
}

/**
 * Repeats the token request if its answer was lost. The service waits some seconds before it replaces the lost token.
 */
async function redeemPatiently(wallet: Wallet, onAnswer?: (answer: ApiResponse) => void): Promise<ApiResponse> {
  let attempts = 0
  const redeem = () =>
    persist(() => {
      attempts++
      return wallet.redeem()
    }, onAnswer)
  const token = await redeem()
  if (token.status === 200 || attempts === 1) return token
  await sleep(lostTokenMs)
  return redeem()
}
