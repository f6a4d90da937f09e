import { signal } from '@preact/signals'
import { allows, type Permission } from '../../../../shared/access/permissions.ts'
import { isBuiltIn, type Role } from '../../../../shared/access/roles.ts'
import type { paths } from '../../../../shared/client/api.d.ts'
import { type Answered, api, callApi, isSignedOut, signIns } from './api.ts'

export type Session = paths['/console/session']['get']['responses'][200]['content']['application/json']
export type { Role }

/** The session of the signed-in user. Undefined before the first response and after signing out. */
export const session = signal<Session | undefined>(undefined)

/** Loads the session. Having no session is not a problem here. */
export async function loadSession(): Promise<Answered<Session>> {
  return took(await callApi(api.GET('/console/session')))
}

export type Credentials = NonNullable<paths['/console/session']['post']['requestBody']>['content']['application/json']

export async function signIn(body: Credentials): Promise<Answered<Session>> {
  return took(await callApi(api.POST('/console/session', { body, params: { header: { 'X-Console': '1' } } })))
}

export async function signOut(): Promise<void> {
  await callApi(api.DELETE('/console/session', { params: { header: { 'X-Console': '1' } } }))
  session.value = undefined
  isSignedOut.value = true
}

function took(answered: Answered<Session>): Answered<Session> {
  if (answered.data) {
    session.value = answered.data
    isSignedOut.value = false
    signIns.value++
  }
  return answered
}

/**
 * Returns whether the screen shows what these roles may do. An admin may do what all other tenant roles may do. The service enforces
 * the permissions.
 */
export function hasRole(...roles: Role[]): boolean {
  const own = session.value?.roles ?? []
  return roles.some((role) => own.includes(role)) || (own.includes('admin') && !roles.includes('platform' as Role))
}

/** Whether the user has a role that the tenant defined. */
export function hasOwnRole(): boolean {
  return (session.value?.roles ?? []).some((role) => !isBuiltIn(role))
}

/** Whether the roles give the permission. */
export function hasPermission(permission: Permission): boolean {
  return allows({ permissions: session.value?.permissions ?? [] }, permission)
}

/** The roles that change nothing, or only what few permissions allow. */
const looking: readonly Role[] = ['viewer', 'auditor', 'helpdesk']

/** Whether the user only looks: buttons and links that change something are hidden, unless the user has the permission of the change. */
export function isOnlyViewing(permission?: Permission): boolean {
  const { roles = [], permissions = [] } = session.value ?? {}
  const mayChange = permission !== undefined && allows({ permissions }, permission)
  return !mayChange && roles.every((role) => !isBuiltIn(role) || looking.includes(role))
}

export function isPlatform(): boolean {
  return session.value?.permissions.includes('tenants:*') ?? false
}
