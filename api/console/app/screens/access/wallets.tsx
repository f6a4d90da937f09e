import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Collection } from '../../kit/collection.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { NameOrId } from '../../kit/named.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { accessTexts, walletTexts } from './texts.ts'
import { TryAttestation } from './try-attestation.tsx'

type Wallet = Schemas['OAuthClient']

const fields: readonly Field[] = [
  { name: 'name', label: commonTexts.name, required: true },
  { name: 'redirectUris', label: accessTexts.redirectUris, kind: 'lines', required: true, rows: 2 },
  { name: 'dpopRequired', label: accessTexts.dpop, kind: 'tick' },
  { name: 'attestation.required', label: accessTexts.attested, kind: 'tick' },
  { name: 'attestation.dpopRequired', label: accessTexts.attestedDpop, kind: 'tick' },
  { name: 'attestation.rootCertificates', label: accessTexts.roots, hint: accessTexts.rootsHint, kind: 'pem' },
]
const clientId: Field = { name: 'clientId', label: accessTexts.clientId, hint: accessTexts.generatedIfEmpty }

/** The registered wallets. */
export function Wallets() {
  return (
    <Collection<Wallet>
      calls={{ create: 'createOAuthClient', change: 'updateOAuthClient', remove: 'deleteOAuthClient' }}
      texts={walletTexts}
      list={(query) => callApi(api.GET('/v1/openid/clients', { params: { query } }))}
      idOf={({ id }) => id}
      path="/v1/openid/clients"
      columns={[
        { head: commonTexts.name, cell: (row) => <NameOrId name={row.name} id={row.clientId} /> },
        { head: accessTexts.redirectUris, cell: ({ redirectUris }) => redirectUris.join(' ') },
        {
          head: accessTexts.attested,
          cell: ({ attestation }) => say(attestation.required ? commonTexts.yes : commonTexts.no),
        },
      ]}
      form={(wallet, end) => <WalletForm wallet={wallet} end={end} />}
      actions={({ clientId, name }) => <TryAttestation clientId={clientId} name={name} />}
      deletion={{
        word: ({ name }) => name,
        act: ({ id }) => callApi(api.DELETE('/v1/openid/clients/{id}', { params: { path: { id } } })),
      }}
    />
  )
}

function WalletForm({ wallet, end }: { wallet: Wallet | undefined; end: () => void }) {
  const { rootCertificates = [], ...attestation } = wallet?.attestation ?? {}
  const start = wallet && { ...wallet, attestation: { ...attestation, rootCertificates: rootCertificates.join('\n') } }
  // Boundary: the fields build the body of the operations, and the service validates it.
  const save = (body: Schemas['OAuthClientRequest']) =>
    wallet
      ? callApi(api.PUT('/v1/openid/clients/{id}', { params: { path: { id: wallet.id } }, body }))
      : callApi(api.POST('/v1/openid/clients', { body }))
  return (
    <Form
      calls={wallet ? 'updateOAuthClient' : 'createOAuthClient'}
      fields={wallet ? fields : [...fields.slice(0, 1), clientId, ...fields.slice(1)]}
      start={start}
      action={say(wallet ? commonTexts.save : commonTexts.create)}
      submit={(body) => save(withRoots(body) as Schemas['OAuthClientRequest'])}
      onDone={end}
      onCancel={end}
    />
  )
}

/** Splits pasted certificates into a list. */
function withRoots(body: Record<string, unknown>): unknown {
  const { attestation = {} } = body as { attestation?: { rootCertificates?: string } }
  const pasted = attestation.rootCertificates ?? ''
  const certificates = pasted.match(/-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/g) ?? []
  // Sends other text unchanged. The service returns what is wrong with it.
  const rootCertificates = certificates.length > 0 || pasted === '' ? certificates : [pasted]
  return { ...body, attestation: { ...attestation, rootCertificates } }
}
