import type { Problem } from '../../../shared/errors.ts'
import type { Made } from './media.ts'

export interface AnswerOptions {
  status?: number
  /** An array is a header for each of its values. */
  headers?: Record<string, string | string[]>
  /** Called when the whole answer was handed to the connection; never when the connection broke before. */
  onSent?: () => void
  /** An answer that tells of a refusal, or hears of a failure, is one in the events. */
  refused?: Problem | undefined
  /** Instead of what Accept chose; the route names its media type as `chosenByHandler`. */
  as?: Made | undefined
  /** Changes whenever the payload does: the `ETag`, where the route has `etag: 'version'`. */
  version?: string | number
  /** Where the route has `maxAgeSeconds: 'answered'`. */
  maxAgeSeconds?: number
  /** Where the route has `attachment`. */
  fileName?: string
  /** The payload in gzip, where the route has `gzip` and it is asked for; absent: it is compressed each time. */
  gzipped?: () => Uint8Array | Promise<Uint8Array>
  /**
   * As long as this is true, everybody who asks for this address is answered the same, and may be without being let through the
   * handler (api/http/response-cache.ts). For routes that are open to anyone and read by crowds.
   */
  freshWhile?: () => boolean
}

/** An answer that is more than its body. */
export class Answer {
  readonly body: unknown
  readonly status: number | undefined
  readonly headers: Record<string, string | string[]>
  readonly onSent: (() => void) | undefined
  readonly refused: Problem | undefined
  readonly as: Made | undefined
  readonly version: string | number | undefined
  readonly maxAgeSeconds: number | undefined
  readonly fileName: string | undefined
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
