import { signal } from '@preact/signals'
import type { Text } from '../kit/language.ts'
import type { Problem } from '../kit/problem.ts'
import { loadSession, session, signIn } from '../kit/session.ts'
import { failureTexts } from './failure-texts.ts'
import { shellTexts } from './texts.ts'

/** The reason why a sign-in by a link or a provider failed. */
export const refusal = signal<Text | Problem | undefined>(undefined)

/** Signs in by a one-time link (`#code=`), records why the sign-in at a provider failed (`#error=`), and loads the session. */
export async function arrive(): Promise<void> {
  const { code, error } = takeFromAddress()
  if (error === undefined) takeFragmentBack()
  refusal.value = undefined
  const { problem } = code === undefined ? await loadSession() : await signIn({ code })
  if (!problem) return
  // The session may still be valid. Signing in would not help.
  if (problem.kind === 'foreign') refusal.value = problem
  if (code !== undefined) {
    await loadSession()
    if (!session.value) refusal.value = problem.kind === 'signedOut' ? shellTexts.linkEnded : problem
  }
  if (error !== undefined && !session.value) refusal.value = failureOf(error)
}

const fragmentKey = 'console-fragment'

/**
 * Stores the fragment (`#`) of the address until the user returns from the provider. Neither the provider nor the service receives
 * the fragment.
 */
export function keepFragment(): void {
  sessionStorage.setItem(fragmentKey, location.pathname + location.hash)
}

function takeFragmentBack(): void {
  const stored = sessionStorage.getItem(fragmentKey)
  sessionStorage.removeItem(fragmentKey)
  if (!stored?.startsWith(`${location.pathname}#`) || location.hash) return
  history.replaceState(null, '', location.pathname + location.search + stored.slice(location.pathname.length))
}

/** Handles a link that is opened in a tab of the console. Such a link changes only the fragment of the address. */
export function arriveAgain(): void {
  if (/^#(code|error)=/.test(location.hash)) void arrive()
}

/** Reads code and error from the address, and removes them from the history. */
function takeFromAddress(): { code: string | undefined; error: string | undefined } {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const code = fragment.get('code') ?? undefined
  const error = fragment.get('error') ?? undefined
  if (code !== undefined || error !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return { code, error }
}

function failureOf(code: string): Text {
  const failure = Object.entries(failureTexts).find(([each]) => each === code)
  return failure?.[1] ?? failureTexts.failed
}
