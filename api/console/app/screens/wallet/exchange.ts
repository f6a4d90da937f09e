import { isRecord } from '../../kit/form-values.ts'
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
export class WalletError extends Error {
  /** The refused step. */
  step: string | undefined

  constructor(message: string, step?: string) {
    super(message)
    this.step = step
  }
}

export interface Answer {
  status: number
  headers: Headers
  /** The parsed JSON, or an empty object. */
  body: Record<string, unknown>
}

export interface Request {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  /** A form, or JSON. */
  body?: URLSearchParams | object
}

export type Send = (request: Request) => Promise<Answer>

/**
 * Returns a function that sends requests without the cookie of the console, and reports each of them. It sends to this host only: the
 * content security policy of the console forbids others.
 */
export function createSend(report: (exchange: Exchange) => void): Send {
  return async ({ method, url, headers = {}, body }) => {
    requireOwnHost(url)
    const isForm = body instanceof URLSearchParams
    const text = body === undefined ? '' : isForm ? body.toString() : JSON.stringify(body)
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    const sent = { Accept: 'application/json', ...headers, ...(body !== undefined && { 'Content-Type': type }) }
    const init = { method, headers: sent, credentials: 'omit', ...(body !== undefined && { body: text }) } as const
    const response = await fetch(url, init)
    const answer = await response.text()
    report({ method, url, headers: sent, body: text, status: response.status, response: answer })
    return { status: response.status, headers: response.headers, body: parsed(answer) }
  }
}

function requireOwnHost(url: string): void {
  const { origin } = new URL(url)
  if (origin !== location.origin) throw new WalletError(say(walletTexts.foreign, { issuer: origin }))
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** Throws for a response that is not a success. The message has the code and the description of the service. */
export function requireSuccess(step: string, { status, body }: Answer): Record<string, unknown> {
  if (status < 300) return body
  const error = [body.error ?? body.code ?? status, body.error_description ?? body.message].filter(Boolean).join(': ')
  throw new WalletError(say(walletTexts.refused, { step, error }), step)
}
