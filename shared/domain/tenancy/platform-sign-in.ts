import { findUrlFault } from '../../outbound/check-outbound-url.ts'
import type { SettingName, Settings } from '../../settings/settings.ts'
import { privateKeyJwt } from '../identifiers/client-assertions.ts'

/** The OpenID Connect provider for sign-in at the host of the platform. */
export interface PlatformSignIn {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  tokenEndpointAuthMethod: string
  assertionAudience: 'issuer' | 'token-endpoint'
  scope: string[]
  claim: string
  userClaim: string
  /** A user with one of these values of the claim has the role `platform`. */
  values: string[]
}

type Given = Settings<Extract<SettingName, `PLATFORM_SIGN_IN_${string}` | `OUTBOUND_ALLOW_${string}`>>

/** Returns undefined if the settings name no provider. */
export function platformSignInOf(settings: Given): PlatformSignIn | undefined {
  const { PLATFORM_SIGN_IN_ISSUER: issuer, PLATFORM_SIGN_IN_CLIENT_ID: clientId } = settings
  const clientSecret = usesKey(settings) ? '' : settings.PLATFORM_SIGN_IN_CLIENT_SECRET
  if (!issuer || !clientId || clientSecret === undefined) return undefined
  return {
    name: settings.PLATFORM_SIGN_IN_NAME,
    issuer,
    clientId,
    clientSecret,
    tokenEndpointAuthMethod: settings.PLATFORM_SIGN_IN_AUTH_METHOD,
    assertionAudience: settings.PLATFORM_SIGN_IN_ASSERTION_AUDIENCE,
    scope: [...new Set(settings.PLATFORM_SIGN_IN_SCOPE.split(' '))],
    claim: settings.PLATFORM_SIGN_IN_CLAIM,
    userClaim: settings.PLATFORM_SIGN_IN_USER_CLAIM,
    values: settings.PLATFORM_SIGN_IN_VALUES,
  }
}

/** Whether a key of the platform takes the place of the secret. */
function usesKey({ PLATFORM_SIGN_IN_AUTH_METHOD: method }: Given): boolean {
  return method === privateKeyJwt
}

/** Returns faults unless all required settings are set, or none. The issuer must be allowed for outbound calls. */
export function faultsOfPlatformSignIn(settings: Given): string[] {
  const needed = {
    PLATFORM_SIGN_IN_ISSUER: settings.PLATFORM_SIGN_IN_ISSUER,
    PLATFORM_SIGN_IN_CLIENT_ID: settings.PLATFORM_SIGN_IN_CLIENT_ID,
    ...(!usesKey(settings) && { PLATFORM_SIGN_IN_CLIENT_SECRET: settings.PLATFORM_SIGN_IN_CLIENT_SECRET }),
    PLATFORM_SIGN_IN_VALUES: settings.PLATFORM_SIGN_IN_VALUES[0],
  }
  const missing = Object.entries(needed).filter(([, value]) => value === undefined)
  if (missing.length === Object.keys(needed).length) return []
  const faults = missing.map(
    ([name]) => `${name} is missing. Sign-in at the platform requires all of ${names(needed)}.`,
  )
  return [...faults, ...faultsOfIssuer(settings)]
}

function faultsOfIssuer({ PLATFORM_SIGN_IN_ISSUER: issuer, ...outbound }: Given): string[] {
  if (issuer === undefined || outbound.OUTBOUND_ALLOW_ORIGINS.includes(new URL(issuer).origin)) return []
  const fault = findUrlFault(issuer, { allowLoopback: outbound.OUTBOUND_ALLOW_LOOPBACK })
  return fault ? [`PLATFORM_SIGN_IN_ISSUER is not allowed: ${fault}.`] : []
}

const names = (needed: object) => Object.keys(needed).join(', ')
