import type { Log } from '../../../shared/log/log.ts'
import { type KeySigners, readKeySigners } from '../../../shared/settings/key-signers.ts'
import type { Environment } from '../../../shared/settings/settings.ts'
import type { TokenSettings } from './pkcs11/messages.ts'
import type { Token, TokenOptions } from './pkcs11/open-token.ts'
import { readTokenSettings } from './pkcs11/token-settings.ts'
import type { KeyProvider } from './provider.ts'

/** The settings of the providers of private keys besides the software. */
export interface ProviderSettings {
  token: TokenSettings | undefined
  /** The token, if it is open already because it has a key-encryption key. */
  openToken?: Token | undefined
  signers: KeySigners
}

/** Reads the settings of a signing process. Throws Misconfigured. */
export function readProviderSettings(env: Environment, openToken?: Token): ProviderSettings {
  return { token: readTokenSettings(env), openToken, signers: readKeySigners(env) }
}

/**
 * Opens the providers of private keys. Throws Misconfigured with one line for the operator if the token cannot be opened. A remote signer that
 * does not answer is an alarm, and does not delay the start. `deadlineMs` is that of the requests of clients, for which a token is waited for.
 */
export async function openProviders(
  { token, openToken, signers }: ProviderSettings,
  log: Log,
  deadlineMs: number,
): Promise<KeyProvider[]> {
  return [
    ...(token
      ? [await openTokenProvider(openToken ?? { ...token, log, requestMs: deadlineMs, waitsForPin: true })]
      : []),
    ...(await openRemoteProviders(signers, log)),
  ]
}

async function openTokenProvider(token: Token | TokenOptions): Promise<KeyProvider> {
  const [{ openToken }, { createTokenProvider }] = await Promise.all([
    import('./pkcs11/open-token.ts'),
    import('./pkcs11/token-provider.ts'),
  ])
  // A supervisor that restarts the process would try a wrong PIN each time, and tokens lock after a few.
  return createTokenProvider('sign' in token ? token : await openToken(token))
}

async function openRemoteProviders(signers: KeySigners, log: Log): Promise<KeyProvider[]> {
  if (signers.size === 0) return []
  const { createRemoteProvider } = await import('./remote/remote-provider.ts')
  const providers = [...signers].map(([name, signer]) => createRemoteProvider(name, signer, { log }))
  for (const provider of providers) provider.check().catch(() => undefined)
  return providers
}
