import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { registeredId } from './access-authority.ts'
import { base64Of, type Certified, newCertificate } from './certificates.ts'

export interface RegistrationChanges {
  header?: Partial<JWTHeaderParameters>
  payload?: JWTPayload | Record<string, unknown>
  signer?: Certified
}

/** A registrar that signs registration certificates (ETSI TS 119 475 version 1.2.1, section 5.2). */
export async function newRegistrar() {
  const root = await newCertificate({ name: 'Registrar root', ca: true })
  const certified = await newCertificate({ name: 'Registrar', issuer: root })
  return {
    ...{ root, certified },
    register({ header, payload, signer = certified }: RegistrationChanges, at: Date): Promise<string> {
      const iat = Math.floor(at.getTime() / 1000)
      const claims = {
        ...{ name: 'Transport Agency', sub_ln: 'Transport Agency', sub: registeredId, country: 'BE' },
        entitlements: ['https://uri.etsi.org/19475/Entitlement/PID_Provider'],
        ...{ iat, exp: iat + 86_400 },
        ...payload,
      }
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', typ: 'rc-wrp+jwt', x5c: [base64Of(certified)], ...header })
        .sign(signer.keys.privateKey)
    },
  }
}
