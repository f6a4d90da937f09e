import { api, callApi } from '../../kit/api.ts'
import { Badge } from '../../kit/elements.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { hasRole } from '../../kit/session.ts'
import { Empty, Shown } from '../../kit/states.tsx'
import { TimeLeft } from '../../kit/time-left.tsx'
import { to } from '../../kit/url-state.ts'
import { type Reading, useRead } from '../../kit/use-read.ts'
import { type Authority, listAuthorities, type Signer, type SignerKind, signerKinds, signers } from './kinds.ts'
import { NewSigner } from './new-signer.tsx'
import { State } from './state.tsx'
import './certificates.css'
import { certificateTexts } from './texts.ts'

type Signers = Record<SignerKind, Reading<{ data: readonly Signer[] }>>

/** The roots, each with its signers. */
export function Tree() {
  const roots = useRead(listAuthorities, [])
  const under: Signers = {
    'document-signer': useRead(signers['document-signer'].list, []),
    'status-list-signer': useRead(signers['status-list-signer'].list, []),
    'sd-jwt-signer': useRead(signers['sd-jwt-signer'].list, []),
  }
  const reload = () => void Promise.all([roots, ...Object.values(under)].map((each) => each.reload()))
  return (
    <>
      <div class="actions">
        {mayWrite() && <NewAuthority onDone={reload} />}
        {!!roots.data?.data.length && (
          <a href="/v1/openid/iacas" target="_blank" rel="noreferrer">
            {say(certificateTexts.roots)} ↗
          </a>
        )}
      </div>
      <Shown of={roots}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>{say(certificateTexts.empty)}</Empty>
          ) : (
            data.map((root) => <Root key={root.id} root={root} signers={under} onChange={reload} />)
          )
        }
      </Shown>
    </>
  )
}

export function mayWrite(): boolean {
  return hasRole('issuer', 'managed-issuer')
}

function Root({ root, signers, onChange }: { root: Authority; signers: Signers; onChange: () => void }) {
  return (
    <section class="root">
      <Line kind="iaca" of={root} />
      <p class="soft">
        <Badge mood="quiet">{say(root.isManaged ? certificateTexts.managed : certificateTexts.unmanaged)}</Badge>{' '}
        {root.isManaged && (
          <a href={`/v2/credentials/mobile/iacas/${root.id}/crl`} download="iaca.crl">
            {say(certificateTexts.crl)}
          </a>
        )}
      </p>
      {signerKinds.map((kind) => (
        <Shown key={kind} of={signers[kind]}>
          {({ data }) => (
            <Branch root={root} kind={kind} of={data.filter(({ iacaId }) => iacaId === root.id)} onChange={onChange} />
          )}
        </Shown>
      ))}
    </section>
  )
}

function Branch(props: { root: Authority; kind: SignerKind; of: readonly Signer[]; onChange: () => void }) {
  const { root, kind, of, onChange } = props
  return (
    <div class="branch">
      <header class="head">
        <h3>{say(certificateTexts[kind])}</h3>
        {mayWrite() && <NewSigner kind={kind} iacaId={root.id} onDone={onChange} />}
      </header>
      {of.length === 0 && (
        <p class="soft">{say(root.isManaged ? certificateTexts.noSigners : certificateTexts.noSignersOfYours)}</p>
      )}
      {of.map((signer) => (
        <Line key={signer.id} kind={kind} of={signer} />
      ))}
    </div>
  )
}

/** One certificate in a row: name, state and remaining validity. */
function Line({ kind, of }: { kind: 'iaca' | SignerKind; of: Authority | Signer }) {
  const { id, certificateData: data } = of
  const name = <a href={to(`/certificates/${kind}/${id}`)}>{data?.commonName ?? id}</a>
  return (
    <div class="certificate">
      {kind === 'iaca' ? <h2>{name}</h2> : name}
      <State of={of} />
      {data && <TimeLeft from={data.notBefore} until={data.notAfter} />}
    </div>
  )
}

const fields: readonly Field[] = [
  { name: 'commonName', label: certificateTexts.commonName, required: true, placeholder: 'Transport Agency IACA' },
  { name: 'country', label: certificateTexts.country, hint: certificateTexts.countryHint, required: true },
  { name: 'stateOrProvinceName', label: certificateTexts.state },
  { name: 'notBefore', label: certificateTexts.notBefore, kind: 'date' },
  { name: 'notAfter', label: certificateTexts.notAfter, hint: certificateTexts.notAfterHint, kind: 'date' },
]

const ownFields: readonly Field[] = [
  { name: 'certificatePem', label: certificateTexts.pem, kind: 'pem', required: true },
]

function NewAuthority({ onDone }: { onDone: () => void }) {
  const create = (body: Record<string, unknown>) => callApi(api.POST('/v2/credentials/mobile/iacas', { body }))
  return (
    <div class="actions">
      <FormButton label={say(certificateTexts.newIaca)} isPrimary fields={fields} submit={create} onDone={onDone}>
        <p class="note">{say(certificateTexts.newIacaAdvice)}</p>
      </FormButton>
      <FormButton label={say(certificateTexts.ownIaca)} fields={ownFields} submit={create} onDone={onDone}>
        <p class="note">{say(certificateTexts.ownIacaAdvice)}</p>
      </FormButton>
    </div>
  )
}
