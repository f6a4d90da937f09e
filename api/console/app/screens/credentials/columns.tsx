import type { Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Badge, type Mood } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import type { Column } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { When } from '../../kit/when.tsx'
import { CredentialActions, type Status } from './actions.tsx'
import { credentialTexts } from './texts.ts'

const moods: Record<Status, Mood> = { valid: 'good', invalid: 'bad', suspended: 'warn' }

export function StatusBadge({ status }: { status: Status }) {
  return <Badge mood={moods[status]}>{say(credentialTexts[status])}</Badge>
}

type Credential = Schemas['UserCredential']

const type: Column<Credential> = {
  head: credentialTexts.type,
  cell: ({ type, profile }) => (
    <>
      {type} <small>{profile}</small>
    </>
  ),
}

/** Returns the columns of a list of credentials of one user, or of one type. For a type, `userColumns` adds the user of each credential. */
export function credentialColumns<Row extends Credential>(
  onChange: () => void,
  ...userColumns: readonly Column<Row>[]
): Column<Row>[] {
  return [
    { head: credentialTexts.credential, cell: ({ id }) => <Id value={id} href={to('/credentials', { id })} /> },
    { head: commonTexts.state, cell: ({ status }) => <StatusBadge status={status} /> },
    ...(userColumns.length > 0 ? userColumns : [type]),
    { head: credentialTexts.issued, cell: ({ issuedDate }) => <When at={issuedDate} /> },
    { head: credentialTexts.validUntil, cell: ({ validUntil }) => <When at={validUntil} /> },
    { head: credentialTexts.actions, cell: (row) => <CredentialActions of={row} onDone={onChange} /> },
  ]
}
