import { Component, type ComponentChildren, type ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { LocationProvider, lazy, Route, Router } from 'preact-iso'
import { isSignedOut } from '../kit/api.ts'
import { say } from '../kit/language.ts'
import { loadManagedObjects } from '../kit/managed.ts'
import { clearRequestLog } from '../kit/request-log.ts'
import { lackingFor } from '../kit/screen-needs.ts'
import { isPlatform, session } from '../kit/session.ts'
import { Loading } from '../kit/states.tsx'
import { UndoPlace } from '../kit/undo-place.tsx'
import { to } from '../kit/url-state.ts'
import { areas } from './areas.ts'
import { ManagedQuestion } from './managed-question.tsx'
import { Menu } from './menu.tsx'
import { NotFound } from './not-found.tsx'
import { Refused } from './refused.tsx'
import { Search } from './search.tsx'
import { signedInPath } from './session-updates.ts'
import { SignInDialog, SignInScreen, useFirstSession } from './sign-in.tsx'
import { SignedIn } from './signed-in.tsx'
import { shellTexts } from './texts.ts'

/** Sorts fixed paths before parameters: `/certificates/ecosystem-ca/:id` of one area before `/certificates/:kind/:id` of another. */
const screens = areas
  .flatMap((area) => {
    const { host, hasPartForAll, title, screens } = area
    return Object.entries(screens).map(([path, load]) => ({
      ...{ host, isFor: () => hasPartForAll || lackingFor(path).length === 0 },
      refused: () => <Refused title={title} lacking={lackingFor(path)} />,
      path: `/console${path}`,
      component: lazy(load) as ComponentType,
    }))
  })
  .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))

function orderOf({ path }: { path: string }): string {
  return path.replaceAll(/:\w+/g, '\uffff')
}

/** Takes an auditor from the first page to the events. Later the menu leads to the overview. */
function land(): void {
  const isAuditor = session.value?.roles.every((role) => role === 'auditor')
  if (isAuditor && /^\/console\/?$/.test(location.pathname)) history.replaceState(null, '', to('/events'))
}

/** The page that a program opens to sign in. */
const ProgramSignIn = lazy(() => import('./program.tsx'))

/** The console: the menu and a screen for signed-in users, else the sign-in screen. */
export function App() {
  const isKnown = useFirstSession()
  const isOfTenant = session.value !== undefined && !isPlatform()
  useEffect(() => {
    if (isOfTenant) void loadManagedObjects()
  }, [isOfTenant])
  const hasLanded = useRef(false)
  if (!isKnown) return <Loading />
  if (!session.value) return <SignInScreen />
  if (!hasLanded.current) land()
  hasLanded.current = true
  return (
    <LocationProvider scope="/console">
      <button type="button" class="skip" onClick={skip}>
        {say(shellTexts.skip)}
      </button>
      <Menu />
      <Updated>
        <Router onRouteChange={arrive}>
          {screens
            .filter(({ host }) => (host === 'platform') === isPlatform())
            .map(({ path, isFor, refused, component }) => (
              <Route key={path} path={path} component={isFor() ? component : refused} />
            ))}
          <Route path={`/console${signedInPath}`} component={SignedIn} />
          <Route path="/console/program" component={ProgramSignIn} />
          <Route default component={NotFound} />
        </Router>
      </Updated>
      <UndoPlace />
      <Search />
      <ManagedQuestion />
      {isSignedOut.value && <SignInDialog />}
    </LocationProvider>
  )
}

/** Scrolls to the top of a new screen and moves the keyboard focus there. */
function arrive(): void {
  clearRequestLog()
  if (!isPlatform()) void loadManagedObjects()
  scrollTo(0, 0)
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** Moves the focus to the content. It is a button, because the screen uses the fragment (`#`) of the address. */
function skip(): void {
  document.getElementById('main')?.focus()
}

/** Catches errors of a screen, and of a chunk that is missing after an update of the console. Reloading the page helps. */
class Updated extends Component<{ children: ComponentChildren }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static override getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
  }

  override render() {
    return this.state.isBroken ? <Broken /> : this.props.children
  }
}

function Broken() {
  useEffect(() => {
    document.title = 'Trustwright'
  }, [])
  return (
    <main id="main">
      <h1>{say(shellTexts.broken)}</h1>
      <p>{say(shellTexts.brokenAdvice)}</p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        {say(shellTexts.reload)}
      </button>
    </main>
  )
}
