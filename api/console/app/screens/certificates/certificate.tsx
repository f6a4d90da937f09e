import { useLocation, useRoute } from 'preact-iso'
import type { Schemas } from '../../kit/api.ts'
import { CopyButton, Id } from '../../kit/copy.tsx'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { SaveButton } from '../../kit/download.tsx'
import { Facts, Section, Verbatim } from '../../kit/elements.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import { keyPlaceTexts, textOfProvider } from '../../kit/key-place.tsx'
import { say } from '../../kit/language.ts'
import { Named } from '../../kit/named.tsx'
import { Screen } from '../../kit/screen.tsx'
import { ProblemMessage, Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { TimeLeft } from '../../kit/time-left.tsx'
import { UndoButton } from '../../kit/undo.tsx'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { When } from '../../kit/when.tsx'
import { type Authority, authorities, type Kind, kindOf, type Signer, type SignerKind, signers } from './kinds.ts'
import { State } from './state.tsx'
import { certificateTexts } from './texts.ts'
import { mayWrite } from './tree.tsx'

/** One root or signer: its details and actions. */
export default function CertificateScreen() {
  const { params } = useRoute()
  const kind = kindOf(params.kind)
  if (!kind) {
    return (
      <Screen title={say(certificateTexts.certificates)} up={up()}>
        <ProblemMessage problem={{ kind: 'missing', details: [] }} />
      </Screen>
    )
  }
  return <One key={params.id} kind={kind} id={params.id ?? ''} />
}

function up() {
  return { href: to('/certificates'), title: say(certificateTexts.certificates) }
}

function One({ kind, id }: { kind: Kind; id: string }) {
  const { route } = useLocation()
  const reading = useRead<Authority | Signer>(
    () => (kind === 'iaca' ? authorities.get(id) : signers[kind].get(id)),
    [kind, id],
  )
  const of = reading.data
  const toAll = () => route(up().href)
  const reload = () => void reading.reload()
  return (
    <Screen
      title={of?.certificateData?.commonName ?? say(certificateTexts[kind])}
      up={up()}
      objectId={id}
      {...(kind === 'iaca' && { resource: `/v2/credentials/mobile/iacas/${id}` })}
      actions={of && mayWrite() && <Actions kind={kind} of={of} onChange={reload} onDelete={toAll} />}
    >
      <Shown of={reading}>
        {(one) => (
          <>
            <Summary kind={kind} of={one} />
            {'csrPem' in one && one.csrPem && kind !== 'iaca' && <Request kind={kind} of={one} onChange={reload} />}
            {one.certificatePem && <Pem pem={one.certificatePem} name={`${kind}-${id}.pem`} />}
          </>
        )}
      </Shown>
    </Screen>
  )
}

function textOfKey(provider: string, destroyedAt: string | undefined): string {
  const place = say(textOfProvider(provider))
  return destroyedAt ? say(keyPlaceTexts.destroyed, { provider: place }) : place
}

function Summary({ kind, of }: { kind: Kind; of: Authority | Signer }) {
  const { certificateData: data, certificateFingerprint: fingerprint } = of
  return (
    <Section title={say(certificateTexts[kind])}>
      <Facts
        of={[
          [commonTexts.state, <State key="state" of={of} />],
          [keyPlaceTexts.place, of.provider && textOfKey(of.provider, of.keyDestroyedAt)],
          [certificateTexts.validity, data && <TimeLeft from={data.notBefore} until={data.notAfter} />],
          [certificateTexts.notBefore, data && <When at={data.notBefore} />],
          [certificateTexts.notAfter, data && <When at={data.notAfter} />],
          [certificateTexts.country, data?.country],
          [certificateTexts.state, data?.stateOrProvinceName],
          [certificateTexts.fingerprint, fingerprint && <Id value={fingerprint} />],
          [
            certificateTexts.underAuthority,
            'iacaId' in of && <Named kind="iaca" id={of.iacaId} href={to(`/certificates/iaca/${of.iacaId}`)} />,
          ],
          [certificateTexts.signed, signsCredentials(kind) && <SignedLink key="signed" signerId={of.id} />],
          [certificateTexts.revokedAt, 'revocationDate' in of && of.revocationDate && <When at={of.revocationDate} />],
        ]}
      />
    </Section>
  )
}

const signsCredentials = (kind: Kind) => kind === 'document-signer' || kind === 'sd-jwt-signer'

function SignedLink({ signerId }: { signerId: string }) {
  return <a href={to('/credentials', { signer: signerId })}>{say(certificateTexts.signedLink)}</a>
}

function Pem({ pem, name }: { pem: string; name: string }) {
  const actions = (
    <>
      <SaveButton label={say(certificateTexts.savePem)} name={name} text={pem} />
      <CopyButton text={pem} />
    </>
  )
  return (
    <Section title={say(certificateTexts.certificate)} actions={actions}>
      <Verbatim text={pem} />
    </Section>
  )
}

/** The certificate request of a signer whose root is external, and the upload of its certificate. */
function Request(props: { kind: SignerKind; of: Signer; onChange: () => void }) {
  const { kind, of, onChange } = props
  const upload = (body: Pick<Schemas['UpdateDocumentSignerRequest'], 'certificatePem'>) =>
    signers[kind].update(of.id, { ...body, active: true })
  return (
    <Section title={say(certificateTexts.request)}>
      <p>{say(certificateTexts.requestAdvice)}</p>
      <div class="actions">
        <SaveButton label={say(certificateTexts.saveCsr)} name={`${kind}-${of.id}.csr`} text={of.csrPem ?? ''} />
        {mayWrite() && (
          <FormButton
            calls="updateDocumentSigner"
            label={say(certificateTexts.upload)}
            isPrimary
            fields={[{ name: 'certificatePem', label: certificateTexts.pem, kind: 'pem', required: true }]}
            submit={upload}
            onDone={onChange}
          />
        )}
      </div>
    </Section>
  )
}

function Actions(props: { kind: Kind; of: Authority | Signer; onChange: () => void; onDelete: () => void }) {
  const { kind, of, onChange, onDelete } = props
  const { id, active } = of
  const isRevoked = 'revocationDate' in of && of.revocationDate !== undefined
  const acts = kind === 'iaca' ? authorities : signers[kind]
  return (
    <>
      {!isRevoked && of.certificateData && (
        <UndoButton
          calls="updateIaca"
          label={say(active ? certificateTexts.deactivate : certificateTexts.activate)}
          act={() => acts.update(id, { active: !active })}
          undo={() => acts.update(id, { active })}
          onDone={onChange}
        />
      )}
      {kind !== 'iaca' && of.certificateData && !isRevoked && (
        <ConfirmButton
          calls="revokeDocumentSigner"
          label={say(certificateTexts.revoke)}
          title={say(certificateTexts.revokeTitle)}
          word={of.certificateData.commonName}
          act={() => signers[kind].revoke(id)}
          onDone={onChange}
        >
          <p>{say(certificateTexts.revokeAdvice)}</p>
        </ConfirmButton>
      )}
      {!active && (
        <ConfirmButton<unknown>
          calls="deleteIaca"
          label={say(commonTexts.delete)}
          title={say(certificateTexts.deleteTitle)}
          word={of.certificateData?.commonName ?? id.slice(0, 8)}
          act={() => acts.remove(id)}
          onDone={onDelete}
        >
          <p>{say(certificateTexts.deleteAdvice)}</p>
        </ConfirmButton>
      )}
    </>
  )
}
