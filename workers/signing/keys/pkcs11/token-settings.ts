import { existsSync } from 'node:fs'
import { type Environment, readSettings, refuse } from '../../../../shared/settings/settings.ts'
import type { TokenSettings } from './messages.ts'
import { addOnFile } from './module-folder.ts'
import { parseTokenUri, TokenUriError } from './token-uri.ts'

const names = ['PKCS11_MODULE', 'PKCS11_TOKEN', 'PKCS11_PIN_FILE'] as const

/**
 * Reads the settings of the token. Returns undefined if none is set. Throws Misconfigured if some are missing, if the URI is not that of
 * a token, and if the module for PKCS#11 is not built.
 */
export function readTokenSettings(env: Environment, builtFile = addOnFile): TokenSettings | undefined {
  const values = readSettings(names, env)
  const { PKCS11_MODULE: module, PKCS11_TOKEN: uri, PKCS11_PIN_FILE: pinFile } = values
  if (module === undefined && uri === undefined && pinFile === undefined) return undefined
  if (module === undefined || uri === undefined || pinFile === undefined) {
    const missing = names.filter((name) => values[name] === undefined)
    refuse([`${missing.join(' and ')} must be set, too: a token needs ${names.join(', ')}.`])
    return undefined
  }
  refuse([...faultsOfUri(uri), ...(existsSync(builtFile) ? [] : [notBuilt])])
  return { module, uri, pinFile }
}

const notBuilt = 'PKCS11_MODULE is set, but the module for PKCS#11 is not built. Run `npm run pkcs11:build`.'

function faultsOfUri(uri: string): string[] {
  try {
    parseTokenUri(uri)
    return []
  } catch (error) {
    if (!(error instanceof TokenUriError)) throw error
    return [`PKCS11_TOKEN ${error.message}`]
  }
}
