import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { CopyButton } from './copy.tsx'
import { say, type Text } from './language.ts'
import { commonTexts } from './texts.ts'
import { to, useQuery } from './url-state.ts'

export type Mood = 'good' | 'warn' | 'bad' | 'quiet'

/** A state as a word. The colour repeats the state. */
export function Badge({ mood, children }: { mood: Mood; children: ComponentChildren }) {
  return <span class={`badge ${mood}`}>{children}</span>
}

/** Names and values of one object. Omits undefined values. */
export function Facts({ of }: { of: readonly (readonly [Text, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== undefined && value !== null && value !== false)
        .map(([name, value]) => (
          <div key={name.id}>
            <dt>{say(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A section of a screen with its own heading. */
export function Section(props: { title: string; actions?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section>
      <header class="head">
        <h2>{props.title}</h2>
        {props.actions && <div class="actions">{props.actions}</div>}
      </header>
      {props.children}
    </section>
  )
}

/** A value as formatted JSON, with a copy button. */
export function Json({ value }: { value: unknown }) {
  return <Verbatim text={JSON.stringify(value, undefined, 2)} label="JSON" />
}

/** A multi-line text that scrolls. With a label it has a copy button. */
export function Verbatim({ text, label }: { text: string; label?: string }) {
  return (
    <div class="json">
      {label && <CopyButton text={text} label={label} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </div>
  )
}

/** A bar from 0 to 1 with its label. */
export function Bar({ part, label, mood }: { part: number; label: string; mood?: Mood }) {
  return (
    <span class={`bar ${mood ?? ''}`}>
      <meter min={0} max={1} value={Math.min(1, Math.max(0, part))} aria-label={label} />
      <span>{label}</span>
    </span>
  )
}

export interface Tab {
  name: string
  title: Text
  /** The heading over the tabs of a group. Either all tabs of a screen have one, or none. */
  group?: Text
  /** The number of entries, which stands after the title. */
  count?: string | undefined
  body: () => ComponentChildren
}

/** The tabs of a screen. Each tab has an address (`?tab=`). The first tab is shown without a query. */
export function Tabs({ of }: { of: readonly Tab[] }) {
  const [{ tab }] = useQuery()
  const { path } = useLocation()
  const currentTab = of.find(({ name }) => name === tab) ?? of[0]
  const at = path.replace(/^\/console/, '')
  const groups = [...new Set(of.map(({ group }) => group))]
  const link = ({ name, title, count }: Tab) => (
    <a
      key={name}
      href={to(at, { tab: name === of[0]?.name ? undefined : name })}
      aria-current={name === currentTab?.name ? 'page' : undefined}
    >
      {say(title)}
      {count && <span class="count"> {count}</span>}
    </a>
  )
  return (
    <>
      <nav class="tabs" aria-label={say(commonTexts.parts)}>
        {groups.length > 1
          ? groups.map((group) => (
              // biome-ignore lint/a11y/useSemanticElements: these are links and no fields
              <div key={group?.id} role="group" aria-label={group && say(group)}>
                <small aria-hidden="true">{group && say(group)}</small>
                {of.filter((tab) => tab.group === group).map(link)}
              </div>
            ))
          : of.map(link)}
      </nav>
      {currentTab?.body()}
    </>
  )
}
