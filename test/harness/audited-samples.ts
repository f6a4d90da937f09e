import { newCertificate, pemOf } from '../certificates/certificates.ts'
import { androidApplication } from '../wallets/android-device.ts'

/** The paths of audited operations, with their requests. */
export const iacas = '/v2/credentials/mobile/iacas'
export const providers = '/v1/users/authentication-providers'
export const applications = '/v1/holder/applications'
export const app = (name: string) => ({ ...androidApplication([], false), name })
export const listConfigurations = '/v2/credentials/mobile/status-lists/configurations'
export const trusted = '/v2/credentials/mobile/trusted-issuers'
export const walletProviders = '/v1/openid/wallet-providers'
export const authority = async (name: string) => ({ certificatePem: pemOf(await newCertificate({ name, ca: true })) })
export const view = (name: string) => ({ name, profile: 'standard', configurations: { profiles: ['compact'] } })
export const wallet = (name: string) => ({ name, redirectUris: ['https://wallet.example/callback'] })
export const provider = (url: string, clientSecret: string) => ({ url, clientId: 'trustwright', clientSecret })
export const webhook = (path: string) => ({ events: ['OpenIdCredentialIssued'], url: `https://hook.example/${path}` })
export const source = (value: string) => ({
  name: 'Register',
  url: 'https://claims.example',
  authorization: { type: 'api-key', value },
  requestMethod: 'GET',
  requestParameters: {},
})
