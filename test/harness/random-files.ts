type Files = Record<string, Record<string, unknown>>

const letters = 'abcdefghijklmnopqrstuvwxyz'

/**
 * Makes the files of a random tenant, with objects of most kinds. The same random numbers make the same files. `certificates` are those
 * of authorities, in PEM.
 */
export function randomFiles(random: () => number, certificates: readonly string[]): Files {
  const upTo = (count: number) => Math.floor(random() * (count + 1))
  const chance = () => random() < 0.5
  const word = () => Array.from({ length: 3 + upTo(5) }, () => letters[upTo(25)]).join('')
  const text = () => `${word()} Ä ${word()} "${word()}"`
  const maybe = (members: object) => (chance() ? members : {})
  const files: Files = {}
  let secrets = 0
  const secretName = () => `KEY_${++secrets}`
  const many = (most: number, make: (name: string) => void) => {
    for (let left = upTo(most); left > 0; left--) make(`${word()}-${left}`)
  }
  files.tenant = { name: text(), ...maybe({ publicClients: true }), ...maybe({ branding: { accentColor: '#1f4e79' } }) }
  const some = <Item>(items: readonly Item[]) => items.filter(chance).sort(() => random() - 0.5)
  const iacas: string[] = []
  many(2, (name) => {
    iacas.push(`iacas/${name}`)
    files[`iacas/${name}`] = {
      ...{ commonName: word(), country: 'NZ' },
      ...maybe({ active: false }),
      ...maybe({ stateOrProvinceName: text() }),
    }
  })
  many(2, (name) => {
    const document = { '@context': { [word()]: `https://example.org/${word()}`, ...maybe({ '@version': 1.1 }) } }
    files[`contexts/${name}`] = { url: `https://contexts.example.org/${name}`, document }
  })
  const sources: string[] = []
  many(3, (name) => {
    sources.push(`claim-sources/${name}`)
    files[`claim-sources/${name}`] = {
      ...{ name: text(), url: `https://${word()}.example.org/${word()}` },
      authorization: { type: 'api-key', value: { $secret: secretName() } },
      ...maybe({ requestMethod: 'POST' }),
      ...maybe({ requestParameters: { [word()]: { mapFrom: 'claims.email', ...maybe({ defaultValue: text() }) } } }),
    }
  })
  const common = () => ({
    ...(sources.length > 0 && maybe({ claimSourceId: { $ref: sources[upTo(sources.length - 1)] } })),
    ...maybe({ expiresIn: { months: 1 + upTo(10) } }),
    ...maybe({
      display: [{ name: text() }, { name: text(), locale: 'de', ...maybe({ logoUrl: 'https://l.example/l.png' }) }],
    }),
  })
  const mappings = () => ({
    [word()]: { mapFrom: `claims.${word()}`, ...maybe({ required: true }) },
    x1: { defaultValue: text() },
  })
  for (const profile of ['compact', 'compact-semantic'])
    many(3, (name) => {
      const type = chance() ? { type: `T${profile}${name}` } : {}
      files[`configurations/${profile}/${name}`] = {
        ...type,
        claimMappings: mappings(),
        ...maybe({ revocable: true }),
        ...common(),
      }
    })
  many(2, (name) => {
    files[`configurations/web-semantic/${name}`] = {
      ...{ name: text(), type: 'CourseCertificate', issuer: { name: text() }, claimMappings: mappings() },
      ...maybe({ persist: true }),
      ...common(),
    }
  })
  many(2, (name) => {
    const claims = { ns: { [word()]: { mapFrom: 'claims.a' } } }
    files[`configurations/mobile/${name}`] = { type: `org.example.${word()}`, claimMappings: claims, ...common() }
  })
  many(2, (name) => {
    files[`configurations/sd-jwt/${name}`] = {
      vct: `urn:example:${name}`,
      name: text(),
      claimMappings: mappings(),
      ...(iacas.length > 0 && maybe({ signerCaId: { $ref: iacas[upTo(iacas.length - 1)] } })),
      ...common(),
    }
  })
  const configurations = Object.keys(files).filter((path) => path.startsWith('configurations/'))
  if (configurations.length > 0) {
    const oneOrMore = () => configurations.slice(0, 1 + upTo(configurations.length - 1)).map(($ref) => ({ $ref }))
    many(3, (name) => {
      const settings = { name: text(), path: name, profile: 'standard', ...maybe({ displayName: text() }) }
      files[`views/${name}`] = { ...settings, configurations: { ids: oneOrMore() } }
    })
    many(2, (name) => {
      const client = { clientId: word(), clientSecret: { $secret: secretName() } }
      files[`authorization-servers/${name}`] = {
        ...{ name: text(), issuer: `https://${name}.invalid`, audience: word() },
        ...maybe({ scopes: Object.fromEntries(oneOrMore().map(($ref) => [`${word()}.${word()}`, $ref])) }),
        ...(name.endsWith('1') && maybe({ introspection: client })),
      }
    })
  }
  many(3, (name) => {
    files[`webhooks/${name}`] = {
      events: ['OpenIdCredentialIssued'],
      url: `https://${name}.example.org/`,
      ...maybe({ disabled: true }),
    }
  })
  many(3, (name) => {
    const clientId = maybe({ clientId: name })
    files[`wallets/${name}`] = {
      name: text(),
      redirectUris: [`https://${name}.example.org/cb`],
      ...clientId,
      ...maybe({ dpopRequired: true }),
    }
  })
  many(2, (name) => {
    files[`holder-applications/${name}`] = chance()
      ? { type: 'ios', name: text(), bundleId: `org.example.${word()}`, teamId: 'ABCDE12345' }
      : {
          type: 'android',
          name: text(),
          packageName: `org.example.${word()}`,
          packageSigningCertificateThumbprints: ['ab'.repeat(32)],
        }
  })
  many(2, (name) => {
    const days = { timeToLiveDuration: { days: 1 + upTo(3) }, expiryDuration: { days: 5 + upTo(3) } }
    files[`status-list-configurations/${name}`] = { docType: `org.example.${name}`, ...days }
  })
  many(2, (name) => {
    files[`presentation-templates/${name}`] = {
      domain: 'v.example.org',
      name: text(),
      query: [{ type: 'DIDAuth' }],
    }
  })
  many(2, (name) => {
    files[`verifier-applications/${name}`] = { type: 'web', name: text(), domain: `${word()}.example.org` }
  })
  many(2, (name) => {
    const openid4vpConfiguration = { authorizationEndpoint: `${word()}://` }
    files[`verifier-wallet-providers/${name}`] = { name: text(), openid4vpConfiguration }
  })
  many(2, (name) => {
    const at = `ecosystems/${name}`
    files[`${at}/ecosystem`] = { name: name.slice(0, 40) }
    const types: string[] = []
    many(3, (type) => {
      types.push(`${at}/types/${type}`)
      files[`${at}/types/${type}`] = { profile: 'mobile', type, name: type }
    })
    const parts = () => ({
      ...maybe({ credentialTypes: some(types).map(($ref) => ({ $ref })) }),
      ...maybe({
        certificates: some(certificates).map((certificatePem) => ({
          ...{ certificatePem, ...maybe({ active: false }), ...maybe({ docTypes: [word(), 'org.example.card'] }) },
        })),
      }),
    })
    many(3, (participant) => {
      files[`${at}/participants/${participant}`] = {
        name: participant,
        ...maybe({ isIssuer: true }),
        ...maybe({ country: 'NZ' }),
        ...maybe({ issuer: parts() }),
        ...maybe({ verifier: parts() }),
      }
    })
    if (chance())
      files[`verifier-templates/${name}`] = {
        ...{ name: text(), trust: { issuers: 'list', ecosystemId: { $ref: `${at}/ecosystem` } } },
        dcqlQuery: { credentials: [{ id: 'a', format: 'dc+sd-jwt', meta: { vct_values: [`urn:example:${name}`] } }] },
        ...maybe({ keep: 'claims', keepFor: { days: 1 + upTo(3) } }),
      }
    if (chance())
      files[`${at}/vical`] = {
        vicalProvider: word(),
        ...maybe({ autoPublish: { enabled: true, frequency: 'Weekly' } }),
      }
  })
  if (chance()) files['interaction-hook'] = { interactionHook: { url: `https://${word()}.example.org/step` } }
  if (chance()) {
    const provider = { url: `https://${word()}.example.org`, clientId: word(), clientSecret: { $secret: secretName() } }
    files['sign-in-provider'] = { ...provider, ...maybe({ scope: ['openid', 'email'] }) }
  }
  return files
}
