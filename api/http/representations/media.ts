import type { Readable } from 'node:stream'
import type { Application } from '../application.ts'

/** A payload that is produced while it is sent. */
export interface Streamed {
  stream: Readable
  /** Absent if it is unknown. */
  lengthBytes?: number
}

export type ResponsePayload = string | Uint8Array | Streamed

export type GenerationContext = Pick<Application, 'deps' | 'tenant'>

/** A media type of a route, and how its payload is made. */
export type Media =
  /** The data of the handler in JSON. */
  | { kind: 'json'; type: 'application/json' }
  | GeneratedMedia
  | HandlerMedia
  /** The handler chooses it instead of Accept, and makes its payload (`Answer.as`). */
  | { kind: 'chosen'; type: string }

/** The payload is made of the data of the handler. */
export interface GeneratedMedia {
  kind: 'generated'
  type: string
  /** `data` has passed the response schema. */
  make(data: unknown, context: GenerationContext): ResponsePayload | Promise<ResponsePayload>
  /** Among types with the same weight, the first one in Accept is chosen. */
  followsOrder?: true
}

/** The handler returns the payload, or a value that contains it. */
export interface HandlerMedia {
  kind: 'handler'
  type: string
  payload?(answer: unknown): unknown
  /** The payload is compressed already. It is sent without gzip, even if the route has `gzip`. */
  isDense?: true
}

export const jsonMedia: Media = { kind: 'json', type: 'application/json' }

export function generatedMedia(
  type: string,
  make: GeneratedMedia['make'],
  of: Pick<GeneratedMedia, 'followsOrder'> = {},
): GeneratedMedia {
  return { kind: 'generated', type, make, ...of }
}

export function handlerMedia(type: string, of: Pick<HandlerMedia, 'payload' | 'isDense'> = {}): HandlerMedia {
  return { kind: 'handler', type, ...of }
}

export function chosenByHandler(type: string): Media {
  return { kind: 'chosen', type }
}

/** Makes the payload of data that has passed the response schema, or of the value that the handler returned. */
export function makeResponsePayload(
  media: Media,
  data: unknown,
  context: GenerationContext,
): ResponsePayload | Promise<ResponsePayload> {
  if (media.kind === 'json') return JSON.stringify(data)
  if (media.kind === 'generated') return media.make(data, context)
  const payload = media.kind === 'handler' && media.payload ? media.payload(data) : data
  if (typeof payload === 'string' || payload instanceof Uint8Array || isStreamed(payload)) return payload
  throw new Error(`the handler returned no payload for ${media.type}`)
}

export function isStreamed(payload: unknown): payload is Streamed {
  return typeof payload === 'object' && payload !== null && 'stream' in payload
}
