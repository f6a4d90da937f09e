import { type Answered, api, callApi } from '../../../kit/api.ts'
import { CopyButton } from '../../../kit/copy.tsx'
import { Section } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import { RowMenu } from '../../../kit/row-menu.tsx'
import { type Column, Table } from '../../../kit/table.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { UndoButton } from '../../../kit/undo.tsx'
import { mayChange, type Participant } from '../calls.ts'
import { Status } from './participants-tab.tsx'
import { participantTexts } from './texts.ts'

type Mobile = NonNullable<Participant['identifiers']['mobile']>[number]

/** The certificates in the identifiers of the participant. They count in all of its roles. */
export function IdentifierCertificates({ of, onChanged }: { of: Participant; onChanged: () => void }) {
  const mobile = of.identifiers.mobile ?? []
  if (mobile.length === 0) return null
  const mainColumns: Column<Mobile>[] = [
    {
      head: participantTexts.certificate,
      cell: ({ certificatePem }) => (
        <span class="address">
          <code>…{bodyOf(certificatePem).slice(-24)}</code>
          <CopyButton text={certificatePem} label="PEM" />
        </span>
      ),
    },
    { head: commonTexts.state, cell: ({ status }) => <Status of={status} /> },
  ]
  const acts = (each: Mobile) => (
    <RowMenu>
      <UndoButton
        calls="updateParticipant"
        label={say(each.status === 'Active' ? participantTexts.deactivate : participantTexts.activate)}
        act={() => setStatus(of, each, turned(each))}
        undo={() => setStatus(of, each, each.status)}
        onDone={onChanged}
      />
      <UndoButton
        calls="updateParticipant"
        label={say(commonTexts.delete)}
        act={() => keep(of, (all) => all.filter((other) => !isSame(other, each)))}
        undo={() => keep(of, (all) => [...all.filter((other) => !isSame(other, each)), each])}
        onDone={onChanged}
      />
    </RowMenu>
  )
  return (
    <Section title={say(participantTexts.amongIdentifiers)}>
      <Table
        caption={participantTexts.amongIdentifiers}
        columns={mayChange() ? [...mainColumns, { head: commonTexts.actions, cell: acts }] : mainColumns}
        rows={mobile}
        keyOf={({ certificatePem }) => certificatePem}
      />
    </Section>
  )
}

/** Changes the current version of the participant, not the one on the screen. */
async function keep(
  { id: participantId, ecosystemId }: Participant,
  change: (mobile: Mobile[]) => Mobile[],
): Promise<Answered<Participant>> {
  const params = { path: { ecosystemId, participantId } }
  const path = '/v1/ecosystems/{ecosystemId}/participants/{participantId}'
  const now = await callApi(api.GET(path, { params }))
  if (now.problem) return now
  const { id, ecosystemId: of, identifiers, ...body } = now.data
  const mobile = change(identifiers.mobile ?? [])
  return callApi(api.PUT(path, { params, body: { ...body, identifiers: { ...identifiers, mobile } } }))
}

function setStatus(of: Participant, each: Mobile, status: Mobile['status']) {
  return keep(of, (all) => all.map((other) => (isSame(other, each) ? { ...other, status } : other)))
}

function turned({ status }: Mobile): Mobile['status'] {
  return status === 'Active' ? 'Inactive' : 'Active'
}

function isSame(one: Mobile, other: Mobile): boolean {
  return bodyOf(one.certificatePem) === bodyOf(other.certificatePem)
}

function bodyOf(pem: string): string {
  return pem.replaceAll(/-----[^-]+-----|\s/g, '')
}
