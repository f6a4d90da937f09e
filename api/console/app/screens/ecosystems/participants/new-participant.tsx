import { useLocation, useRoute } from 'preact-iso'
import { api, callApi } from '../../../kit/api.ts'
import { say } from '../../../kit/language.ts'
import { Screen } from '../../../kit/screen.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { to } from '../../../kit/url-state.ts'
import { ecosystemTexts } from '../texts.ts'
import { ParticipantForm } from './participant-form.tsx'
import { participantTexts } from './texts.ts'
import '../ecosystems.css'

export default function NewParticipant() {
  const { route } = useLocation()
  const ecosystemId = useRoute().params.id ?? ''
  const up = {
    href: to(`/ecosystems/${ecosystemId}`, { tab: 'participants' }),
    title: say(ecosystemTexts.participants),
  }
  return (
    <Screen title={say(participantTexts.create)} up={up}>
      <ParticipantForm
        action={say(commonTexts.create)}
        submit={(body) =>
          callApi(api.POST('/v1/ecosystems/{ecosystemId}/participants', { params: { path: { ecosystemId } }, body }))
        }
        onDone={({ id }) => route(to(`/ecosystems/${ecosystemId}/participants/${id}`, { tab: 'types' }))}
      />
    </Screen>
  )
}
