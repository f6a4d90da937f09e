import { useState } from 'preact/hooks'
import { api, callApi } from '../kit/api.ts'
import { useAction } from '../kit/dialog.tsx'
import { say } from '../kit/language.ts'
import { ProblemMessage } from '../kit/states.tsx'
import { to } from '../kit/url-state.ts'
import { keepFragment } from './arrival.ts'
import { signedInPath } from './session-updates.ts'
import { shellTexts } from './texts.ts'

const begin = (path: string) =>
  callApi(api.POST('/console/session/provider', { params: { header: { 'X-Console': '1' } }, body: { return: path } }))

/** Goes to the provider, which returns the user to the current screen. */
export function ProviderButton({ name }: { name: string }) {
  const { run, problem, isBusy } = useAction(begin, ({ url }) => {
    keepFragment()
    location.assign(url)
  })
  const here = location.pathname.startsWith('/console/') ? location.pathname + location.search : to('/')
  return (
    <>
      {problem && <ProblemMessage problem={problem} />}
      <button type="button" class="primary wide" disabled={isBusy} onClick={() => void run(here)}>
        {say(shellTexts.signInWith, { name })}
      </button>
    </>
  )
}

/** Signs in at the provider in another tab, so that input in this tab stays. */
export function ProviderTabButton({ name }: { name: string }) {
  const [blocked, setBlocked] = useState<string>()
  const { run, problem, isBusy } = useAction(
    async (tab: Window | null) => {
      const begun = await begin(to(signedInPath))
      if (begun.problem) tab?.close()
      return begun.data ? { data: { tab, url: begun.data.url } } : begun
    },
    ({ tab, url }) => {
      if (!tab) return setBlocked(url)
      // The page of the provider must not reach this page.
      tab.opener = null
      tab.location.href = url
    },
  )
  return (
    <>
      {problem && <ProblemMessage problem={problem} />}
      {/* Opens the tab in the click handler. Later, browsers would block it as a popup. */}
      <button type="button" class="primary wide" disabled={isBusy} onClick={() => void run(window.open('', '_blank'))}>
        {say(shellTexts.signInWith, { name })} ↗
      </button>
      {blocked && (
        <a href={blocked} target="_blank" rel="noreferrer">
          {say(shellTexts.openProvider)} ↗
        </a>
      )}
    </>
  )
}
