import type { Log } from '../../../shared/log/log.ts'
import type { TokenSettings } from './pkcs11/messages.ts'
import type { KeyProvider } from './provider.ts'

/** Opens the providers of private keys. Throws Misconfigured with one line for the operator if one cannot be opened. */
export async function openProviders(token: TokenSettings | undefined, log: Log): Promise<KeyProvider[]> {
  if (!token) return []
  const [{ openToken }, { createTokenProvider }] = await Promise.all([
    import('./pkcs11/open-token.ts'),
    import('./pkcs11/token-provider.ts'),
  ])
  return [createTokenProvider(await openToken({ ...token, log }))]
}
