/** What the keys that rotate are for: the words of paths and settings, and the purposes of rows. */
export const keyPurposes = {
  /** What the tenant's DID signs: credentials, their lists, and messages. */
  credentials: 'did',
  webhooks: 'webhook',
  /** Management tokens and issuer metadata. */
  tokens: 'token',
  /** For requests of wallets. */
  encryption: 'encryption',
} as const

export type KeyUseName = keyof typeof keyPurposes

export const keyUseNames = Object.keys(keyPurposes) as [KeyUseName, ...KeyUseName[]]

export function isKeyUseName(name: string): name is KeyUseName {
  return Object.hasOwn(keyPurposes, name)
}
