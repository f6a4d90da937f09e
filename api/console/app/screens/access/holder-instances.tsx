import { api, callApi } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { say } from '../../kit/language.ts'
import { Empty, Shown } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useRead } from '../../kit/use-read.ts'
import { ShortTime } from '../../kit/when.tsx'
import { instanceTexts as t } from './holder-application-texts.ts'

const path = '/v1/holder/applications/{applicationId}/instances'

/** The newest registered instances of an app. */
export function Instances({ applicationId }: { applicationId: string }) {
  const params = { path: { applicationId }, query: { limit: 100 } }
  const instances = useRead(() => callApi(api.GET(path, { params })), [applicationId])
  return (
    <Shown of={instances}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty>{say(t.none)}</Empty>
        ) : (
          <Table
            caption={t.instances}
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              { head: t.instance, cell: ({ id }) => <Id value={id} /> },
              { head: t.registered, cell: ({ registeredAt }) => <ShortTime at={registeredAt} /> },
              { head: t.lastAttested, cell: ({ lastAttestedAt }) => <ShortTime at={lastAttestedAt} /> },
              {
                head: commonTexts.actions,
                cell: ({ id }) => (
                  <ConfirmButton
                    calls="deleteHolderApplicationInstance"
                    label={say(commonTexts.delete)}
                    title={say(t.deleteTitle)}
                    isDanger
                    act={() =>
                      callApi(
                        api.DELETE(`${path}/{instanceId}`, { params: { path: { applicationId, instanceId: id } } }),
                      )
                    }
                    onDone={() => void instances.reload()}
                  >
                    <p>{say(t.deleteText)}</p>
                  </ConfirmButton>
                ),
              },
            ]}
          />
        )
      }
    </Shown>
  )
}
