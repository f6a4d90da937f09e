import { type Certified, pemOf } from '../../certificates/certificates.ts'

const address = {
  postal: { streetAddress: '1 Main Street', locality: 'Brussels', postalCode: '1000', country: 'BE' },
  electronic: ['mailto:trust@agency.example', 'https://agency.example/'],
}

/** An entity with the certificates of its issuance service. */
export const entityOf = (name: string, ...certificates: Certified[]) => ({
  ...{ name, country: 'BE', address, informationUri: 'https://agency.example/' },
  services: [{ name: 'Issuance', type: 'issuance', certificates: certificates.map(pemOf) }],
})

/** The same address with all members. */
export const wholeAddress = { ...address, postal: { ...address.postal, stateOrProvince: 'Brussels' } }

/** A configuration of lists of trusted entities. */
export const loteBody = (entities: object[] = []) => ({
  ...{ schemeOperatorName: 'Agency', schemeOperatorAddress: address, entities },
  ...{ schemeName: 'Providers', schemeInformationUri: 'https://agency.example/scheme' },
  policyUri: 'https://agency.example/policy',
})
