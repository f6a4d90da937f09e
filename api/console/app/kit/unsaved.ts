import { useEffect } from 'preact/hooks'
import { say } from './language.ts'
import { words } from './texts.ts'

/** While something is typed that is not saved, leaving the screen by a link, or the page, asks first. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    const askOfPage = (event: Event) => event.preventDefault()
    const askOfLink = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a[href]')
      const staysHere = !link || link.getAttribute('target') === '_blank' || event.ctrlKey || event.metaKey
      if (staysHere || confirm(say(words.leave))) return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('beforeunload', askOfPage)
    // Before the router, which listens there too.
    addEventListener('click', askOfLink, { capture: true })
    return () => {
      removeEventListener('beforeunload', askOfPage)
      removeEventListener('click', askOfLink, { capture: true })
    }
  }, [isUnsaved])
}
