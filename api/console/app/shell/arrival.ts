import { signal } from '@preact/signals'
import type { Text } from '../kit/language.ts'
import type { Problem } from '../kit/problem.ts'
import { loadSession, session, signIn } from '../kit/session.ts'
import { failureTexts } from './failure-texts.ts'
import { shellTexts } from './texts.ts'

/** Why somebody who was sent here to be signed in is not. */
export const refusal = signal<Text | Problem | undefined>(undefined)

/**
 * Signs in by the one-time link where there is one (`#code=`), takes note of why a provider's sign-in failed (`#error=`), and finds
 * out who is signed in.
 */
export async function arrive(): Promise<void> {
  const { code, error } = takeFromAddress()
  if (error === undefined) takeFragmentBack()
  refusal.value = undefined
  const { problem } = code === undefined ? await loadSession() : await signIn({ code })
  if (!problem) return
  // The session may stand: signing in would not help.
  if (problem.kind === 'foreign') refusal.value = problem
  if (code !== undefined) {
    await loadSession()
    if (!session.value) refusal.value = problem.kind === 'signedOut' ? shellTexts.linkEnded : problem
  }
  if (error !== undefined && !session.value) refusal.value = failureOf(error)
}

const fragmentKey = 'console-fragment'

/** What one looks for is behind the `#` of the address, and neither provider nor service is told: it waits here until one comes back. */
export function keepFragment(): void {
  sessionStorage.setItem(fragmentKey, location.pathname + location.hash)
}

function takeFragmentBack(): void {
  const kept = sessionStorage.getItem(fragmentKey)
  sessionStorage.removeItem(fragmentKey)
  if (!kept?.startsWith(`${location.pathname}#`) || location.hash) return
  history.replaceState(null, '', location.pathname + location.search + kept.slice(location.pathname.length))
}

/** A link that is opened where the console is already open changes the end of its address alone. */
export function arriveAgain(): void {
  if (/^#(code|error)=/.test(location.hash)) void arrive()
}

/** They are of no use to anybody who reads the history. */
function takeFromAddress(): { code: string | undefined; error: string | undefined } {
  const given = new URLSearchParams(location.hash.slice(1))
  const code = given.get('code') ?? undefined
  const error = given.get('error') ?? undefined
  if (code !== undefined || error !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return { code, error }
}

function failureOf(code: string): Text {
  const known = Object.entries(failureTexts).find(([each]) => each === code)
  return known?.[1] ?? failureTexts.failed
}
