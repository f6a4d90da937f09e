import { request } from 'undici'
import type { DidDocument } from '../verifiers/outside-verifiers.ts'

export interface Answered {
  status: number
  bytes: Buffer
  type: string
}

/** The view of a verifier: what the service answers to requests without a token. */
export interface Outside {
  get(path: string, accept?: string): Promise<Answered>
  /** Returns the JSON of a document that must be available. */
  json<Value>(path: string): Promise<Value>
}

export function createOutside(origin: string, host: string): Outside {
  async function get(path: string, accept?: string): Promise<Answered> {
    const headers = { host, ...(accept !== undefined && { accept }) }
    const { statusCode: status, body, headers: answered } = await request(origin + path, { headers })
    return { status, bytes: Buffer.from(await body.arrayBuffer()), type: String(answered['content-type']) }
  }
  return {
    get,
    async json<Value>(path: string) {
      const { status, bytes } = await get(path)
      if (status !== 200) throw new Violation(`${path} is answered with ${status}: ${bytes}`)
      return JSON.parse(bytes.toString()) as Value
    },
  }
}

/** An invariant does not hold. */
export class Violation extends Error {}

/** Throws a violation if the condition is false. */
export function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Violation(message)
}

export const pathOf = (url: string) => new URL(url).pathname

export const didDocumentOf = (outside: Outside) => outside.json<DidDocument>('/.well-known/did.json')
