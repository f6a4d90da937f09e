import { existsSync, readFileSync } from 'node:fs'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import type { Erased, History } from './actions.ts'
import { must } from './outside.ts'
import type { SimulatedTenant } from './tenants.ts'

/** Requires that no text of an erased person is in the files of the database. */
export function requireErased(file: string, erased: readonly Erased[]): void {
  const canaries = new Set(erased.map(({ canary }) => canary))
  for (const name of [file, `${file}-wal`]) {
    if (!existsSync(name)) continue
    const bytes = readFileSync(name)
    for (let at = bytes.indexOf('Canary-'); at !== -1; at = bytes.indexOf('Canary-', at + 1)) {
      const [canary = ''] = /^Canary-\d+-person/.exec(bytes.toString('latin1', at, at + 40)) ?? []
      must(!canaries.has(canary), `${name} has ${canary}, who was erased`)
    }
  }
}

/** Requires that each erased person is unknown, and that each receipt is signed with a published key. */
export async function requireReceipts(tenants: readonly SimulatedTenant[], { erased }: History): Promise<void> {
  for (const tenant of tenants) {
    const operator = await tenant.operator()
    const ofTenant = erased.filter((each) => each.tenant === tenant)
    for (const { id } of ofTenant.slice(-3)) {
      const { status } = await operator.get(`/v1/users/${id}`)
      must(status === 404, `an erased user is answered with ${status}`)
    }
    const { data } = (await operator.get('/v1/erasures?limit=1000')).body
    must(data.length >= ofTenant.length, `${ofTenant.length} people were erased, ${data.length} receipts are listed`)
    const keys = createLocalJWKSet(await tenant.outside.json<JSONWebKeySet>('/v1/audit/jwks'))
    for (const { id, receipt } of data) {
      must(receipt !== undefined, `erasure ${id} has no receipt`)
      await jwtVerify(receipt, keys, { typ: 'erasure-receipt+jwt', currentDate: new Date(0), clockTolerance: '9999y' })
    }
  }
}
