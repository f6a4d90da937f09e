import { dataOfText, messageOf, type Send } from '../../../../../shared/wallet/exchange.ts'
import { say } from '../../kit/language.ts'
import { walletTexts } from './texts.ts'

/** One HTTP message of the wallet and its response. */
export interface Exchange {
  method: string
  url: string
  headers: Record<string, string>
  body: string
  status: number
  response: string
}

/** An error that stopped the wallet. The message is a sentence for the user. */
export class WalletError extends Error {}

/**
 * Returns a function that sends requests without the cookie of the console, and reports each of them. It sends to this host only: the
 * content security policy of the console forbids others.
 */
export function createSend(report: (exchange: Exchange) => void): Send {
  return async (request) => {
    const { method, url } = request
    requireOwnHost(url)
    const { headers, text } = messageOf(request)
    const init = { method, headers, credentials: 'omit', ...(request.body !== undefined && { body: text }) } as const
    const response = await fetch(url, init)
    const answer = await response.text()
    report({ method, url, headers, body: text, status: response.status, response: answer })
    return { status: response.status, headers: response.headers, body: dataOfText(answer) }
  }
}

function requireOwnHost(url: string): void {
  const { origin } = new URL(url)
  if (origin !== location.origin) throw new WalletError(say(walletTexts.foreign, { issuer: origin }))
}
