import { useId, useState } from 'preact/hooks'
import { type Configuration, nameOfConfiguration, profiles } from '../../kit/configurations.ts'
import { endOfDay, startOfDay } from '../../kit/days.ts'
import { say, type Text } from '../../kit/language.ts'
import { useStateOf } from '../../kit/state-of.ts'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { listTexts } from './list-texts.ts'
import { credentialTexts } from './texts.ts'

/** The filters in the address. All values are texts. */
type Filters = Readonly<Record<string, string | undefined>>

const names = ['configuration', 'state', 'profile', 'type', 'signer', 'from', 'until'] as const

const states = ['valid', 'revoked', 'suspended', 'expired'] as const

export function isFiltered(filters: Filters): boolean {
  return names.some((name) => filters[name])
}

/** Returns the query of `GET /v2/credentials/issued`. */
export function queryOf({ configuration, state, profile, type, signer, from, until, cursor }: Filters) {
  const [ofState, ofProfile] = [states.find((each) => each === state), profiles.find((each) => each === profile)]
  return {
    ...{ order: 'newest' as const, limit: 50 },
    ...(configuration && { configurationId: configuration }),
    ...(ofState && { state: ofState }),
    ...(ofProfile && { profile: ofProfile }),
    ...(type && { type }),
    ...(signer && { signerId: signer }),
    ...(from && { issuedFrom: startOfDay(from) }),
    ...(until && { issuedTo: endOfDay(until) }),
    ...(cursor && { cursor }),
  }
}

export type ListQuery = ReturnType<typeof queryOf>

/** A choice applies at once. Typed values apply with the button or the Enter key, because a value that is being typed is another value. */
export function FilterForm({ filters, all }: { filters: Filters; all: readonly Configuration[] }) {
  const [, change] = useQuery()
  const { type, signer, from, until } = filters
  // Keeps the form, and with it the focus, when the address changes.
  const [typed, setTyped] = useStateOf<Filters>(JSON.stringify([type, signer, from, until]), {
    ...{ type, signer, from, until },
  })
  const apply = (changed: Filters) => {
    const next: Filters = { ...filters, ...typed, type: typed.type?.trim(), signer: typed.signer?.trim(), ...changed }
    change(Object.fromEntries(names.map((name) => [name, next[name]])))
  }
  const send = (event: Event) => {
    event.preventDefault()
    apply({})
  }
  const put = (name: keyof Filters, value: string) => setTyped((before) => ({ ...before, [name]: value }))
  const date = (name: 'from' | 'until', label: Text) => (
    <label>
      {say(label)}
      <input
        // Boundary: the types of Preact accept one input type at a time, because of their roles.
        type={'date' as 'text'}
        value={typed[name] ?? ''}
        onInput={(event) => put(name, event.currentTarget.value)}
      />
    </label>
  )
  return (
    <form class="filters" onSubmit={send}>
      <Choice
        label={credentialTexts.configuration}
        value={filters.configuration}
        choices={configurationChoices(all, filters.configuration)}
        onChange={(configuration) => apply({ configuration })}
      />
      <Choice
        label={commonTexts.state}
        value={filters.state}
        choices={states.map((each) => [each, say(credentialTexts[each])])}
        onChange={(state) => apply({ state })}
      />
      <Choice
        label={credentialTexts.profile}
        value={filters.profile}
        choices={profiles.map((each) => [each, each])}
        onChange={(profile) => apply({ profile })}
      />
      <TypeInput value={typed.type} all={all} onType={(value) => put('type', value)} />
      <SignerInput value={typed.signer} onType={(value) => put('signer', value)} />
      {date('from', listTexts.from)}
      {date('until', listTexts.until)}
      <div class="actions">
        <button type="submit">{say(listTexts.filter)}</button>
        {isFiltered(filters) && <a href={to('/credentials')}>{say(listTexts.noFilter)}</a>}
      </div>
    </form>
  )
}

/** A deleted configuration is a choice if it is the filter. */
function configurationChoices(all: readonly Configuration[], chosen: string | undefined): [string, string][] {
  const options = all.map((each): [string, string] => [each.id, nameOfConfiguration(each)])
  return chosen && !all.some(({ id }) => id === chosen) ? [...options, [chosen, `${chosen.slice(0, 8)}…`]] : options
}

/** A type as text, because credentials keep the type that their configuration had. The types of the configurations are suggested. */
function TypeInput(props: {
  value: string | undefined
  all: readonly Configuration[]
  onType: (value: string) => void
}) {
  const { value = '', all, onType } = props
  const id = useId()
  return (
    <label>
      {say(credentialTexts.type)}
      <input
        value={value}
        list={id}
        autoComplete="off"
        spellcheck={false}
        onInput={(event) => onType(event.currentTarget.value)}
      />
      <datalist id={id}>
        {[...new Set(all.map(({ type }) => type))].map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
    </label>
  )
}

function SignerInput({ value = '', onType }: { value: string | undefined; onType: (value: string) => void }) {
  return (
    <label>
      {say(credentialTexts.signer)}
      <input
        value={value}
        autoComplete="off"
        spellcheck={false}
        onInput={(event) => onType(event.currentTarget.value)}
      />
    </label>
  )
}

function Choice(props: {
  label: Text
  value: string | undefined
  choices: readonly (readonly [value: string, name: string])[]
  onChange: (value: string) => void
}) {
  const { label, value = '', choices, onChange } = props
  return (
    <label>
      {say(label)}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{say(commonTexts.all)}</option>
        {choices.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Opens a credential by its id. */
export function Find() {
  const [, change] = useQuery()
  const [id, setId] = useState('')
  const find = (event: Event) => {
    event.preventDefault()
    if (id.trim()) change({ id: id.trim() })
  }
  return (
    <form class="filters" onSubmit={find}>
      <label>
        {say(credentialTexts.find)}
        <input value={id} autoComplete="off" onInput={(event) => setId(event.currentTarget.value)} />
      </label>
      <button type="submit">{say(commonTexts.show)}</button>
    </form>
  )
}
