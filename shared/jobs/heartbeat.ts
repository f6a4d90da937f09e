/** A signing worker renews this key; it is gone when none was there for so many seconds. */
export const heartbeatSeconds = 6
export const heartbeatKey = (prefix: string) => `${prefix}:signing-worker`
