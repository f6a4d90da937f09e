import { signal } from '@preact/signals'
import { allows, type Permission } from '../../../../shared/access/permissions.ts'
import type { operations, paths } from '../../../../shared/client/api.d.ts'
import { type Answered, api, callApi, isSignedOut, signIns } from './api.ts'

export type Session = paths['/console/session']['get']['responses'][200]['content']['application/json']

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

/** An operation, by its id in the reference. */
export type Operation = keyof operations

/**
 * Returns whether the roles give all of these operations and permissions. The service decides which operations they are, by the check of
 * each request. A permission is for what an answer contains only with it, such as the claims of people (`users:read`).
 */
export function can(...needed: readonly (Operation | Permission)[]): boolean {
  return needed.every((each) => (isPermission(each) ? hasPermission(each) : session.value?.operations.includes(each)))
}

/** The operations that a button or a form calls. One operation stands for others with the same permission. The list is empty if each user can call it. */
export type Calls = Operation | readonly (Operation | Permission)[]

/** Returns whether the roles allow all that a button or a form calls. */
export function canCall(calls: Calls): boolean {
  return typeof calls === 'string' ? can(calls) : can(...calls)
}

function isPermission(needed: Operation | Permission): needed is Permission {
  return needed.includes(':')
}

function hasPermission(permission: Permission): boolean {
  return allows({ permissions: session.value?.permissions ?? [] }, permission)
}

export function isPlatform(): boolean {
  return session.value?.permissions.includes('tenants:*') ?? false
}
