import { useLocation } from 'preact-iso'
import { api, callApi } from '../../kit/api.ts'
import type { Profile } from '../../kit/configurations.ts'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { say } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { deleteConfiguration } from './operations.ts'
import { configurationTexts as own } from './texts.ts'

/** Deletes the configuration after the user has typed its name. Shows first what prevents the deletion. */
export function DeleteConfiguration({ profile, id, word }: { profile: Profile; id: string; word: string }) {
  const { route } = useLocation()
  return (
    <ConfirmButton
      calls="deleteCompactConfiguration"
      label={say(commonTexts.delete)}
      title={say(own.deleteIt)}
      word={word}
      act={() => deleteConfiguration(profile, id)}
      onDone={() => route(to('/configurations'))}
    >
      <p>{say(own.deleteAdvice)}</p>
      <OffersOfIt id={id} />
    </ConfirmButton>
  )
}

function OffersOfIt({ id }: { id: string }) {
  const query = { state: 'usable', configurationId: id, limit: 1 } as const
  const offers = useRead(() => callApi(api.GET('/v1/openid/offers', { params: { query } })), [id])
  if (!offers.data || offers.data.data.length === 0) return null
  return (
    <p class="note">
      {say(own.isOffered)} <a href={to('/offers', { state: 'usable', configuration: id })}>{say(own.offers)}</a>
    </p>
  )
}
