/** The deprecation of an operation. */
export interface Deprecation {
  announcedAt: Date
  /** The earliest time of its removal. */
  endsAt: Date
  /** The path of the replacement. The route must have all its parameters. */
  successor: string
}

/** Returns the headers of RFC 9745, section 2, and RFC 8594, section 3, with a link of RFC 5829, section 3.3. */
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
