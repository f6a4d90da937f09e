import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { type Configuration, useConfigurations } from '../../kit/configurations.ts'
import { Form } from '../../kit/form.tsx'
import type { Field, Typed } from '../../kit/form-values.ts'
import { labelField } from '../../kit/label-field.ts'
import { say } from '../../kit/language.ts'
import { NoSigner } from '../../kit/no-signer.tsx'
import { Screen } from '../../kit/screen.tsx'
import { Shown } from '../../kit/states.tsx'
import { to, useQuery } from '../../kit/url-state.ts'
import { claimFieldsOf, claimsOf, withOtherSources } from '../offers/claim-fields.ts'
import { useViewFields } from '../offers/issuer-fields.ts'
import { Configurations, NoConfiguration } from './configuration-choice.tsx'
import { MadeLink } from './link-actions.tsx'
import { optionsOfLinks, settingsOfLinks } from './link-options.ts'
import { personTexts } from './person-texts.ts'
import { bulkTexts } from './texts.ts'
import './bulk.css'

/** The form of a claim link for one person. */
export default function NewLink() {
  const configurations = useConfigurations()
  const up = { href: to('/bulk'), title: say(bulkTexts.bulk) }
  return (
    <Screen title={say(personTexts.title)} up={up}>
      <p class="soft">{say(personTexts.about)}</p>
      <Shown of={configurations}>{(all) => <Choice all={all} />}</Shown>
    </Screen>
  )
}

/** The choice is in the address. */
function Choice({ all }: { all: readonly Configuration[] }) {
  const [query, change] = useQuery()
  const ids = query.configuration?.split(',') ?? []
  const chosen = all.filter(({ id }) => ids.includes(id))
  if (all.length === 0) return <NoConfiguration mode="links" />
  return (
    <>
      <Configurations
        of={all}
        mode="links"
        {...{ chosen }}
        legend={personTexts.what}
        onChange={(next) => change({ configuration: next.map(({ id }) => id).join(',') })}
      />
      <NoSigner of={chosen} />
      {chosen.length > 0 && <LinkForm key={ids.join()} chosen={chosen} />}
    </>
  )
}

const fieldsOfPerson: readonly Field[] = [
  { name: 'externalId', label: personTexts.externalId, hint: personTexts.externalIdHint },
  labelField,
  { name: 'userId', label: personTexts.user, hint: personTexts.userHint },
  { name: 'email', label: personTexts.email, hint: personTexts.emailHint },
]

function LinkForm({ chosen }: { chosen: readonly Configuration[] }) {
  const { route } = useLocation()
  const [typed, setTyped] = useState<Typed>({})
  const [made, setMade] = useState<Schemas['SingleClaimLink']>()
  const hasOtherSource = !!typed.userId || chosen.some(({ hasClaimSource }) => hasClaimSource)
  const claims = withOtherSources(claimFieldsOf(chosen), hasOtherSource)
  const fields = [...claims.map(({ field }) => field), ...fieldsOfPerson, ...useViewFields(chosen), ...optionsOfLinks]
  const path = '/v1/claim-links'

  function requested(values: Record<string, unknown>): Schemas['ClaimLinkRequest'] {
    const { externalId, label, userId, email, view } = values
    const body = {
      configurationIds: chosen.map(({ id }) => id),
      ...{ claims: claimsOf(claims, values), externalId, label, userId, view },
      ...(email !== undefined && { keep: { email: String(email) } }),
      ...settingsOfLinks(typed),
    }
    // Boundary: the service validates the body.
    return body as Schemas['ClaimLinkRequest']
  }
  return (
    <>
      <Form
        calls="createClaimLink"
        fields={fields}
        start={{ days: 30 }}
        action={say(personTexts.make)}
        submit={(values) => callApi(api.POST(path, { body: requested(values) }))}
        drafts={(values) => ({ method: 'POST', path, body: requested(values) })}
        onTyped={setTyped}
        onDone={setMade}
      />
      {made && (
        <MadeLink
          of={made}
          title={say(personTexts.made)}
          onClose={() => route(to(`/bulk/${made.bulkIssuanceId}`, { state: 'open' }))}
        />
      )}
    </>
  )
}
