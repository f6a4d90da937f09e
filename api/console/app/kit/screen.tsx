import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { CopyButton, Id } from './copy.tsx'
import { EventsLink } from './events-link.tsx'
import { say } from './language.ts'
import { ManagedMark } from './managed-mark.tsx'
import { draftRequest, requestLog } from './request-log.ts'
import { session } from './session.ts'
import { type CommandLanguage, languages, snippetOf } from './snippets.ts'
import { commonTexts } from './texts.ts'

/** The frame of each screen: heading, link to the list, actions, and the commands that repeat its requests. */
export function Screen(props: {
  title: string
  /**
   * The operator's own reference of the object, which is the heading. The title and the id are below it in small letters. The title of the
   * document stays the same, because browsers keep titles in their history.
   */
  label?: { text: string; id: string } | undefined
  /** The list that contains this object. */
  up?: { href: string; title: string }
  actions?: ComponentChildren
  /** The path of the object in the API, if configuration files can manage it. */
  resource?: string
  /** The object, for a link to its events. */
  objectId?: string
  children: ComponentChildren
}) {
  const { title, label, up, actions, resource, objectId, children } = props
  useEffect(() => {
    document.title = `${title} · Trustwright`
  }, [title])
  return (
    <main id="main" tabIndex={-1}>
      {up && (
        <nav class="up" aria-label={say(commonTexts.up)}>
          <a href={up.href}>← {up.title}</a>
        </nav>
      )}
      <header class="head">
        {label ? (
          <div>
            <h1>{label.text}</h1>
            <small class="soft">
              {title} <Id value={label.id} />
            </small>
          </div>
        ) : (
          <h1>{title}</h1>
        )}
        {(actions || objectId) && (
          <div class="actions">
            {objectId && <EventsLink of={objectId} />}
            {actions}
          </div>
        )}
      </header>
      {session.value?.isReadOnly && (
        <p class="note" role="status">
          {say(commonTexts.readOnly)}
        </p>
      )}
      {resource && <ManagedMark resource={resource} />}
      {children}
      <Shell />
    </main>
  )
}

/** The language of the commands. It stays while the console is open. */
const language = signal<CommandLanguage>('curl')

function Shell() {
  const draft = draftRequest.value
  const all = draft ? [draft, ...requestLog.value] : requestLog.value
  if (all.length === 0) return null
  const snippets = all.map((request) => snippetOf(language.value, request))
  return (
    <details class="shell">
      <summary>{say(commonTexts.shell)}</summary>
      <p class="soft">{say(commonTexts.token)}</p>
      <label class="command-language">
        {say(commonTexts.commandLanguage)}{' '}
        <select
          value={language.value}
          onChange={({ currentTarget }) => {
            language.value = currentTarget.value as CommandLanguage
          }}
        >
          {languages.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <ol>
        {snippets.map((snippet, index) => (
          <li key={snippet}>
            <div>
              {draft && index === 0 && <p>{say(commonTexts.formSends)}</p>}
              <code>{snippet}</code>
            </div>
            <CopyButton text={snippet} label={language.value} />
          </li>
        ))}
      </ol>
    </details>
  )
}
