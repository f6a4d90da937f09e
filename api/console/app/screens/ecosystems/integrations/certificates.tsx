import { useRoute } from 'preact-iso'
import { api, callApi, type Schemas } from '../../../kit/api.ts'
import { CopyButton, Id } from '../../../kit/copy.tsx'
import { Badge, Section } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import { Screen } from '../../../kit/screen.tsx'
import { Empty } from '../../../kit/states.tsx'
import { type Column, PagedTable } from '../../../kit/table.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { TimeLeft } from '../../../kit/time-left.tsx'
import { to, useQuery } from '../../../kit/url-state.ts'
import { useRead } from '../../../kit/use-read.ts'
import { ecosystemTexts } from '../texts.ts'
import { integrationTexts } from './texts.ts'

type Certificate = Schemas['IntegratedCertificate']

/** The certificates of the last valid imported list. Shows all lists if the address names none. */
export default function IntegratedCertificatesScreen() {
  const { params } = useRoute()
  const ecosystemId = params.id ?? ''
  const [{ integration, cursor }] = useQuery()
  const path = { ecosystemId }
  const ecosystem = useRead(() => callApi(api.GET('/v1/ecosystems/{ecosystemId}', { params: { path } })), [ecosystemId])
  const query = {
    limit: 50,
    ...(integration && { integration: Number(integration) }),
    ...(cursor && { cursor }),
  }
  const certificates = useRead(
    () => callApi(api.GET('/v1/ecosystems/{ecosystemId}/integrations/certificates', { params: { path, query } })),
    [ecosystemId, integration, cursor],
  )
  const { format, url } = (integration && ecosystem.data?.integrations[Number(integration)]) || {}
  return (
    <Screen
      title={url ?? say(integrationTexts.certificates)}
      up={{
        href: to(`/ecosystems/${ecosystemId}`, { tab: 'integrations' }),
        title: say(ecosystemTexts.integrations),
      }}
    >
      <Section title={say(integrationTexts.certificates)} actions={format && <Badge mood="quiet">{format}</Badge>}>
        {format === 'RICAL' && <p class="soft">{say(integrationTexts.readers)}</p>}
        <PagedTable
          of={certificates}
          caption={integrationTexts.certificates}
          columns={columns}
          keyOf={(each) => `${each.url} ${each.certificateFingerprint}`}
          empty={<Empty>{say(integrationTexts.noCertificates)}</Empty>}
        />
      </Section>
    </Screen>
  )
}

const columns: readonly Column<Certificate>[] = [
  {
    head: commonTexts.name,
    cell: ({ certificateData: { commonName, organisationName, country } }) => (
      <>
        {commonName ?? organisationName ?? '–'} <small>{country}</small>
      </>
    ),
  },
  {
    head: integrationTexts.docTypes,
    cell: ({ docTypes = [] }) => <code>{docTypes.join(', ')}</code>,
  },
  {
    head: integrationTexts.valid,
    cell: ({ certificateData: { notBefore, notAfter } }) => <TimeLeft from={notBefore} until={notAfter} />,
  },
  {
    head: integrationTexts.fingerprint,
    cell: ({ certificateFingerprint }) => <Id value={certificateFingerprint} />,
  },
  {
    head: integrationTexts.certificate,
    cell: ({ certificatePem, certificateFingerprint }) => (
      <CopyButton text={certificatePem} label={`PEM ${certificateFingerprint.slice(0, 13)}`} />
    ),
  },
]
