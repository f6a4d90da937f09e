import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { fromBase64Url } from '../../../../../shared/wallet/keys.ts'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { type Configuration, nameOfConfiguration, profiles, useConfigurations } from '../../kit/configurations.ts'
import { Form } from '../../kit/form.tsx'
import type { Field, Typed } from '../../kit/form-values.ts'
import { labelField } from '../../kit/label-field.ts'
import { filled, say } from '../../kit/language.ts'
import { LinkButton } from '../../kit/link-button.tsx'
import { NoSigner } from '../../kit/no-signer.tsx'
import { Screen } from '../../kit/screen.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { to, useQuery } from '../../kit/url-state.ts'
import { claimFieldsOf, claimsOf, missingIn, withOtherSources } from './claim-fields.ts'
import { EndsAt } from './ends-at.tsx'
import { useServerFields, useViewFields, viewIn } from './issuer-fields.ts'
import { holdMade, type MadeOffer } from './made-offer.ts'
import { offerTexts } from './texts.ts'
import './offers.css'

/** The form of a new offer: the configurations, and for one person the claims of the credentials. */
export default function NewOffer() {
  const configurations = useConfigurations()
  const up = { href: to('/offers'), title: say(offerTexts.offers) }
  return (
    <Screen title={say(offerTexts.create)} up={up}>
      <Shown of={configurations}>{(all) => (all.length > 0 ? <Choice of={all} /> : <NoConfiguration />)}</Shown>
    </Screen>
  )
}

function NoConfiguration() {
  const begin = (
    <LinkButton path="/configurations/new" isPrimary>
      {say(offerTexts.newConfiguration)}
    </LinkButton>
  )
  return <Empty action={begin}>{say(offerTexts.noConfiguration)}</Empty>
}

