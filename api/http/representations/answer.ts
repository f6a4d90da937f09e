import type { Problem } from '../../../shared/errors/errors.ts'
import type { GeneratedMedia } from './media.ts'

type FileName = string | ((mediaType: string) => string)

export interface AnswerOptions {
  status?: number
  /** An array becomes one header for each value. */
  headers?: Record<string, string | string[]>
  /** Called when the whole answer was handed to the connection. Not called if the connection broke before. */
  onSent?: () => void
  /** The answer counts as a failure in the events and in the log. */
  refused?: Problem | undefined
  /** Replaces the media type that Accept chose. The route must declare it with `chosenByHandler`. */
  as?: GeneratedMedia | undefined
  /** Must change with the payload. It is the `ETag` if the route has `etag: 'version'`. Null: this answer has none, and no ranges. */
  version?: string | number | null
  /** The lifetime of the answer, for a route with `maxAgeSeconds: 'answered'`. */
  maxAgeSeconds?: number
  /** The name of the file, for a route with `attachment`. A function gets the media type that was chosen. */
  fileName?: FileName
  /** Returns the compressed payload, for a route with `gzip`. Without it, each response is compressed again. */
  gzipped?: () => Uint8Array | Promise<Uint8Array>
  /**
   * While it returns true, the response cache may answer all requests to this URL without the handler (api/http/response-cache.ts).
   * For public routes that aggregate anonymous events.
   */
  freshWhile?: () => boolean
}

/** An answer with more than a body. */
export class Answer {
  readonly body: unknown
  readonly status: number | undefined
  readonly headers: Record<string, string | string[]>
  readonly onSent: (() => void) | undefined
  readonly refused: Problem | undefined
  readonly as: GeneratedMedia | undefined
  readonly version: string | number | null | undefined
  readonly maxAgeSeconds: number | undefined
  readonly fileName: FileName | undefined
  readonly gzipped: AnswerOptions['gzipped'] | undefined
  readonly freshWhile: (() => boolean) | undefined

  constructor(body: unknown, options: AnswerOptions) {
    this.body = body
    this.status = options.status
    this.headers = options.headers ?? {}
    this.onSent = options.onSent
    this.refused = options.refused
    this.as = options.as
    this.version = options.version
    this.maxAgeSeconds = options.maxAgeSeconds
    this.fileName = options.fileName
    this.gzipped = options.gzipped
    this.freshWhile = options.freshWhile
  }
}
