/** The uses of keys with rotation. A name is the word of paths and settings, a value is the purpose in rows. */
export const keyPurposes = {
  /** Signatures of the tenant's DID: credentials, status lists and messages. */
  credentials: 'did',
  webhooks: 'webhook',
  /** Management tokens and issuer metadata. */
  tokens: 'token',
  /** Encrypted requests of wallets. */
  encryption: 'encryption',
  /** Checkpoints of the audit and receipts of erasures. */
  audit: 'audit',
  /** Assertions by which this service authenticates to sign-in providers (`private_key_jwt`). */
  clientAssertions: 'client-assertion',
} as const

export type KeyUseName = keyof typeof keyPurposes

export const keyUseNames = Object.keys(keyPurposes) as [KeyUseName, ...KeyUseName[]]

export function isKeyUseName(name: string): name is KeyUseName {
  return Object.hasOwn(keyPurposes, name)
}
