import { api, callApi } from '../../kit/api.ts'
import { profiles } from '../../kit/configurations.ts'
import { Badge } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { LinkButton } from '../../kit/link-button.tsx'
import { useNamed } from '../../kit/names.ts'
import { RowMenu } from '../../kit/row-menu.tsx'
import { Screen } from '../../kit/screen.tsx'
import { mayOpen } from '../../kit/screen-needs.ts'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText } from '../../kit/when.tsx'
import { durationText } from './duration.ts'
import { isProfile, type Listed } from './operations.ts'
import { configurationTexts as own, profileTexts } from './texts.ts'

/** The configurations of all profiles, or of one profile. */
export default function Configurations() {
  const [query, change] = useQuery()
  const profile = isProfile(query.profile) ? query.profile : undefined
  const { cursor } = query
  const configurations = useRead(
    () =>
      callApi(
        api.GET('/v2/credentials/configurations', {
          params: { query: { limit: 50, ...(profile && { profile }), ...(cursor && { cursor }) } },
        }),
      ),
    [profile, cursor],
  )
  const create = (
    <LinkButton path="/configurations/new" query={{ profile }} isPrimary>
      {say(own.create)}
    </LinkButton>
  )
  return (
    <Screen title={say(own.configurations)} actions={create}>
      <div class="filters">
        <label>
          {say(own.profile)}
          <select value={profile ?? ''} onChange={(event) => change({ profile: event.currentTarget.value })}>
            <option value="">{say(commonTexts.all)}</option>
            {profiles.map((each) => (
              <option key={each} value={each}>
                {say(profileTexts[each])}
              </option>
            ))}
          </select>
        </label>
      </div>
      <PagedTable
        of={configurations}
        caption={own.configurations}
        columns={columns}
        keyOf={({ id }) => id}
        resourceOf={({ profile, id }) => `/v2/credentials/${profile}/configurations/${id}`}
        empty={<Empty action={create}>{say(profile ? own.noneOfProfile : own.empty)}</Empty>}
      />
    </Screen>
  )
}

/** A configuration without a display name has the name of its type in the list. */
function ConfigurationName({ id, name }: { id: string; name: string }) {
  return <>{useNamed('configuration', id)?.name ?? name}</>
}

const columns: readonly Column<Listed>[] = [
  {
    head: commonTexts.name,
    cell: ({ id, profile, name, type, description }) => (
      <>
        <a href={to(`/configurations/${profile}/${id}`)}>
          <strong>
            <ConfigurationName id={id} name={name} />
          </strong>
        </a>
        {type !== name && type !== id && (
          <>
            {' '}
            <code class="soft">{type}</code>
          </>
        )}
        {description && (
          <>
            {' '}
            <small>{description}</small>
          </>
        )}
      </>
    ),
  },
  { head: own.profile, cell: ({ profile }) => say(profileTexts[profile]) },
  { head: own.claims, cell: ({ claims }) => numberText(claims), isNumber: true },
  { head: own.validity, cell: ({ expiresIn }) => durationText(expiresIn ?? {}) || say(own.noEnd) },
  {
    head: own.revocable,
    cell: ({ isRevocable }) => (
      <Badge mood={isRevocable ? 'good' : 'quiet'}>{say(isRevocable ? commonTexts.yes : commonTexts.no)}</Badge>
    ),
  },
  {
    head: commonTexts.actions,
    cell: ({ id }) => (
      <RowMenu>
        {mayOpen('/offers') && <a href={to('/offers', { configuration: id })}>{say(own.offers)}</a>}
        {mayOpen('/credentials') && <a href={to('/credentials', { configuration: id })}>{say(own.credentials)}</a>}
        {mayOpen('/offers/new') && <a href={to('/offers/new', { credentials: id })}>{say(own.offerIt)}</a>}
      </RowMenu>
    ),
  },
]
