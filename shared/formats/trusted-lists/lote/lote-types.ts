/** The lists of trusted entities (ETSI TS 119 602, annexes D to I) that this service reads and publishes. */
export const loteTypeNames = [
  'pid-providers',
  'wallet-providers',
  'wrpac-providers',
  'wrprc-providers',
  'eaa-providers',
  'pub-eaa-providers',
  'mdl-providers',
] as const

export type LoteType = (typeof loteTypeNames)[number]

export const loteServiceNames = ['issuance', 'revocation'] as const

export type LoteService = (typeof loteServiceNames)[number]

/** The requirements of a type of list. The URIs are those of the standard, of the lists of the EU and of `@owf/eudi-lote`. */
export interface LoteProfile {
  loteType: string
  /** Accepted values. Published lists have the first one. The spelling differs between the sources (docs/eudi.md). */
  statusDetermination: readonly [string, ...string[]]
  communityRules: string
  services: Record<LoteService, string>
  /** One information URI of each entity is this text followed by its country. Absent if there is no such rule. */
  entityUri?: string
  /** Years of history. `absent`: the member must not be present. Without a value, any number is accepted. */
  history?: number | 'absent'
  /** Whether the list may point to other lists. */
  mayPoint: boolean
  /** Whether services can have a status. */
  hasStatus?: boolean
  /** Whether the entities issue credentials of a type. */
  listsIssuers: boolean
  /** The types of credentials for which the issuers of the list are trusted by default. */
  types?: readonly string[]
}

const etsi = 'http://uri.etsi.org/19602'
const mdl = 'http://trust.ec.europa.eu/lists/mDL'

/** Two types of PID: the namespace of ISO mdoc and the `vct` of SD-JWT VC (PID rulebook). */
const pidTypes = ['eu.europa.ec.eudi.pid.1', 'urn:eudi:pid:1'] as const

export const loteProfiles: Record<LoteType, LoteProfile> = {
  'pid-providers': {
    ...common('PID', { list: 'PIDProvidersList', rules: 'PIDProviders', entity: 'PIDProvider' }),
    ...{ history: 'absent', mayPoint: true, listsIssuers: true, types: pidTypes },
  },
  'wallet-providers': {
    ...common('WalletSolution', { list: 'WalletProvidersList', entity: 'WalletProvider' }),
    ...{ history: 'absent', mayPoint: true, listsIssuers: false },
  },
  'wrpac-providers': {
    ...common('WRPAC', { list: 'WRPACProvidersList', entity: 'WRPACProvider' }),
    ...{ history: 'absent', mayPoint: true, listsIssuers: false },
  },
  'wrprc-providers': {
    ...common('WRPRC', { list: 'WRPRCProvidersList', entity: 'WRPRCProvider' }),
    // Table G.1 has the first spelling.
    statusDetermination: [`${etsi}/WRPRCrovidersList/StatusDetn/EU`, `${etsi}/WRPRCProvidersList/StatusDetn/EU`],
    ...{ history: 'absent', mayPoint: true, listsIssuers: false },
  },
  'eaa-providers': {
    ...common('EAA', { list: 'EAAProvidersList', entity: 'EAAProvider' }),
    statusDetermination: quoted('EAAProvidersList'),
    ...{ mayPoint: false, listsIssuers: true },
  },
  'pub-eaa-providers': {
    ...common('PubEAA', { list: 'PubEAAProvidersList', entity: 'PubEAAProvider' }),
    statusDetermination: quoted('PubEAAProvidersList'),
    ...{ history: 65_535, mayPoint: false, hasStatus: true, listsIssuers: true },
  },
  // The standard has no annex for this list. The EU defines it.
  'mdl-providers': {
    loteType: `${mdl}/mDLProvidersListType`,
    statusDetermination: [`${mdl}/mDLProvidersListStatusDetn`],
    communityRules: `${mdl}/schemerules`,
    services: { issuance: `${mdl}/SvcType/Issuance`, revocation: `${mdl}/SvcType/Revocation` },
    ...{ mayPoint: true, listsIssuers: true, types: ['org.iso.18013.5.1.mDL'] },
  },
}

function common(
  service: string,
  { list, rules = list, entity }: { list: string; rules?: string; entity: string },
): Pick<LoteProfile, 'loteType' | 'statusDetermination' | 'communityRules' | 'services' | 'entityUri'> {
  return {
    loteType: `${etsi}/LoTEType/EU${list}`,
    statusDetermination: [`${etsi}/${list}/StatusDetn/EU`],
    communityRules: `${etsi}/${rules}/schemerules/EU`,
    services: {
      issuance: `${etsi}/SvcType/${service}/Issuance`,
      revocation: `${etsi}/SvcType/${service}/Revocation`,
    },
    entityUri: `${etsi}/ListOfTrustedEntities/${entity}/`,
  }
}

/** `@owf/eudi-lote` 0.2.0 requires the quotation mark at the end. The lists of the EU do not have it. */
function quoted(list: string): [string, string] {
  return [`${etsi}/${list}/StatusDetn/EU"`, `${etsi}/${list}/StatusDetn/EU`]
}

/** The longest time from `ListIssueDateTime` to `NextUpdate`: six months (annexes D to I), as `@owf/eudi-lote` counts them. */
export const maxLoteDays = 186
