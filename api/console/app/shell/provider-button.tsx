import { useState } from 'preact/hooks'
import { api, ask } from '../kit/api.ts'
import { useAction } from '../kit/dialog.tsx'
import { say } from '../kit/language.ts'
import { Trouble } from '../kit/states.tsx'
import { to } from '../kit/url-state.ts'
import { keepFragment } from './arrival.ts'
import { signedInPath } from './session-news.ts'
import { shellTexts } from './texts.ts'

const begin = (path: string) =>
  ask(api.POST('/console/session/provider', { params: { header: { 'X-Console': '1' } }, body: { return: path } }))

/** Goes to the provider, and comes back to where one was. */
export function ProviderButton({ name }: { name: string }) {
  const { run, problem, isBusy } = useAction(begin, ({ url }) => {
    keepFragment()
    location.assign(url)
  })
  const here = location.pathname.startsWith('/console/') ? location.pathname + location.search : to('/')
  return (
    <>
      {problem && <Trouble problem={problem} />}
      <button type="button" class="primary wide" disabled={isBusy} onClick={() => void run(here)}>
        {say(shellTexts.signInWith, { name })}
      </button>
    </>
  )
}

/** The same in another tab: what is typed in this one stays. */
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
      // The provider is not to reach this page.
      tab.opener = null
      tab.location.href = url
    },
  )
  return (
    <>
      {problem && <Trouble problem={problem} />}
      {/* Opened by the click itself: later on browsers take it for a window that nobody wants. */}
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
