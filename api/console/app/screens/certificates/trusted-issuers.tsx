import { api, callApi, type Schemas } from '../../kit/api.ts'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { SaveButton } from '../../kit/download.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import { say } from '../../kit/language.ts'
import { RowMenu } from '../../kit/row-menu.tsx'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { TimeLeft } from '../../kit/time-left.tsx'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { certificateTexts } from './texts.ts'

type Issuer = Schemas['TrustedIssuer']

/** The issuers whose mobile credentials are accepted here. */
export function TrustedIssuers() {
  const [{ cursor }] = useQuery()
  const issuers = useRead(
    () =>
      callApi(
        api.GET('/v2/credentials/mobile/trusted-issuers', {
          params: { query: { limit: 50, ...(cursor && { cursor }) } },
        }),
      ),
    [cursor],
  )
  const reload = () => void issuers.reload()
  const add = (
    <FormButton
      calls="createTrustedIssuer"
      label={say(certificateTexts.trust)}
      isPrimary
      fields={[{ name: 'certificatePem', label: certificateTexts.pem, kind: 'pem', required: true }]}
      submit={(body: Schemas['TrustedIssuerRequest']) =>
        callApi(api.POST('/v2/credentials/mobile/trusted-issuers', { body }))
      }
      onDone={reload}
    >
      <p class="note">{say(certificateTexts.trustAdvice)}</p>
    </FormButton>
  )
  return (
    <>
      <div class="actions">{add}</div>
      <PagedTable
        of={issuers}
        caption={certificateTexts.trusted}
        columns={columnsOf(reload)}
        keyOf={({ id }) => id}
        resourceOf={({ id }) => `/v2/credentials/mobile/trusted-issuers/${id}`}
        empty={<Empty>{say(certificateTexts.noTrusted)}</Empty>}
      />
    </>
  )
}

function columnsOf(onChange: () => void): readonly Column<Issuer>[] {
  return [
    { head: certificateTexts.commonName, cell: ({ certificateData: { commonName } }) => commonName ?? '–' },
    { head: certificateTexts.country, cell: ({ certificateData: { country } }) => country ?? '–' },
    {
      head: certificateTexts.validity,
      cell: ({ certificateData: { notBefore, notAfter } }) => <TimeLeft from={notBefore} until={notAfter} />,
    },
    {
      head: commonTexts.actions,
      cell: ({ certificatePem, id }) => (
        <RowMenu>
          <SaveButton label={say(certificateTexts.savePem)} name={`${id}.pem`} text={certificatePem} />
          <Distrust id={id} onDone={onChange} />
        </RowMenu>
      ),
    },
  ]
}

function Distrust({ id, onDone }: { id: string; onDone: () => void }) {
  const path = { params: { path: { id } } }
  return (
    <ConfirmButton
      calls="deleteTrustedIssuer"
      label={say(certificateTexts.distrust)}
      title={say(certificateTexts.distrust)}
      isDanger
      act={() => callApi(api.DELETE('/v2/credentials/mobile/trusted-issuers/{id}', path))}
      onDone={onDone}
    >
      <p>{say(certificateTexts.distrustAdvice)}</p>
    </ConfirmButton>
  )
}
