import { api, callApi } from '../../kit/api.ts'
import { Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Shown } from '../../kit/states.tsx'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText } from '../../kit/when.tsx'
import { overviewTexts } from './texts.ts'

export const readCounts = () => callApi(api.GET('/v1/overview/counts'))

/** The counts and the screens that list their objects. */
const places = {
  credentials: to('/credentials'),
  signedCredentials: to('/credentials'),
  notValid: to('/credentials'),
  users: to('/users'),
  usableOffers: to('/offers', { state: 'usable' }),
  failedOffers: to('/offers', { state: 'failed' }),
  configurations: to('/configurations'),
  wallets: to('/access'),
  webhooks: to('/webhooks'),
  ecosystems: to('/ecosystems'),
  participants: to('/ecosystems'),
} as const

/** The counts. The service omits the ones that the roles may not see. */
export function Counts() {
  const counts = useRead(readCounts, [], { everyMs: 60_000 })
  return (
    <Section title={say(overviewTexts.counts)}>
      <Shown of={counts}>
        {(counts) => (
          <ul class="counts">
            {Object.entries(places).map(([name, href]) => {
              // Boundary: the names are the keys of the table above.
              const of = name as keyof typeof places
              const counted = counts[of]
              return (
                counted && (
                  <li key={of}>
                    <a href={href}>
                      <strong>
                        {numberText(counted.count)}
                        {counted.isAtLeast && '+'}
                      </strong>{' '}
                      {say(overviewTexts[of])}
                    </a>
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
