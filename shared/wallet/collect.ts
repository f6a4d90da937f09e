import {
  type Data,
  objectIn,
  requireSuccess,
  type Send,
  textIn,
  textsIn,
  type WalletAnswer,
  type WalletRequest,
} from './exchange.ts'
import { randomText, sha256, type WalletKey } from './keys.ts'
import { type Offer, preAuthorizedForm } from './offer.ts'

/** A deferred credential that the issuer did not sign in time. */
export class LateCredential extends Error {}

/** The wallet of one offer. */
export interface OfferHolder {
  send: Send
  key: WalletKey
  offer: Offer
}

/** The credential that the issuer returned for the offer. */
export type Received = string | Data

/** The grant of a sign-in. */
export interface SignInGrant {
  clientId: string
  redirectUri: string
  code: string
  verifier: string
}

/** Redeems the pre-authorized code, and collects a credential. Throws a `StepError` or a `LateCredential`. */
export function collectPreAuthorized(holder: OfferHolder, id: string, code: string | undefined): Promise<Received> {
  return collect(holder, id, preAuthorizedForm(holder.offer, code))
}

/** Redeems the code of a sign-in, and collects a credential. Throws a `StepError` or a `LateCredential`. */
export function collectSignedIn(holder: OfferHolder, id: string, signedIn: SignInGrant): Promise<Received> {
  const { clientId, redirectUri, code, verifier } = signedIn
  const form = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: redirectUri, code }
  return collect(holder, id, new URLSearchParams({ ...form, code_verifier: verifier }))
}

async function collect(holder: OfferHolder, id: string, form: URLSearchParams): Promise<Received> {
  const { send, key, offer } = holder
  const { metadata, server, issuer, credentials } = offer
  const url = String(server.token_endpoint)
  const token = requireSuccess('token', await withDpop(holder, { method: 'POST', url, body: form }))
  const access = String(token.access_token)
  const details = Array.isArray(token.authorization_details) ? token.authorization_details.map(objectIn) : []
  const own = details.find((each) => each.credential_configuration_id === id) ?? details[0]
  const [identifier] = textsIn(own?.credential_identifiers)
  const isBound = credentials.some((each) => each.id === id && each.isBound)
  const body = {
    ...(identifier === undefined ? { credential_configuration_id: id } : { credential_identifier: identifier }),
    ...(isBound && { proofs: { jwt: [await proofFor(send, key, issuer, metadata)] } }),
  }
  const endpoint = String(metadata.credential_endpoint)
  const answer = await withDpop(holder, { method: 'POST', url: endpoint, body }, access)
  const received = await untilReady(holder, answer, access)
  await notify(holder, received, access)
  const [first] = Array.isArray(received.credentials) ? received.credentials : []
  const credential = objectIn(first).credential
  return typeof credential === 'string' ? credential : objectIn(credential)
}

/** The proof of the key (OpenID4VCI 1.0, appendix F.1). */
async function proofFor(send: Send, key: WalletKey, issuer: string, metadata: Offer['metadata']): Promise<string> {
  const url = textIn(metadata.nonce_endpoint)
  const nonce = url && requireSuccess('nonce', await send({ method: 'POST', url })).c_nonce
  const header = { typ: 'openid4vci-proof+jwt', jwk: key.publicJwk }
  return key.sign(header, { aud: issuer, iat: seconds(), ...(nonce ? { nonce } : {}) })
}

const seconds = () => Math.floor(Date.now() / 1_000)

/** Sends a request with a DPoP proof (RFC 9449). Sends it again if the service requires a nonce in the proof. */
async function withDpop(
  { send, key }: OfferHolder,
  request: WalletRequest,
  accessToken?: string,
): Promise<WalletAnswer> {
  const sendOnce = async (nonce?: string) => {
    const claims = {
      ...{ jti: randomText(), htm: request.method, htu: request.url, iat: seconds() },
      ...(accessToken !== undefined && { ath: await sha256(accessToken) }),
      ...(nonce !== undefined && { nonce }),
    }
    const headers = {
      DPoP: await key.sign({ typ: 'dpop+jwt', jwk: key.publicJwk }, claims),
      ...(accessToken !== undefined && { Authorization: `DPoP ${accessToken}` }),
    }
    return send({ ...request, headers })
  }
  const first = await sendOnce()
  const nonce = first.headers.get('DPoP-Nonce')
  const isWanted = [first.body.error, first.headers.get('WWW-Authenticate')].join(' ').includes('use_dpop_nonce')
  return isWanted && nonce !== null ? sendOnce(nonce) : first
}

const maxDeferredPolls = 12

/** Waits for a deferred credential (OpenID4VCI 1.0, section 9). */
async function untilReady(holder: OfferHolder, first: WalletAnswer, accessToken: string): Promise<Data> {
  let answer = first
  for (let poll = 0; poll < maxDeferredPolls; poll++) {
    const body = requireSuccess('credential', answer)
    if (answer.status !== 202) return body
    await new Promise((resolve) => setTimeout(resolve, Math.min(10, Number(body.interval) || 1) * 1_000))
    const url = String(holder.offer.metadata.deferred_credential_endpoint)
    const request = { method: 'POST' as const, url, body: { transaction_id: body.transaction_id } }
    answer = await withDpop(holder, request, accessToken)
  }
  throw new LateCredential('The issuer did not sign the credential in time')
}

/** Reports to the issuer that the wallet has the credential. The credential stays if the report fails. */
async function notify(holder: OfferHolder, { notification_id }: Data, accessToken: string): Promise<void> {
  const url = textIn(holder.offer.metadata.notification_endpoint)
  if (url === undefined || notification_id === undefined) return
  const body = { notification_id, event: 'credential_accepted' }
  await withDpop(holder, { method: 'POST', url, body }, accessToken)
}
