/** What an operation that goes away says of itself. */
export interface Deprecation {
  announcedAt: Date
  /** When it may be gone. */
  endsAt: Date
  /** The path of the operation to use instead; its parameters are among the route's own. */
  successor: string
}

/** RFC 9745, section 2, RFC 8594, section 3, and the relation of RFC 5829, section 3.3. */
export function deprecationHeaders(
  { announcedAt, endsAt, successor }: Deprecation,
  params: Readonly<Record<string, string>>,
): Record<string, string> {
  const path = successor.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))
  return {
    Deprecation: `@${announcedAt.getTime() / 1000}`,
    Sunset: endsAt.toUTCString(),
    Link: `<${path}>; rel="successor-version"`,
  }
}
