import { X509Certificate } from 'node:crypto'
import { importX509, jwtVerify } from 'jose'
import { verifyCwt, verifyJsonLd } from '../verifiers/outside-verifiers.ts'
import { readSdJwt } from '../verifiers/sd-jwt-verifier.ts'
import { requireChain } from './check-authorities.ts'
import type { Held } from './credentials.ts'
import { must } from './outside.ts'
import type { CheckContext } from './published.ts'
import { readMobile } from './read-mobile.ts'

/** Verifies a credential with what is published now. Statuses are verified with the lists. */
export async function checkCredential(context: CheckContext, held: Held): Promise<void> {
  switch (held.profile) {
    case 'compact':
    case 'compact-semantic':
      verifyCwt(held.content, await context.did())
      return
    case 'web-semantic': {
      must(await verifyJsonLd(held.content, await context.did()), `web-semantic credential ${held.id} is not verified`)
      return
    }
    case 'mobile': {
      const { signer, from, until } = readMobile(String(held.content))
      if (!context.history.revoked.has(signer.serialNumber))
        requireChain(context, signer, { kind: 'iaca', from, until })
      return
    }
    case 'sd-jwt':
      return checkSdJwt(context, held)
  }
}

async function checkSdJwt(context: CheckContext, { id, tenant, content }: Held): Promise<void> {
  const text = String(content)
  const { header, payload } = readSdJwt(text)
  const signer = new X509Certificate(Buffer.from(header.x5c[0] ?? '', 'base64'))
  await jwtVerify(text.split('~')[0] ?? '', await importX509(signer.toString(), 'ES256'), { currentDate: context.at })
  const type = await tenant.outside.get(new URL(payload.vct).pathname)
  must(type.status === 200, `the type of SD-JWT VC ${id} is answered with ${type.status}`)
  if (context.history.revoked.has(signer.serialNumber)) return
  const until = new Date(payload.exp * 1000)
  requireChain(context, signer, { kind: 'iaca', from: new Date(payload.iat * 1000), until })
  const { jwks } = await tenant.outside.json<{ jwks: { keys: { x: string }[] } }>('/.well-known/jwt-vc-issuer')
  const { x } = signer.publicKey.export({ format: 'jwk' })
  must(
    jwks.keys.some((key) => key.x === x),
    `the key of SD-JWT VC ${id} is not in the issuer metadata`,
  )
}
