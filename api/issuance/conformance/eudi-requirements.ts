import { isKeyBound } from '../../../shared/domain/issuance/profiles.ts'
import { looked, notApplicable, type Requirement } from './finding.ts'

/** The requirements for issuers that ETSI TS 119 472-3 and the ARF add to HAIP 1.0. They are checked for the profile `eudi`. */
export const eudiRequirements = {
  access_certificate: {
    clause: 'ETSI TS 119 472-3, section 4.2.2',
    level: 'must',
    text: 'The metadata are signed with an access certificate',
    check: ({ registered: { access } }) =>
      looked(access !== undefined, `Active access certificate: ${access ?? 'none that is valid now'}`),
    change: 'Create an access certificate, have it certified and activate it: POST /v1/openid/access-certificates',
  },
  registration_certificate: {
    clause: 'ETSI TS 119 472-3, section 4.2.3',
    level: 'must',
    text: 'The metadata contain a registration certificate or the data of the register',
    check: ({ metadata: { issuer } }) =>
      looked(
        issuer.issuer_info !== undefined,
        `issuer_info of the metadata: ${issuer.issuer_info?.map(({ format }) => format).join(', ') ?? 'absent'}`,
      ),
    change: 'Store the registration certificate of the tenant: PUT /v1/openid/registration-certificates',
  },
  reuse_policy: {
    clause: 'ARF, annex 2, ISSU_39',
    level: 'must',
    text: 'Each credential configuration that is bound to a key has a reuse policy',
    check({ configurations }) {
      const bound = configurations.filter(isKeyBound)
      if (bound.length === 0) return notApplicable('No credential configuration is bound to a key of the holder')
      const without = bound.filter(({ settings }) => !settings.reusePolicy).map(({ id }) => id)
      return looked(without.length === 0, `Configurations without reusePolicy: ${without.join(', ') || 'none'}`)
    },
    change: 'Set reusePolicy of each configuration that is named here',
  },
  eudi_formats: {
    clause: 'ETSI TS 119 472-3, section 4.1',
    level: 'must',
    text: 'The formats of the credentials are mso_mdoc and dc+sd-jwt',
    check({ metadata: { issuer } }) {
      const formats = [
        ...new Set(Object.values(issuer.credential_configurations_supported).map(({ format }) => format)),
      ]
      if (formats.length === 0) return notApplicable('The tenant has no credential configuration')
      const isMet = formats.every((format) => format === 'mso_mdoc' || format === 'dc+sd-jwt')
      return looked(isMet, `Formats of the credential configurations: ${formats.join(', ')}`)
    },
    change: 'Make a view with the mobile and sd-jwt configurations: POST /v1/views. Wallets of the EU read no others',
  },
} as const satisfies Record<string, Requirement>