/** The choice is in the address. */
function Choice({ of }: { of: readonly Configuration[] }) {
  const [{ credentials = '', for: recipient }, change] = useQuery()
  const ids = credentials.split(',').filter(Boolean)
  const toggle = (id: string) =>
    change({ credentials: (ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]).join(',') })
  const chosen = of.filter(({ id }) => ids.includes(id))
  const isForAnybody = recipient === 'anybody'
  return (
    <div class="fields">
      <fieldset>
        <legend>{say(offerTexts.what)}</legend>
        {profiles.map((profile) => (
          <Profile key={profile} of={of.filter((each) => each.profile === profile)} ids={ids} toggle={toggle} />
        ))}
      </fieldset>
      <fieldset>
        <legend>{say(offerTexts.recipient)}</legend>
        {([undefined, 'anybody'] as const).map((each) => (
          <label key={each ?? 'one'} class="pick">
            <input type="radio" name="for" checked={isForAnybody === !!each} onChange={() => change({ for: each })} />
            <span>
              {say(each ? offerTexts.shared : offerTexts.preAuthorized)}
              <small>{say(each ? offerTexts.sharedHint : offerTexts.preAuthorizedHint)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <NoSigner of={chosen} />
      {chosen.length === 0 ? (
        <p class="soft">{say(offerTexts.chooseFirst)}</p>
      ) : isForAnybody ? (
        <ForAnybody chosen={chosen} />
      ) : (
        <ForOne chosen={chosen} />
      )}
    </div>
  )
}

function Profile(props: { of: readonly Configuration[]; ids: readonly string[]; toggle: (id: string) => void }) {
  const { of, ids, toggle } = props
  return (
    <>
      {of.map((configuration) => (
        <label key={configuration.id} class="pick">
          <input type="checkbox" checked={ids.includes(configuration.id)} onChange={() => toggle(configuration.id)} />
          <span>
            {nameOfConfiguration(configuration)}
            <small>
              {configuration.profile} · {configuration.type}
            </small>
          </span>
        </label>
      ))}
    </>
  )
}

const by: Field = {
  ...{ name: 'by', kind: 'choice', required: true, label: offerTexts.by, hint: offerTexts.byHint },
  choices: [
    { value: 'reference', label: offerTexts.byReference },
    { value: 'value', label: offerTexts.byValue },
  ],
}

function ForAnybody({ chosen }: { chosen: readonly Configuration[] }) {
  const { route } = useLocation()
  const views = useViewFields(chosen)
  const fields: Field[] = [
    labelField,
    ...views,
    ...useServerFields(),
    by,
    { name: 'request_parameters', kind: 'json', label: offerTexts.parameters, hint: offerTexts.parametersHint },
  ]
  const path = '/v1/openid/offers'
  // Boundary: the service validates the body.
  const requested = ({ view, ...body }: Record<string, unknown>) =>
    ({ ...body, view: viewIn(views, view), credentials: chosen.map(({ id }) => id) }) as Schemas['OfferRequest']
  const show = ({ page, warnings = [] }: Schemas['SharedOffer']) => {
    const id = idIn(page)
    holdMade({ id, warnings })
    route(to(`/offers/${id}`))
  }
  return (
    <Form
      calls="createOffer"
      fields={fields}
      action={say(offerTexts.make)}
      submit={(body) => callApi(api.POST(path, { body: requested(body) }))}
      drafts={(body) => ({ method: 'POST', path, body: requested(body) })}
      onDone={show}
    />
  )
}

/** Returns the id of the offer. The address of its page begins with the id in base64url, before a secret. */
function idIn(page: string): string {
  const [, encoded = ''] = /\/o\/([\w-]{22})/.exec(page) ?? []
  const hex = Array.from(fromBase64Url(encoded), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function ForOne({ chosen }: { chosen: readonly Configuration[] }) {
  const [{ user }] = useQuery()
  const { route } = useLocation()
  const [isJson, setJson] = useState(false)
  const [typed, setTyped] = useState<Typed>({})
  const needed = claimFieldsOf(chosen)
  const claims = isJson ? [] : withOtherSources(needed, hasOtherSource(chosen, typed))
  const views = useViewFields(chosen)
  const fields = [
    labelField,
    ...views,
    userField,
    ...(isJson ? [claimsAsJson] : claims.map(({ field }) => field)),
    ...optionsOfOne,
    by,
  ]
  const show = (offer: MadeOffer) => {
    holdMade(offer)
    route(to(`/offers/${offer.id}`))
  }

  const path = '/v1/openid/offers/pre-authorized'
  function requested(values: Record<string, unknown>): Schemas['PreAuthorizedOfferRequest'] {
    const { withCode, description, minutes, claims: json, userId, label, claimsToPersist, by: form, view } = values
    const body = {
      ...{ credentials: chosen.map(({ id }) => id), view: viewIn(views, view) },
      ...{ userId, label, claimsToPersist, by: form, claims: isJson ? (json ?? {}) : claimsOf(claims, values) },
      ...(withCode === true && { transactionCodeConfiguration: { ...(description !== undefined && { description }) } }),
      expiresIn: { minutes: Number(minutes) },
    }
    // Boundary: the service validates the body.
    return body as Schemas['PreAuthorizedOfferRequest']
  }
  return (
    <>
      <div class="actions">
        <button type="button" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
          {say(isJson ? offerTexts.claimsAsForm : offerTexts.claimsAsJson)}
        </button>
      </div>
      <Form
        calls="createPreAuthorizedOffer"
        fields={fields}
        start={{ minutes: '5', userId: user }}
        action={say(offerTexts.make)}
        submit={(values) => callApi(api.POST(path, { body: requested(values) }))}
        drafts={(values) => ({ method: 'POST', path, body: requested(values) })}
        onDone={show}
        onTyped={setTyped}
        arrange={(input) => fields.flatMap((field) => [input(field), ...endBeside(field, typed)])}
      >
        <MissingClaims names={missingIn(needed, isJson ? parsed(typed.claims) : claimsOf(claims, typed))} />
      </Form>
    </>
  )
}

/** Returns the end of the offer, beside the field of its expiry. */
function endBeside(field: Field, { minutes }: Typed) {
  return field === expiry ? [<EndsAt key="end" minutes={Number(minutes)} />] : []
}

/** Whether the claims of the form need not be complete. */
function hasOtherSource(chosen: readonly Configuration[], { userId }: Typed): boolean {
  return !!userId || chosen.some(({ hasClaimSource }) => hasClaimSource)
}

/** Returns undefined for text that is not JSON. The form shows that fault itself. */
function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

/** Warns before the offer is made. */
function MissingClaims({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <p class="note" role="status">
      {say(offerTexts.noValueFor, { names: names.join(', ') })}
    </p>
  )
}

const userField: Field = { name: 'userId', label: offerTexts.user, hint: offerTexts.userHint }
const claimsAsJson: Field = { name: 'claims', kind: 'json', label: offerTexts.claims, rows: 10 }
const expiry: Field = {
  ...{ name: 'minutes', kind: 'choice', required: true, label: offerTexts.expiry },
  choices: [1, 2, 5, 10].map((count) => ({
    value: String(count),
    label: filled(offerTexts.minutes, { count }),
  })),
}
const optionsOfOne: Field[] = [
  { name: 'claimsToPersist', kind: 'lines', label: offerTexts.keep, hint: offerTexts.keepHint, rows: 2 },
  { name: 'withCode', kind: 'tick', label: offerTexts.withCode, hint: offerTexts.withCodeHint },
  { name: 'description', label: offerTexts.codeDescription, hint: offerTexts.codeDescriptionHint },
  expiry,
]
