import { Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { firstScreenOf } from '../kit/area.ts'
import { chooseLanguage, language, languages, nameOfLanguage, say } from '../kit/language.ts'
import { isPlatform, session, signOut } from '../kit/session.ts'
import { to } from '../kit/url-state.ts'
import { sessionTexts } from '../screens/sessions/texts.ts'
import { areas } from './areas.ts'
import { SearchButton } from './search.tsx'
import { shellTexts } from './texts.ts'

/** The menu: areas, tenant and signed-in user. On a phone it can be collapsed. */
export function Menu() {
  const { path } = useLocation()
  const folded = useRef<HTMLDetailsElement>(null)
  // Collapses the menu on a phone after a navigation.
  useEffect(() => {
    const fold = () => {
      if (folded.current) folded.current.open = wide.matches
    }
    fold()
    wide.addEventListener('change', fold)
    return () => wide.removeEventListener('change', fold)
  }, [path])
  const visibleAreas = areas
    .filter(({ host, isShown }) => (host === 'platform') === isPlatform() && isShown?.() !== false)
    .flatMap((area) => {
      const screen = firstScreenOf(area)
      return screen === undefined ? [] : [{ ...area, screen }]
    })
  return (
    <details class="menu" ref={folded} open={wide.matches}>
      <summary>
        <img src={icon} alt="" width="28" height="28" />
        <span>
          <TenantName />
          <small class="unseen">{say(shellTexts.menu)}</small>
        </span>
      </summary>
      <SearchButton />
      <nav aria-label={say(shellTexts.menu)}>
        {visibleAreas.map(({ path: own, screen, title, group }, index) => (
          <Fragment key={own}>
            {group && group !== visibleAreas[index - 1]?.group && <p class="group">{say(shellTexts[group])}</p>}
            <a href={to(screen)} aria-current={isIn(path, own) ? 'page' : undefined}>
              {say(title)}
            </a>
          </Fragment>
        ))}
        <a href="/docs" target="_blank" rel="noreferrer">
          {say(shellTexts.reference)} ↗
        </a>
      </nav>
      <Who />
    </details>
  )
}

/** Shows a name with a long word in smaller letters, so that the word is on one line. The end of an even longer word is in the tooltip. */
function TenantName() {
  const name = session.value?.tenantName ?? ''
  const isLong = name.split(/\s/).some((word) => word.length > 16)
  return (
    <strong class={isLong ? 'long' : undefined} title={name}>
      {name}
    </strong>
  )
}

const icon = new URL('../icon.svg', import.meta.url).href

/** The same width as in `menu.css`. */
const wide = matchMedia('(min-width: 60rem)')

function isIn(path: string, own: string): boolean {
  const whole = to(own).replace(/\/$/, '')
  return path === whole || (own !== '/' && path.startsWith(`${whole}/`))
}

function Who() {
  return (
    <footer>
      <p>
        <strong>{session.value?.name}</strong>
        <br />
        <span class="soft">{say(session.value?.managementUserId ? shellTexts.asPerson : shellTexts.asClient)}</span>
        <br />
        <span class="soft">{session.value?.roles.join(', ')}</span>
      </p>
      <a href={to('/sessions')}>{say(sessionTexts.title)}</a>
      <label>
        <span class="unseen">{say(shellTexts.language)}</span>
        <select value={language.value} onChange={(event) => void chooseLanguage(event.currentTarget.value)}>
          {languages.map((each) => (
            <option key={each} value={each}>
              {nameOfLanguage(each)}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => void signOut()}>
        {say(shellTexts.signOut)}
      </button>
    </footer>
  )
}
