/** Returns the members and query parameters of a request that the service does not know and ignored, at most 20: `X-Ignored-Fields`. */
export function ignoredFieldsOf({ headers }: Pick<Response, 'headers'>): string[] {
  return (headers.get('X-Ignored-Fields') ?? '').split(', ').filter((field) => field !== '')
}
