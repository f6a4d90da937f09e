import type { ComponentChildren } from 'preact'
import { api, callApi } from '../../kit/api.ts'
import { Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { mayOpen, type ScreenPath } from '../../kit/screen-needs.ts'
import { Shown } from '../../kit/states.tsx'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText } from '../../kit/when.tsx'
import { overviewTexts } from './texts.ts'

export const readCounts = () => callApi(api.GET('/v1/overview/counts'))

/** The counts and the screens that list their objects. */
const places = {
  credentials: { path: '/credentials' },
  signedCredentials: { path: '/credentials' },
  notValid: { path: '/credentials' },
  users: { path: '/users' },
  usableOffers: { path: '/offers', query: { state: 'usable' } },
  failedOffers: { path: '/offers', query: { state: 'failed' } },
  configurations: { path: '/configurations' },
  wallets: { path: '/access' },
  webhooks: { path: '/webhooks' },
  ecosystems: { path: '/ecosystems' },
  participants: { path: '/ecosystems' },
} as const satisfies Record<string, { path: ScreenPath; query?: Record<string, string> }>

/** The counts. The service omits the ones that the roles may not see. */
export function Counts() {
  const counts = useRead(readCounts, [], { everyMs: 60_000 })
  return (
    <Section title={say(overviewTexts.counts)}>
      <Shown of={counts}>
        {(counts) => (
          <ul class="counts">
            {Object.entries(places).map(([name, place]) => {
              // Boundary: the names are the keys of the table above.
              const of = name as keyof typeof places
              const counted = counts[of]
              return (
                counted && (
                  <li key={of}>
                    <Count of={counted} {...place}>
                      {say(overviewTexts[of])}
                    </Count>
                  </li>
                )
              )
            })}
          </ul>
        )}
      </Shown>
    </Section>
  )
}

/** A number and what it counts. It leads to the list, if the user may open it. */
function Count(props: {
  of: { count: number; isAtLeast: boolean }
  path: ScreenPath
  query?: Record<string, string>
  children: ComponentChildren
}) {
  const { of, path, query, children } = props
  const text = (
    <>
      <strong>
        {numberText(of.count)}
        {of.isAtLeast && '+'}
      </strong>{' '}
      {children}
    </>
  )
  return mayOpen(path) ? <a href={to(path, query)}>{text}</a> : <span>{text}</span>
}
