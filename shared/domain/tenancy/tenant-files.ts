/**
 * The kinds of objects that the files of a tenant describe, with the paths of their files without the extension. A `*` is a name. An
 * object can refer to objects of kinds before it.
 */
export const filePaths = {
  tenant: 'tenant',
  iaca: 'iacas/*',
  'sign-in provider': 'sign-in-provider',
  'interaction hook': 'interaction-hook',
  'claim source': 'claim-sources/*',
  context: 'contexts/*',
  'compact configuration': 'configurations/compact/*',
  'compact-semantic configuration': 'configurations/compact-semantic/*',
  'web-semantic configuration': 'configurations/web-semantic/*',
  'mobile configuration': 'configurations/mobile/*',
  'sd-jwt configuration': 'configurations/sd-jwt/*',
  view: 'views/*',
  'authorization server': 'authorization-servers/*',
  wallet: 'wallets/*',
  'wallet provider': 'wallet-providers/*',
  'status list configuration': 'status-list-configurations/*',
  'presentation template': 'presentation-templates/*',
  'verifier application': 'verifier-applications/*',
  'verifier wallet provider': 'verifier-wallet-providers/*',
  'trusted issuer': 'trusted-issuers/*',
  'holder application': 'holder-applications/*',
  ecosystem: 'ecosystems/*/ecosystem',
  'verifier template': 'verifier-templates/*',
  'credential type': 'ecosystems/*/types/*',
  participant: 'ecosystems/*/participants/*',
  'VICAL configuration': 'ecosystems/*/vical',
  'RICAL configuration': 'ecosystems/*/rical',
  'pid-providers configuration': 'ecosystems/*/lotes/pid-providers',
  'wallet-providers configuration': 'ecosystems/*/lotes/wallet-providers',
  'wrpac-providers configuration': 'ecosystems/*/lotes/wrpac-providers',
  'wrprc-providers configuration': 'ecosystems/*/lotes/wrprc-providers',
  'eaa-providers configuration': 'ecosystems/*/lotes/eaa-providers',
  'pub-eaa-providers configuration': 'ecosystems/*/lotes/pub-eaa-providers',
  'mdl-providers configuration': 'ecosystems/*/lotes/mdl-providers',
  webhook: 'webhooks/*',
}

export type FileKind = keyof typeof filePaths

/** The name of a file or a folder. */
const name = '[a-z0-9](?:[a-z0-9_-]{0,98}[a-z0-9])?'

const patterns = (Object.keys(filePaths) as FileKind[]).map((kind) => ({
  kind,
  pattern: new RegExp(`^${filePaths[kind].replaceAll('*', `(${name})`)}$`),
}))

/** Finds the kind of a file by its path without the extension, and the names in the path. */
export function fileKindOfPath(path: string): { kind: FileKind; names: string[] } | undefined {
  for (const { kind, pattern } of patterns) {
    const match = pattern.exec(path)
    if (match) return { kind, names: match.slice(1) }
  }
  return undefined
}
