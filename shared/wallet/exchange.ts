import { isJsonObject } from '../formats/json-object.ts'

/** A step of the protocol that the issuer refused or did not answer. */
export class StepError extends Error {
  /** Such as `token` or `credential`. */
  readonly step: string
  /** The HTTP status. Undefined without a response. */
  readonly status: number | undefined
  /** The code and the description of the issuer. */
  readonly reason: string

  constructor(step: string, status: number | undefined, reason: string) {
    super(`${step}: ${reason}`)
    this.step = step
    this.status = status
    this.reason = reason
  }
}

export interface WalletAnswer {
  status: number
  headers: Headers
  /** The parsed JSON, or an empty object. */
  body: Data
}

export type Data = Record<string, unknown>

export interface WalletRequest {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  /** A form, or JSON. */
  body?: URLSearchParams | object
}

/** Sends a request of the wallet. */
export type Send = (request: WalletRequest) => Promise<WalletAnswer>

interface Message {
  headers: Record<string, string>
  /** Empty without a body. */
  text: string
}

/** Returns the headers and the text of a request. */
export function messageOf({ headers = {}, body }: WalletRequest): Message {
  const isForm = body instanceof URLSearchParams
  const text = body === undefined ? '' : isForm ? body.toString() : JSON.stringify(body)
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    headers: { Accept: 'application/json', ...headers, ...(body !== undefined && { 'Content-Type': type }) },
    text,
  }
}

/** Returns the JSON object of a response. Another body is an empty object. */
export function dataOfText(text: string): Data {
  try {
    return objectIn(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Throws a `StepError` for a response that is not a success. */
export function requireSuccess(step: string, { status, body }: WalletAnswer): Data {
  if (status < 300) return body
  const reason = [body.error ?? body.code ?? status, body.error_description ?? body.message].filter(Boolean).join(': ')
  throw new StepError(step, status, reason)
}

export const objectIn = (value: unknown): Data => (isJsonObject(value) ? value : {})
export const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
export const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
