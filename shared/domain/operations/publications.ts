/** The kinds of published documents that have an end of validity. */
export const publicationKinds = [
  'compact-list',
  'compact-semantic-list',
  'web-semantic-list',
  'mobile-list',
  'sd-jwt-list',
  'iaca',
  'iaca-crl',
  'ecosystem-ca',
  'ecosystem-ca-crl',
  'vical',
  'rical',
] as const

export type PublicationKind = (typeof publicationKinds)[number]
