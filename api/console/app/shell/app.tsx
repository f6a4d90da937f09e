import { Component, type ComponentChildren, type ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { LocationProvider, lazy, Route, Router } from 'preact-iso'
import { isSignedOut } from '../kit/api.ts'
import { say } from '../kit/language.ts'
import { clearRequestLog } from '../kit/request-log.ts'
import { hasRole, isPlatform, session } from '../kit/session.ts'
import { Loading } from '../kit/states.tsx'
import { areas } from './areas.ts'
import { Menu } from './menu.tsx'
import { NotFound } from './not-found.tsx'
import { Refused } from './refused.tsx'
import { signedInPath } from './session-news.ts'
import { SignInDialog, SignInScreen, useFirstSession } from './sign-in.tsx'
import { SignedIn } from './signed-in.tsx'
import { shellTexts } from './texts.ts'

/** Names before parameters: `/certificates/ecosystem-ca/:id`, which is one area's, before another's `/certificates/:kind/:id`. */
const screens = areas
  .flatMap(({ host, roles, hasPartForAll, title, screens }) => {
    const refused = () => <Refused title={title} />
    return Object.entries(screens).map(([path, load]) => ({
      ...{ host, refused, isFor: () => host === 'platform' || hasPartForAll || hasRole(...roles) },
      path: `/console${path}`,
      component: lazy(load) as ComponentType,
    }))
  })
  .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))

function orderOf({ path }: { path: string }): string {
  return path.replaceAll(/:\w+/g, '\uffff')
}

/** The console: who is signed in sees the menu and a screen, everybody else how to sign in. */
export function App() {
  const isKnown = useFirstSession()
  if (!isKnown) return <Loading />
  if (!session.value) return <SignInScreen />
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
          <Route default component={NotFound} />
        </Router>
      </Updated>
      {isSignedOut.value && <SignInDialog />}
    </LocationProvider>
  )
}

/** A new screen begins at its top, and the keyboard goes on from there. */
function arrive(): void {
  clearRequestLog()
  scrollTo(0, 0)
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** No link: what is behind the `#` of the address is the screen's. */
function skip(): void {
  document.getElementById('main')?.focus()
}

/** A screen that the service has no more, because a newer console took its place, or that failed: loading anew helps. */
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
        {say(shellTexts.loadAnew)}
      </button>
    </main>
  )
}
