import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { CopyButton } from './copy.tsx'
import { EventsLink } from './events-link.tsx'
import { say } from './language.ts'
import { ManagedMark } from './managed-mark.tsx'
import { requestLog } from './request-log.ts'
import { isOnlyViewing } from './session.ts'
import { commonTexts } from './texts.ts'

/** The frame of each screen: heading, link to the list, actions, and the curl commands. */
export function Screen(props: {
  title: string
  /** The list that contains this object. */
  up?: { href: string; title: string }
  actions?: ComponentChildren
  /** The path of the object in the API, if configuration files can manage it. */
  resource?: string
  /** The object, for a link to its events. */
  objectId?: string
  children: ComponentChildren
}) {
  const { title, up, actions, resource, objectId, children } = props
  useEffect(() => {
    document.title = `${title} · Trustwright`
  }, [title])
  return (
    <main id="main" tabIndex={-1} class={isOnlyViewing() ? 'viewing' : ''}>
      {up && (
        <nav class="up" aria-label={say(commonTexts.up)}>
          <a href={up.href}>← {up.title}</a>
        </nav>
      )}
      <header class="head">
        <h1>{title}</h1>
        {(actions || objectId) && (
          <div class="actions">
            {objectId && <EventsLink of={objectId} />}
            {!isOnlyViewing() && actions}
          </div>
        )}
      </header>
      {resource && <ManagedMark resource={resource} />}
      {children}
      <Shell />
    </main>
  )
}

function Shell() {
  if (requestLog.value.length === 0) return null
  return (
    <details class="shell">
      <summary>{say(commonTexts.shell)}</summary>
      <p class="soft">{say(commonTexts.token)}</p>
      <ol>
        {requestLog.value.map((line) => (
          <li key={line}>
            <code>{line}</code>
            <CopyButton text={line} label="curl" />
          </li>
        ))}
      </ol>
    </details>
  )
}
