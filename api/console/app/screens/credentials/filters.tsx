import { useEffect, useState } from 'preact/hooks'
import { type Configuration, nameOfConfiguration } from '../../kit/configurations.ts'
import { say, type Text } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { listTexts } from './list-texts.ts'
import { credentialTexts } from './texts.ts'

/** The filters in the address. All values are texts. */
type Filters = Readonly<Record<string, string | undefined>>

const names = ['configuration', 'from', 'until'] as const

/** Whether a filter other than the configuration is set. */
export function isFiltered(filters: Filters): boolean {
  return names.some((name) => name !== 'configuration' && filters[name])
}

/** Returns the query of `GET /v2/credentials/issued`. */
export function queryOf({ configuration, from, until, cursor }: Filters, all: readonly Configuration[]) {
  return {
    ...{ configurationId: configuration ?? all[0]?.id ?? '', order: 'newest' as const, limit: 50 },
    ...(from && { issuedFrom: from }),
    ...(until && { issuedTo: until }),
    ...(cursor && { cursor }),
  }
}

export type ListQuery = ReturnType<typeof queryOf>

/** A choice applies at once. Dates apply with the button or the Enter key, because a date that is being typed is another date. */
export function FilterForm({ filters, all }: { filters: Filters; all: readonly Configuration[] }) {
  const [, change] = useQuery()
  const { from, until } = filters
  const [typed, setTyped] = useState<Filters>({ from, until })
  // Keeps the form, and with it the focus, when the address changes.
  useEffect(() => setTyped({ from, until }), [from, until])
  const apply = (changed: Filters) => {
    const wanted = { ...filters, ...typed, ...changed }
    change(Object.fromEntries(names.map((name) => [name, wanted[name]])))
  }
  const send = (event: Event) => {
    event.preventDefault()
    apply({})
  }
  const date = (name: 'from' | 'until', label: Text) => (
    <label>
      {say(label)}
      <input
        // Boundary: the types of Preact accept one input type at a time, because of their roles.
        type={'date' as 'text'}
        value={typed[name] ?? ''}
        onInput={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, [name]: value }))}
      />
    </label>
  )
  return (
    <form class="filters" onSubmit={send}>
      <label>
        {say(credentialTexts.configuration)}
        <select
          value={filters.configuration ?? all[0]?.id}
          onChange={(event) => apply({ configuration: event.currentTarget.value })}
        >
          {all.map((each) => (
            <option key={each.id} value={each.id}>
              {nameOfConfiguration(each)}
            </option>
          ))}
        </select>
      </label>
      {date('from', listTexts.from)}
      {date('until', listTexts.until)}
      <div class="actions">
        <button type="submit">{say(listTexts.filter)}</button>
        {isFiltered(filters) && <a href={to('/credentials')}>{say(listTexts.noFilter)}</a>}
      </div>
    </form>
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
