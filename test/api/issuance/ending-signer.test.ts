import { expect, test } from 'vitest'
import { iacas, signersPath } from '../../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../../certificates/openssl-authority.ts'
import { sdJwtConfiguration } from '../../harness/factories.ts'
import { startService } from '../../harness/harness.ts'

test('an offer has a warning in the last hour of the last signer, which does not sign then', async () => {
  await using service = await startService()
  const authority = await newOpensslAuthority()
  const { body: external } = await service.operator.post(iacas, { certificatePem: authority.pem })
  await service.operator.put(`${iacas}/${external.id}`, { active: true })
  const { body: signer } = await service.operator.post(signersPath('sd-jwt-signer'), { iacaId: external.id })
  const certificatePem = await authority.certify(signer.csrPem, {
    days: 1,
    extensions: { extendedKeyUsage: undefined },
  })
  const change = await service.operator.put(`${signersPath('sd-jwt-signer')}/${signer.id}`, {
    active: true,
    certificatePem,
  })
  expect(change.status).toBe(200)
  const credentials = [await sdJwtConfiguration(service)]
  const codes = async () => {
    const { body } = await service.operator.post('/v1/openid/offers/pre-authorized', { credentials })
    return (body.warnings ?? []).flatMap(({ code }: { code?: string }) => code ?? [])
  }
  expect(await codes()).toEqual([])
  service.clock.advance(23.5 * 3_600_000)
  expect(await codes()).toEqual(['no_signer'])
})
