/** The provider does not answer now. The request waits until its deadline, then 503 with `Retry-After`, or is deferred. */
export class KeyProviderUnavailable extends Error {}

/** The provider refuses for good: a mechanism is missing, the token is full, the key is unknown. The message names what to do. */
export class KeyProviderRefused extends Error {}
