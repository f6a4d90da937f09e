import { useLayoutEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { say } from './language.ts'
import { words } from './texts.ts'

/** Where something is typed that is not saved. */
let unsavedAt: string | undefined

/** While something is typed that is not saved, leaving the screen by a link or by the browser's back, or the page, asks first. */
export function useUnsaved(isUnsaved: boolean): void {
  const { url } = useLocation()
  // An effect would run after the next paint: what is typed and left before that would be lost without a question.
  useLayoutEffect(() => {
    if (!isUnsaved) return
    unsavedAt = url
    const askOfPage = (event: Event) => event.preventDefault()
    const askOfLink = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a[href]')
      const isElsewhere = !link || link.getAttribute('target') === '_blank' || event.ctrlKey || event.metaKey
      const staysHere = isElsewhere || link.getAttribute('href')?.startsWith('#')
      if (staysHere || confirm(say(words.leave))) return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('beforeunload', askOfPage)
    // Before the router, which listens there too.
    addEventListener('click', askOfLink, { capture: true })
    return () => {
      unsavedAt = undefined
      removeEventListener('beforeunload', askOfPage)
      removeEventListener('click', askOfLink, { capture: true })
    }
  }, [isUnsaved, url])
}

/** Called before the router listens: listeners of the window itself are told in their order, and it is told nothing of who stays. */
export function watchBack(): void {
  addEventListener('popstate', (event) => {
    // To another place of the page, such as its content
    const staysHere = location.pathname + location.search === unsavedAt
    if (unsavedAt === undefined || staysHere || confirm(say(words.leave))) return
    // The browser has gone there already: this screen comes after it once more.
    history.pushState(null, '', unsavedAt)
    event.stopImmediatePropagation()
  })
}
