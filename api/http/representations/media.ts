import type { Readable } from 'node:stream'
import type { Application } from '../application.ts'

/** Bytes that come while they are sent. */
export interface Streamed {
  stream: Readable
  /** Absent where it is not known before. */
  lengthBytes?: number
}

export type ResponsePayload = string | Uint8Array | Streamed

export type Making = Pick<Application, 'deps' | 'tenant'>

/** A media type that a route answers in, and how the answer comes to it. */
export type Media =
  /** The handler's data, in JSON. */
  | { kind: 'json'; type: 'application/json' }
  /** The handler's data, made into something else. */
  | Made
  | Given
  /** Not Accept chooses it but the handler, which says how it is made (`Answer.as`). */
  | { kind: 'chosen'; type: string }

export interface Made {
  kind: 'made'
  type: string
  /** What it is made of went through the response schema. */
  make(data: unknown, making: Making): ResponsePayload | Promise<ResponsePayload>
}

/** The handler answers with the payload itself, or with something that has it. */
export interface Given {
  kind: 'given'
  type: string
  payload?(answered: unknown): unknown
  /** It is not compressed once more, where others of the route are. */
  isDense?: true
}

export const jsonMedia: Media = { kind: 'json', type: 'application/json' }

export function made(type: string, make: Made['make']): Made {
  return { kind: 'made', type, make }
}

export function given(type: string, of: Pick<Given, 'payload' | 'isDense'> = {}): Given {
  return { kind: 'given', type, ...of }
}

export function chosenByHandler(type: string): Media {
  return { kind: 'chosen', type }
}

/** What is sent of data that went through the response schema, or of what the handler gave. */
export function makeResponsePayload(
  media: Media,
  data: unknown,
  making: Making,
): ResponsePayload | Promise<ResponsePayload> {
  if (media.kind === 'json') return JSON.stringify(data)
  if (media.kind === 'made') return media.make(data, making)
  const payload = media.kind === 'given' && media.payload ? media.payload(data) : data
  if (typeof payload === 'string' || payload instanceof Uint8Array || isStreamed(payload)) return payload
  throw new Error(`a handler gave nothing that can be sent as ${media.type}`)
}

export function isStreamed(payload: unknown): payload is Streamed {
  return typeof payload === 'object' && payload !== null && 'stream' in payload
}
