import { signal } from '@preact/signals'
import type { paths } from '../api.d.ts'
import { type Answered, api, ask, isSignedOut, signIns } from './api.ts'

export type Session = paths['/console/session']['get']['responses'][200]['content']['application/json']
export type Role = Session['roles'][number]

/** Who is signed in; undefined before the first answer, and after signing out. */
export const session = signal<Session | undefined>(undefined)

/** Finds out who is signed in. Nobody is no problem here. */
export async function loadSession(): Promise<Answered<Session>> {
  return took(await ask(api.GET('/console/session')))
}

export type Credentials = NonNullable<paths['/console/session']['post']['requestBody']>['content']['application/json']

export async function signIn(body: Credentials): Promise<Answered<Session>> {
  return took(await ask(api.POST('/console/session', { body, params: { header: { 'X-Console': '1' } } })))
}

export async function signOut(): Promise<void> {
  await ask(api.DELETE('/console/session', { params: { header: { 'X-Console': '1' } } }))
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

/** Whether the screen shows what these roles may; the service decides. An admin may what the others may. */
export function hasRole(...roles: Role[]): boolean {
  const own = session.value?.roles ?? []
  return roles.some((role) => own.includes(role)) || (own.includes('admin') && !roles.includes('platform' as Role))
}

export function isPlatform(): boolean {
  return session.value?.permissions.includes('tenants:*') ?? false
}
