import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { endOfDay, startOfDay } from '../../kit/days.ts'
import { say, type Text } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { categoryGroups } from './categories.ts'
import { groupTexts } from './group-texts.ts'
import { type Outcome, outcomes } from './outcomes.ts'
import { eventTexts } from './texts.ts'

/** The filters in the address. All values are texts. */
export type Filters = Readonly<Record<string, string | undefined>>

/** The choices of displayed events. Changes and failures are the default. */
const choices = { requests: eventTexts.requests, all: eventTexts.everything } as const

const names = [
  'show',
  'objectId',
  'category',
  'event',
  'outcome',
  'clientId',
  'person',
  'requestId',
  'from',
  'until',
] as const

export function isFiltered(filters: Filters): boolean {
  return names.some((name) => filters[name])
}

/** Returns the query of `GET /v1/events`. */
export function queryOf(filters: Filters) {
  const { category, clientId, person, requestId, objectId, cursor, from, until } = filters
  const types = typesOf(filters)
  return {
    ...{ limit: 50, show: showOf(filters), ...(cursor && { cursor }), ...(objectId && { objectId }) },
    ...(types && { types }),
    ...(category && { categories: [category] }),
    ...(clientId && { clientIds: [clientId] }),
    ...(person && { managementUserIds: [person] }),
    ...(requestId && { requestIds: [requestId] }),
    ...(from && { dateFrom: startOfDay(from) }),
    ...(until && { dateTo: endOfDay(until) }),
  }
}

/** A filter by request or by event names what is wanted, so that all of it is shown. */
function showOf({ show, requestId, event }: Filters): 'changes' | 'requests' | 'all' {
  if (show === 'requests' || show === 'all') return show
  return requestId || event ? 'all' : 'changes'
}

/** Returns the event types: one full type, or an operation with one or all outcomes. */
function typesOf({ event, outcome }: Filters): string[] | undefined {
  if (!event) return undefined
  const name = event.trim().toUpperCase()
  if (outcomes.some((each) => name.endsWith(`_${each.toUpperCase()}`))) return [name]
  const one = outcomes.find((each) => each === outcome)
  return (one ? [one] : outcomes).map((each) => `${name}_${each.toUpperCase()}`)
}

/** The form of the filters. Submitting it changes the address. It renders again when the address changes. */
export function FilterForm({ filters }: { filters: Filters }) {
  const { route } = useLocation()
  const [typed, setTyped] = useState<Filters>(filters)
  const set = (name: string) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setTyped((before) => ({ ...before, [name]: value }))
  }
  const send = (event: Event) => {
    event.preventDefault()
    const filled = names.map((name) => [name, typed[name]?.trim()] as const)
    route(to('/events', Object.fromEntries(filled)))
  }
  const text = (name: (typeof names)[number], label: Text, type: 'text' | 'date' = 'text', placeholder?: Text) => (
    <label>
      {say(label)}
      <input
        // Boundary: the types of Preact accept one input type at a time, because of their roles.
        type={type as 'text'}
        value={typed[name] ?? ''}
        placeholder={placeholder && say(placeholder)}
        autoComplete="off"
        onInput={set(name)}
      />
    </label>
  )
  return (
    <form class="filters" onSubmit={send}>
      <ShowChoice value={typed.show} onChange={set('show')} />
      {text('objectId', eventTexts.objectId)}
      <CategoryChoice value={typed.category} onChange={set('category')} />
      {text('event', eventTexts.event, 'text', eventTexts.eventHint)}
      <Choice
        label={eventTexts.outcome}
        value={typed.event ? typed.outcome : ''}
        onChange={set('outcome')}
        of={outcomes}
        needs={typed.event ? undefined : eventTexts.outcomeNeeds}
      />
      {text('clientId', eventTexts.clientId)}
      {text('person', eventTexts.personId)}
      {text('requestId', eventTexts.requestId)}
      {text('from', eventTexts.from, 'date')}
      {text('until', eventTexts.until, 'date')}
      <div class="actions">
        <button type="submit" class="primary">
          {say(eventTexts.filter)}
        </button>
        {isFiltered(filters) && <a href={to('/events')}>{say(eventTexts.noFilter)}</a>}
      </div>
    </form>
  )
}

function ShowChoice(props: {
  value: string | undefined
  onChange: (event: { currentTarget: { value: string } }) => void
}) {
  return (
    <label>
      {say(eventTexts.show)}
      <select value={props.value ?? ''} onChange={props.onChange}>
        <option value="">{say(eventTexts.changes)}</option>
        {Object.entries(choices).map(([each, name]) => (
          <option key={each} value={each}>
            {say(name)}
          </option>
        ))}
      </select>
    </label>
  )
}

function CategoryChoice(props: {
  value: string | undefined
  onChange: (event: { currentTarget: { value: string } }) => void
}) {
  return (
    <label>
      {say(eventTexts.category)}
      <select value={props.value ?? ''} onChange={props.onChange}>
        <option value="">{say(commonTexts.all)}</option>
        {categoryGroups.map(({ name, of }) => (
          <optgroup key={name} label={say(groupTexts[name])}>
            {of.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}

function Choice(props: {
  label: Text
  value: string | undefined
  onChange: (event: { currentTarget: { value: string } }) => void
  of: readonly string[]
  /** The field that must be filled in before this one can be chosen. */
  needs?: Text | undefined
}) {
  const { label, value = '', onChange, of, needs } = props
  return (
    <label>
      {say(label)}
      <select value={value} disabled={needs !== undefined} onChange={onChange}>
        <option value="">{say(needs ?? commonTexts.all)}</option>
        {of.map((each) => (
          <option key={each} value={each}>
            {each in eventTexts ? say(eventTexts[each as Outcome]) : each}
          </option>
        ))}
      </select>
    </label>
  )
}
