import type { SignInGrant } from '../../../../../shared/wallet/collect.ts'
import { requireSuccess, type Send, textIn } from '../../../../../shared/wallet/exchange.ts'
import { randomText, sha256 } from '../../../../../shared/wallet/keys.ts'
import type { Offer } from '../../../../../shared/wallet/offer.ts'
import { api, callApi } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import { sentences } from '../../kit/problem.ts'
import { WalletError } from './exchange.ts'
import { walletTexts } from './texts.ts'

/** A sign-in that waits for the holder. */
export interface WaitingSignIn {
  /** The address at which the holder signs in. */
  url: string
  state: string
  grant: Omit<SignInGrant, 'code'>
}

const channelName = 'console-test-wallet'

/** Prepares the authorization code flow for a credential (OpenID4VCI 1.0, section 5), by a pushed request if the service has them. */
export async function prepareSignIn(send: Send, { server, authorization }: Offer, id: string): Promise<WaitingSignIn> {
  const redirectUri = `${location.origin}/console/wallet`
  const clientId = await registeredClient(redirectUri)
  const [verifier, state] = [randomText(), randomText()]
  const details = [{ type: 'openid_credential', credential_configuration_id: id }]
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state },
    ...{ code_challenge: await sha256(verifier), code_challenge_method: 'S256' },
    authorization_details: JSON.stringify(details),
    ...(authorization?.issuerState !== undefined && { issuer_state: authorization.issuerState }),
  })
  const pushTo = textIn(server.pushed_authorization_request_endpoint)
  const pushed = pushTo && requireSuccess('par', await send({ method: 'POST', url: pushTo, body: query }))
  const short = pushed && new URLSearchParams({ client_id: clientId, request_uri: String(pushed.request_uri) })
  const url = `${String(server.authorization_endpoint)}?${short || query}`
  return { url, state, grant: { clientId, redirectUri, verifier } }
}

const clients = '/v1/openid/clients'

/** Returns the client id of this page. Registers the page as a wallet if it is not registered. */
async function registeredClient(redirectUri: string): Promise<string> {
  const listed = await callApi(api.GET(clients, { params: { query: { limit: 1000 } } }))
  const client = listed.data?.data.find(({ redirectUris }) => redirectUris.includes(redirectUri))
  if (client) return client.clientId
  const made = await callApi(api.POST(clients, { body: { name: 'Test wallet', redirectUris: [redirectUri] } }))
  if (made.problem) throw new WalletError([say(sentences[made.problem.kind]), made.problem.message].join(' '))
  return made.data.clientId
}

/** Passes the result of a sign-in on to the tab with the wallet. Browsers separate the two tabs, so that they share only a channel. */
export function passOn(query: Record<string, string | undefined>): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(query)
  channel.close()
}

/** Returns the grant of the sign-in after the holder returned in the other tab. Throws a WalletError. */
export async function waitForReturn({ state, grant }: WaitingSignIn, ended: AbortSignal): Promise<SignInGrant> {
  const { code, error, error_description } = await nextMessage(state, ended)
  const reason = [error, error_description].filter(Boolean).join(': ')
  if (code === undefined) throw new WalletError(say(walletTexts.refused, { step: 'authorize', error: reason }))
  return { ...grant, code }
}

/** Waits for the message of this sign-in. Ignores those of other tabs with the wallet. */
function nextMessage(state: string, ended: AbortSignal): Promise<Record<string, string | undefined>> {
  const channel = new BroadcastChannel(channelName)
  ended.addEventListener('abort', () => channel.close())
  return new Promise((resolve) => {
    channel.onmessage = ({ data }: MessageEvent<Record<string, string | undefined>>) => {
      if (data.state !== state) return
      channel.close()
      resolve(data)
    }
  })
}
