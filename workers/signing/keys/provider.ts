import { Problem } from '../../../shared/errors/errors.ts'

/** The provider does not answer now. The request waits until its deadline, and then gets 503 with `Retry-After`, or it is deferred. */
export class KeyProviderUnavailable extends Problem {
  constructor(message: string, { cause }: { cause?: unknown } = {}) {
    super('service_unavailable', { message, cause })
  }
}

/** The provider refuses for good: a mechanism is missing, the token is full, the key is unknown. The message names what to do. */
export class KeyProviderRefused extends Error {}
