import type { Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Badge, type Mood } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { useNamed } from '../../kit/names.ts'
import type { Column } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { ShortTime } from '../../kit/when.tsx'
import { CredentialActions, type Status } from './actions.tsx'
import { credentialTexts } from './texts.ts'

type State = Exclude<Status, 'invalid'> | 'revoked' | 'expired'

const moods: Record<State, Mood> = { valid: 'good', revoked: 'bad', suspended: 'warn', expired: 'quiet' }

/** A valid credential whose validity has ended is expired. */
export function StateBadge({ of: { status, validUntil } }: { of: Pick<Credential, 'status' | 'validUntil'> }) {
  const isOver = status === 'valid' && validUntil !== undefined && Date.parse(validUntil) <= Date.now()
  const state = isOver ? 'expired' : status === 'invalid' ? 'revoked' : status
  return <Badge mood={moods[state]}>{say(credentialTexts[state])}</Badge>
}

type Credential = Schemas['UserCredential']

/** The name of the configuration. The tooltip has the type. */
function TypeOf({ of: { type, profile, credentialConfigurationId } }: { of: Credential }) {
  const { name = type } = useNamed('configuration', credentialConfigurationId) ?? {}
  return (
    <>
      <span title={type}>{name}</span> <small>{profile}</small>
    </>
  )
}

const type: Column<Credential> = { head: credentialTexts.type, cell: (row) => <TypeOf of={row} /> }

const validUntil: Column<Credential> = {
  head: credentialTexts.validUntil,
  cell: ({ validUntil }) => <ShortTime at={validUntil} />,
}

const id = (row: Credential) => <Id value={row.id} href={to('/credentials', { id: row.id })} />

/** Returns the columns of a list of credentials of one user. In a list of several users, `userColumns` shows the user of each credential. */
export function credentialColumns<Row extends Credential>(
  onChange: () => void,
  ...userColumns: readonly Column<Row>[]
): Column<Row>[] {
  const isOfUser = userColumns.length === 0
  return [
    { head: credentialTexts.credential, cell: id },
    { head: commonTexts.state, cell: (row) => <StateBadge of={row} /> },
    type,
    ...userColumns,
    { head: credentialTexts.issued, cell: ({ issuedDate }) => <ShortTime at={issuedDate} /> },
    ...(isOfUser ? [validUntil] : []),
    { head: credentialTexts.actions, cell: (row) => <CredentialActions of={row} isInRow onDone={onChange} /> },
  ]
}
