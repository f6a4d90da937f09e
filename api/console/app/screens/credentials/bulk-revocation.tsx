import { useLocation } from 'preact-iso'
import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import { type Configuration, nameOfConfiguration, useConfigurations } from '../../kit/configurations.ts'
import { endOfDay, startOfDay } from '../../kit/days.ts'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say, verbatim } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { Shown } from '../../kit/states.tsx'
import { to } from '../../kit/url-state.ts'
import { revocationTexts as t } from './revocation-texts.ts'
import { credentialTexts } from './texts.ts'

/** Revokes many credentials by a filter or by their ids. */
export default function BulkRevocation() {
  const configurations = useConfigurations()
  return (
    <Screen title={say(t.title)} up={{ href: to('/credentials'), title: say(credentialTexts.credentials) }}>
      <p class="soft">{say(t.about)}</p>
      <Shown of={configurations}>{(all) => <Filter all={all} />}</Shown>
    </Screen>
  )
}

/** The body that the fields build. */
interface Typed {
  isRevoked: 'true' | 'false'
  filter?: Schemas['RevocationStatusesRequest']['filter']
  credentials?: string[]
  word: string
}

const fieldsFor = (all: readonly Configuration[]): readonly Field[] => [
  {
    ...{ name: 'isRevoked', kind: 'choice', required: true, label: t.change, hint: t.finalHint },
    choices: [
      { value: 'true', label: t.revoke },
      { value: 'false', label: t.restore },
    ],
  },
  {
    ...{ name: 'filter.configurationId', kind: 'choice', label: t.configuration },
    choices: all.map((each) => ({ value: each.id, label: textOf(nameOfConfiguration(each)) })),
  },
  { name: 'filter.userId', label: t.user },
  { name: 'filter.signerId', label: t.signer },
  { name: 'filter.issuedFrom', kind: 'date', label: t.from, hint: t.days },
  { name: 'filter.issuedTo', kind: 'date', label: t.until, hint: t.days },
  { name: 'credentials', kind: 'lines', label: t.ids, hint: t.idsHint },
  { name: 'word', label: wordLabel(), required: true },
]

const textOf = (name: string) => verbatim(name)

function wordLabel() {
  return textOf(say(t.confirm, { word: say(t.word) }))
}

function Filter({ all }: { all: readonly Configuration[] }) {
  const { route } = useLocation()
  const submit = (typed: Typed): Promise<Answered<Schemas['AcceptedStatusChange']>> => {
    const { isRevoked, filter, credentials, word } = typed
    if (word.trim() !== say(t.word)) return Promise.resolve(wrong('word', say(wordLabel())))
    const ids = credentials && { credentials }
    const body = { isRevoked: isRevoked === 'true', ...(filter && { filter: ofDays(filter) }), ...ids }
    return callApi(api.POST('/v2/credentials/revocation-status', { body }))
  }
  return (
    <Form
      calls="setRevocationStatuses"
      fields={fieldsFor(all)}
      action={say(t.start)}
      submit={submit}
      onDone={({ id, approval }) =>
        route(approval ? to('/settings', { tab: 'approvals' }) : to(`/credentials/revocations/${id}`))
      }
    />
  )
}

/** Returns a filter with the days of the reader's time zone as times. */
function ofDays({ issuedFrom, issuedTo, ...filter }: NonNullable<Typed['filter']>): NonNullable<Typed['filter']> {
  return {
    ...filter,
    ...(issuedFrom && { issuedFrom: startOfDay(issuedFrom) }),
    ...(issuedTo && { issuedTo: endOfDay(issuedTo) }),
  }
}

const wrong = (param: string, message: string) => ({
  problem: { kind: 'invalid' as const, details: [{ param, message }] },
})
