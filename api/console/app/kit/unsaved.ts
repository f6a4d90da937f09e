import { useLayoutEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { say } from './language.ts'
import { commonTexts } from './texts.ts'

/** The address of the screen with unsaved input. */
let unsavedAt: string | undefined

/** Asks for confirmation before the user leaves unsaved input by a link, by the back button or by closing the page. */
export function useUnsaved(isUnsaved: boolean): void {
  const { url } = useLocation()
  // An effect would run after the next paint. Input that is typed and left before that would be lost without a question.
  useLayoutEffect(() => {
    if (!isUnsaved) return
    unsavedAt = url
    const confirmUnload = (event: Event) => event.preventDefault()
    const confirmLink = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a[href]')
      const isElsewhere = !link || link.getAttribute('target') === '_blank' || event.ctrlKey || event.metaKey
      const staysHere = isElsewhere || link.getAttribute('href')?.startsWith('#')
      if (staysHere || confirm(say(commonTexts.leave))) return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('beforeunload', confirmUnload)
    // Listens before the router, which listens for clicks as well.
    addEventListener('click', confirmLink, { capture: true })
    return () => {
      unsavedAt = undefined
      removeEventListener('beforeunload', confirmUnload)
      removeEventListener('click', confirmLink, { capture: true })
    }
  }, [isUnsaved, url])
}

/**
 * Asks for confirmation before the back button leaves unsaved input. Call it before the router adds its listener: listeners of the
 * window run in the order of registration, and this one stops the event if the user stays.
 */
export function watchBack(): void {
  addEventListener('popstate', (event) => {
    // Moves within the page, for example to its content.
    const staysHere = location.pathname + location.search === unsavedAt
    if (unsavedAt === undefined || staysHere || confirm(say(commonTexts.leave))) return
    // The browser has already changed the address. Pushes the address of this screen again.
    history.pushState(null, '', unsavedAt)
    event.stopImmediatePropagation()
  })
}
