import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newCertificate, pemOf } from '../../certificates/certificates.ts'
import { parsed } from '../../certificates/trusted-list-signer.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { bytesAt, newEcosystem, newListed, newParticipant, newType } from './factories.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const mdl = 'org.iso.18013.5.1.mDL'

describe.each(['issuer', 'verifier'] as const)('%s policies', (role) => {
  async function newPublisher() {
    const tenant = await service.addTenant()
    const path = await newEcosystem(tenant)
    const credentialId = await newType(tenant, path, { profile: 'mobile', type: mdl })
    const policies = `${path}/${role}-policies`
    const publish = () => tenant.operator.post(policies)
    return { tenant, path, credentialId, policies, publish, latest: `${policies}/public/latest` }
  }

  test('contain the participants in the role with their valid certificates, as in the preview, and are public', async () => {
    const { tenant, path, credentialId, policies, publish, latest } = await newPublisher()
    expect(await tenant.anonymous.get(latest)).toMatchObject({ status: 404 })
    const [one, other, asleep, over] = await Promise.all([
      newCertificate({ name: 'One', ca: true }),
      newCertificate({ name: 'Other', ca: true }),
      newCertificate({ name: 'Asleep', ca: true }),
      newCertificate({ name: 'Over', ca: true, notAfter: new Date(service.clock.now().getTime() - 1000) }),
    ])
    const photo = await newType(tenant, path, { profile: 'mobile', type: 'org.iso.23220.photoid.1' })
    const listed = await newListed(tenant, path, role, { name: 'Transport "Agency"', credentialId, holds: [one, over] })
    await tenant.operator.post(`${listed}/${role}/credentials`, { credentialId: photo })
    const add = (body: object) => tenant.operator.post(`${listed}/${role}-certificates`, body)
    await add({ certificatePem: pemOf(other), docTypes: [mdl, 'unassigned'] })
    await add({ certificatePem: pemOf(asleep), active: false })
    await newListed(tenant, path, role === 'issuer' ? 'verifier' : 'issuer', { credentialId })
    await newParticipant(tenant, path, { isIssuer: true, isVerifier: true })

    const certificate = (each: typeof one, docTypes: string[]) => ({
      id: expect.any(String),
      certificatePem: pemOf(each),
      certificateFingerprint: parsed(each).fingerprint256.replaceAll(':', '').toLowerCase(),
      docTypes: expect.toSatisfy((actual: string[]) => actual.toSorted().join() === docTypes.toSorted().join()),
    })
    const participants = [
      {
        ...{ id: listed.split('/').at(-1), name: 'Transport "Agency"' },
        [`${role}Certificates`]: [certificate(one, [mdl, 'org.iso.23220.photoid.1']), certificate(other, [mdl])],
      },
    ]
    const { body: preview } = await (await tenant.as('dts-consumer')).get(`${policies}/preview`)
    expect(preview).toEqual({ participants })
    const { status, body } = await publish()
    expect([status, body]).toEqual([201, { id: expect.any(String), publishedAt: expect.any(String), ...preview }])
    for (const at of [latest, `${policies}/public/${body.id}`]) {
      expect((await tenant.anonymous.get(at)).body).toStrictEqual(body)
    }
    const packed = await bytesAt(service, tenant, latest, { 'accept-encoding': 'gzip' })
    expect(JSON.parse(String(gunzipSync(packed.bytes)))).toStrictEqual(body)
    // A published policy does not change.
    await tenant.operator.delete(listed)
    expect((await tenant.anonymous.get(latest)).body).toStrictEqual(body)
    expect((await publish()).body.participants).toEqual([])
  })

  test('have different ETags, and the newest remaining one is the latest', async () => {
    const { tenant, policies, publish, latest } = await newPublisher()
    // The clock stands still. Their times are in ascending order anyway.
    const answers = await Promise.all(Array.from({ length: 5 }, publish))
    const published = answers.map(({ body }) => body).toSorted((a, b) => a.publishedAt.localeCompare(b.publishedAt))
    expect(new Set(published.map(({ publishedAt }) => publishedAt)).size).toBe(5)
    const [before, last] = published.slice(-2)
    const { headers, body } = await tenant.anonymous.get(latest)
    expect([body, headers['access-control-allow-origin']]).toEqual([last, '*'])
    const condition = { 'if-none-match': String(headers.etag) }
    expect(await tenant.anonymous.get(latest, condition)).toMatchObject({ status: 304, body: undefined })

    const one = `${policies}/${last.id}`
    const otherTenant = await service.addTenant()
    expect(await otherTenant.operator.delete(one)).toMatchObject({ status: 404 })
    expect(await otherTenant.anonymous.get(latest)).toMatchObject({ status: 404 })
    expect(
      await tenant.operator.delete(one.replace(`${role}-`, role === 'issuer' ? 'verifier-' : 'issuer-')),
    ).toMatchObject({
      status: 404,
    })
    expect(await tenant.operator.delete(one)).toMatchObject({ status: 204 })
    expect(await tenant.operator.delete(one)).toMatchObject({ status: 404 })
    expect(await tenant.anonymous.get(`${policies}/public/${last.id}`)).toMatchObject({ status: 404 })
    expect(await tenant.anonymous.get(latest, condition)).toMatchObject({ status: 200, body: before })
    expect(await tenant.anonymous.get(`${policies}/public/${randomUUID()}`)).toMatchObject({ status: 404 })
    expect(await tenant.anonymous.get(`${policies}/public/first`)).toMatchObject({ status: 400 })
  })
})
