import { X509Certificate } from 'node:crypto'
import type { SignerKind } from '../../shared/formats/x509/profiles.ts'
import { signersPath } from '../certificates/hierarchy.ts'
import type { ApiResponse } from '../harness/api-client.ts'
import { type Held, issue, profiles, type Status } from './credentials.ts'
import { must } from './outside.ts'
import { addAuthority, authorityPath, type Setting, type SimulatedTenant } from './tenants.ts'

export interface Erased {
  tenant: SimulatedTenant
  id: string
  canary: string
}

/** What holders and operators have done. */
export interface History {
  held: Held[]
  erased: Erased[]
  /** Revoked certificates by serial number. */
  revoked: Map<string, X509Certificate>
  people: number
}

/** An operator repeats a request that has no result. */
const maxTries = 6

export interface ActionDeps extends Setting {
  random: () => number
  history: History
  tenants: SimulatedTenant[]
  /** Starts the process again if a fault has ended it. */
  ensureRunning(): Promise<void>
  /** The kind whose renewal is switched off. */
  without?: string | undefined
}

interface Action {
  name: string
  perYear: number
  run(deps: ActionDeps, tenant: SimulatedTenant): Promise<void>
}

const actions: readonly Action[] = [
  ...profiles.map((profile) => ({
    name: `issue ${profile}`,
    perYear: 30,
    async run(deps: ActionDeps, tenant: SimulatedTenant) {
      const canary = `Canary-${++deps.history.people}-person`
      const lifetime = deps.random()
      for (let tries = 0; tries < maxTries; tries++) {
        const held = await issue(deps, tenant, profile, { lifetime, canary })
        await deps.ensureRunning()
        if (held) return void deps.history.held.push(held)
      }
      must(false, `no ${profile} credential was issued in ${maxTries} tries`)
    },
  })),
  { name: 'revoke for good', perYear: 50, run: (deps, tenant) => change(deps, tenant, 'invalid', true) },
  { name: 'suspend', perYear: 40, run: (deps, tenant) => change(deps, tenant, 'suspended', false) },
  { name: 'end a suspension', perYear: 40, run: (deps, tenant) => change(deps, tenant, 'valid', false) },
  { name: 'erase a person', perYear: 18, run: erase },
  { name: 'rotate keys', perYear: 4, run: rotateKeys },
  { name: 'revoke a signer', perYear: 3, run: revokeSigner },
]

/** Does what holders and operators do in some hours. Returns the names of the actions. */
export async function act(deps: ActionDeps, hours = 1): Promise<string[]> {
  const done: string[] = []
  // In the first hour, each tenant issues a credential of each profile, so that each kind of list is published.
  const isFirst = deps.history.held.length === 0
  for (const tenant of deps.tenants) {
    for (const { name, perYear, run } of actions) {
      const isDrawn = deps.random() < (perYear * hours) / (365 * 24)
      if (!isDrawn && !(isFirst && name.startsWith('issue'))) continue
      done.push(`${tenant.name}: ${name}`)
      await run(deps, tenant)
    }
  }
  return done
}

/** Sends a request until it has a result. A request without a result can have been executed. */
async function until(deps: ActionDeps, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (let tries = 0; ; tries++) {
    const response = await send()
    await deps.ensureRunning()
    if (response.status < 500 || tries === maxTries) return response
  }
}

function chosen<Value>({ random }: ActionDeps, values: Value[]): Value | undefined {
  return values[Math.floor(random() * values.length)]
}

async function change(deps: ActionDeps, tenant: SimulatedTenant, status: Status, isFinal: boolean): Promise<void> {
  const now = deps.clock.now()
  // Revocation lists have no suspension. There it is a revocation that can be undone.
  const held = chosen(
    deps,
    deps.history.held.filter((each) => each.tenant === tenant && !each.isFinal && each.until > now),
  )
  if (!held || held.status === status || (held.profile === 'mobile' && status === 'suspended')) return
  const operator = await tenant.operator()
  const path = `/v2/credentials/${held.profile}/${held.id}`
  const isToken = held.profile === 'mobile' || held.profile === 'sd-jwt'
  const { status: answered, body } = await until(deps, () => {
    if (isToken) return operator.post(`${path}/status`, { status })
    return isFinal
      ? operator.delete(path)
      : operator.post(`${path}/revocation-status`, { isRevoked: status !== 'valid' })
  })
  must(answered < 300 || (isFinal && answered === 404), `${path}: ${answered} ${JSON.stringify(body)}`)
  held.status = isToken || status === 'valid' ? status : 'invalid'
  held.isFinal = isFinal
}

async function erase(deps: ActionDeps, tenant: SimulatedTenant): Promise<void> {
  const held = chosen(
    deps,
    deps.history.held.filter((each) => each.tenant === tenant && each.userId !== undefined),
  )
  if (held?.userId === undefined || held.canary === undefined) return
  const operator = await tenant.operator()
  const { status } = await until(deps, () => operator.delete(`/v1/users/${held.userId}`))
  // A repeated request finds nothing.
  must(status === 204 || status === 404, `an erasure is answered with ${status}`)
  deps.history.erased.push({ tenant, id: held.userId, canary: held.canary })
  held.status = 'invalid'
  held.isFinal = true
  delete held.userId
  delete held.canary
}

async function rotateKeys(deps: ActionDeps, tenant: SimulatedTenant): Promise<void> {
  const use = chosen(deps, ['credentials', 'webhooks', 'tokens', 'encryption', 'audit'])
  const operator = await tenant.operator()
  const { status, body } = await until(deps, () => operator.post(`/v1/keys/${use}/rotate`))
  must(status === 201, `a rotation is answered with ${status} ${JSON.stringify(body)}`)
}

const revocable: readonly SignerKind[] = ['document-signer', 'status-list-signer', 'sd-jwt-signer']

async function revokeSigner(deps: ActionDeps, tenant: SimulatedTenant): Promise<void> {
  const operator = await tenant.operator()
  // The successor of a revoked signer would hide that its renewal is switched off.
  const kind = chosen(
    deps,
    revocable.filter((each) => each !== deps.without),
  )
  if (kind === undefined) return
  const path = signersPath(kind)
  const { body: page } = await until(deps, () => operator.get(path))
  const signer = page.data.find(({ active }: { active: boolean }) => active)
  if (!signer) return
  const { status, body } = await until(deps, () => operator.post(`${path}/${signer.id}/revoke`, {}))
  must(status < 300 || status === 409, `a revocation is answered with ${status} ${JSON.stringify(body)}`)
  const certificate = new X509Certificate(signer.certificatePem)
  deps.history.revoked.set(certificate.serialNumber, certificate)
}

/** The operator looks at the overview on Mondays, and replaces the authorities that it names. */
export async function replaceEndingAuthorities(
  deps: ActionDeps,
  tenant: SimulatedTenant,
  isReplaced: (kind: string, daysLeft: number) => boolean,
): Promise<void> {
  const operator = await tenant.operator()
  const { data } = (await operator.get('/v1/overview/certificates')).body
  for (const { kind, id, renewal, daysLeft } of data) {
    if (renewal !== 'operator') continue
    const authority = tenant.authorities.find((each) => each.id === id)
    if (!authority || !isReplaced(kind, daysLeft)) continue
    if (daysLeft < 0) {
      await operator.put(authorityPath(authority), { active: false })
      continue
    }
    const last = tenant.authorities.findLast((each) => each.kind === authority.kind)
    if (last === authority) await addAuthority(deps, tenant, authority.kind)
  }
}
