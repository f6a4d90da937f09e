/** Returns a `fetch` whose error names the base URL that cannot be reached. */
export function fetchFrom(baseUrl: string, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      return await send(input, init)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw new Error(`${baseUrl} cannot be reached`, { cause: error.cause })
    }
  }
}
