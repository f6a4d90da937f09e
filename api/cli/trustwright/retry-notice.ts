interface Notice {
  baseUrl: string
  /** The time that the client repeats requests, in milliseconds. 0: not at all. */
  maxRetryMs: number
  stderr: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>
}

/**
 * Returns a `fetch` that prints a line when the first retry after a lost connection begins. It prints one line per outage. A call after a
 * lost connection is a retry, because the client repeats requests before it throws.
 */
export function withRetryNotice(send: typeof fetch, { baseUrl, maxRetryMs, stderr }: Notice): typeof fetch {
  if (maxRetryMs === 0) return send
  let state: 'reachable' | 'lost' | 'reported' = 'reachable'
  return async (input, init) => {
    if (state === 'lost') {
      state = 'reported'
      // Replaces the progress bar of a terminal (ECMA-48, EL).
      const start = stderr.isTTY ? '\r\u001b[2K' : ''
      stderr.write(`${start}${baseUrl} cannot be reached. Trying again for ${maxRetryMs / 1000} s.\n`)
    }
    try {
      const response = await send(input, init)
      state = 'reachable'
      return response
    } catch (error) {
      // Fetch Standard, "Fetch methods": a network error is a TypeError.
      if (error instanceof TypeError && state === 'reachable') state = 'lost'
      throw error
    }
  }
}
