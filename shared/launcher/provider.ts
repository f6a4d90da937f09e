import { resolve } from 'node:path'
import type { Config } from '../settings/config.ts'
import { keepIdentityProviderFacts } from './identity-provider-facts.ts'
import { isInstalled } from './is-installed.ts'
import { requireFreePort } from './ports.ts'

export const providerHost = '127.0.0.1'

type ProviderSettings = Pick<Config, 'production' | 'publicScheme' | 'providerPort'>

/** Returns the address of the development provider. Undefined in production, and without development dependencies. */
export function providerAddress(config: ProviderSettings): string | undefined {
  const { production, publicScheme, providerPort } = config
  const hasProvider = !production && publicScheme === 'http' && providerPort !== 0 && isInstalled('oidc-provider')
  return hasProvider ? `http://${providerHost}:${providerPort}` : undefined
}

/** Prepares the file of the development provider, if there is one. Throws StartupError if its port is in use. */
export async function prepareProvider(config: Config): Promise<string | undefined> {
  const address = providerAddress(config)
  if (address === undefined) return undefined
  await requireFreePort('PROVIDER_PORT', config.providerPort, providerHost)
  return keepIdentityProviderFacts(resolve(config.dataDir), address).issuer
}
