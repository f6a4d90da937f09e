import type { Schemas } from '../../../kit/api.ts'
import { Id } from '../../../kit/copy.tsx'
import { say, type Text } from '../../../kit/language.ts'
import { type Column, Table } from '../../../kit/table.tsx'
import { TimeLeft } from '../../../kit/time-left.tsx'
import { listTexts } from './texts.ts'

export type Listed = Schemas['ListedCertificate'] & { formerDocTypes?: string[] }

/** A table of the certificates of a list. */
export function ListedTable({ caption, rows }: { caption: Text; rows: readonly Listed[] }) {
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={rows}
      keyOf={({ certificateFingerprint }) => certificateFingerprint}
    />
  )
}

const columns: readonly Column<Listed>[] = [
  {
    head: listTexts.subject,
    cell: ({ subject, issuer }) => (
      <>
        {subject}
        {issuer !== subject && <small> ← {issuer}</small>}
      </>
    ),
  },
  {
    head: listTexts.docTypes,
    cell: ({ docTypes, formerDocTypes }) => (
      <>
        <code>{docTypes.join(', ')}</code>
        {formerDocTypes && <small> {say(listTexts.former, { types: formerDocTypes.join(', ') })}</small>}
      </>
    ),
  },
  { head: listTexts.valid, cell: ({ notBefore, notAfter }) => <TimeLeft from={notBefore} until={notAfter} /> },
  { head: listTexts.fingerprint, cell: ({ certificateFingerprint }) => <Id value={certificateFingerprint} /> },
]
